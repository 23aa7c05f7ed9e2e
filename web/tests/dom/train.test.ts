/** Exercises: posed on the game's own board, answered by doing it, explained, and counted on the device. */
import { expect, it } from "vitest";
import { games } from "../unit/games";
import { open, type Page, type Told } from "./kit";
import { written } from "./wire";

/** By what it is called in notation, what the page calls doing something. */
const DOING: Record<string, string> = { leg: "leg", archaeologist: "walk" };

interface Judged {
  right: boolean;
  chosen: { action: string };
}

async function answered(told: Told[], page: Page, { answer }: Told): Promise<void> {
  const { right, chosen } = answer as Judged;
  await page.see("main [data-resting=true] [data-action]");
  const [kind, about] = chosen.action.split(" ");
  await page.press(`main [data-action="${DOING[kind]} ${about}"]`);
  await page.see(`[data-answered="${right}"] .box tbody tr.own`);
  // What is best is pointed at, and the way on has the focus.
  await page.pass(20);
  expect(page.all("[data-spot]")).toHaveLength(1);
  expect(document.activeElement?.matches(".box .main")).toBe(true);
  expect(page.asked.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
    told.find((one) => one.answer === answer)!.path,
  ]);
}

it.each(games)("one exercise of %s is answered right, one wrong", async (game) => {
  const told = written<Told[]>(`train-${game}`);
  const [, first, right, second, wrong] = told;
  const names = [first, second].map(({ path }) => path.split("/").at(-1)!);
  let page = await open(`/train/${game}/${names[0]}`, { told });
  await answered(told, page, right);
  page = await open(`/train/${game}/${names[1]}`, { told });
  await answered(told, page, wrong);
  page = await open(`/train/${game}`, { told: [...told, ...others(game)] });
  for (const { answer } of [first, second]) {
    const { theme } = answer as { theme: string };
    await page.see(`[data-theme-row="${theme}"] svg`);
  }
});

it.each(games)("whoever asked for what goes wrong goes on with that (%s)", async (game) => {
  const told = written<Told[]>(`train-${game}`);
  const [list, first, right] = told;
  let page = await open(`/train/${game}`, { told: [...told, ...others(game)] });
  expect((await page.see("[data-for-me]")).getAttribute("href")).toMatch(/\?for-me$/);
  page = await open(`/train/${game}/${first.path.split("/").at(-1)!}?for-me`, { told });
  await answered(told, page, right);
  const next = page.one(".box .main").getAttribute("href")!;
  expect(next).toMatch(/\?for-me$/);
  expect(JSON.stringify(list.answer)).toContain(next.split("/").at(-1)!.split("?")[0]);
});

it.each(games)("what is not there leads back (%s)", async (game) => {
  const told = [...written<Told[]>(`train-${game}`), ...others(game)];
  const none = {
    ...told[0],
    path: `/api/exercises/${game}/none`,
    status: 404,
    answer: { key: "server.exercise", values: {}, text: "" },
  };
  const page = await open(`/train/${game}/none`, { told: [...told, none] });
  await page.see("[role=alert]");
  const [back] = page.named("link", "All exercises");
  await page.press(back);
  await page.see("[data-theme-row]");
});

/** What the list of all exercises asks of the other games. */
function others(game: string): Told[] {
  return games.filter((other) => other !== game).map((other) => written<Told[]>(`train-${other}`)[0]);
}
