/** The odds page shows what the server says of a position, however the position got there. */
import { expect, it } from "vitest";
import { atTable, open, type Page, type Told, type Visit } from "../../../dom/kit";
import { written, type Script } from "../../../dom/wire";

const PATH = "/g/camelup/odds";
const CAMELS = ["blue", "green", "orange", "yellow", "white"];
const told = written<Told[]>("odds");

interface Odds {
  position: string;
  leg: Record<string, Record<string, number>>;
  race: Record<string, Record<string, number>>;
  actions: Record<string, number>;
}

/** What the server says when it is asked that. */
function said(asked: Record<string, string>): Odds {
  const path = `/api/games/camelup/odds?${new URLSearchParams(asked)}`;
  return (told.find((one) => one.path === path)!.answer as { odds: Odds }).odds;
}

async function opened(query = "", visit: Visit = {}): Promise<Page> {
  const page = await open(PATH + query, { told, ...visit });
  await page.see("#position");
  return page;
}

/** Until the odds of a position are shown. */
const shows = (page: Page, odds: Odds) =>
  page.passUntil(() => page.all("[data-odds]")[0]?.dataset.odds === odds.position, odds.position, 2000);

/** The numbers of a table row as a person reads them; null for a dash. */
function numbers(page: Page, about: string): (number | null)[] {
  const cells = page.texts(`[data-figures="${about}"] td`);
  return cells.map((cell) =>
    cell === "–"
      ? null
      : Number(
          cell
            .replace(/[\s\u202f%]/g, "")
            .replace("−", "-")
            .replace(",", "."),
        ),
  );
}

const rounded = (value: number | undefined, digits: number) =>
  value === undefined ? null : expect.closeTo(value, digits);

async function compare(page: Page, odds: Odds): Promise<void> {
  await shows(page, odds);
  for (const camel of CAMELS) {
    const [leg, race] = [odds.leg[camel], odds.race[camel]];
    const chances = [leg.first, leg.second, leg.last, race.winner, race.loser];
    expect(numbers(page, `chances ${camel}`)).toEqual(chances.map((chance) => rounded(100 * chance, 1)));
    const bets = ["leg", "winner", "loser"].map((kind) => odds.actions[`${kind} ${camel}`]);
    expect(numbers(page, `bets ${camel}`)).toEqual(bets.map((value) => rounded(value, 2)));
  }
  for (let space = 1; space <= 16; space += 1) {
    const values = ["oasis", "mirage"].map((kind) => odds.actions[`${kind} ${space}`]);
    const row = values.every((value) => value === undefined) ? [] : values.map((value) => rounded(value, 2));
    expect(numbers(page, `tiles ${space}`)).toEqual(row);
  }
}

it("a typed position gets the server's figures", async () => {
  const page = await opened();
  for (const position of ["3bw 5g 7yo | +4 -9 | bgy", "12w 14bgy 15o | -13 | w", "2g 4wb 6oy | +3 -8 +11 | bgoyw"]) {
    await page.fill("#position", position);
    await compare(page, said({ position }));
  }
});

it("a position is set up by thumb and travels in the link", async () => {
  const position = "1bw 3go 4y | -6 | bow";
  const page = await opened("", { language: "de-DE" });
  await page.press('[data-piece="clear"]');
  // Blue first; the next camel is in hand by itself.
  for (const space of [1, 3, 3, 4, 1]) await page.press(`[data-space="${space}"] button`);
  await page.press('[data-piece="mirage"]');
  await page.press('[data-space="6"] button');
  for (const camel of [1, 3]) await page.press(`.die[data-die="${camel}"]`);
  expect((page.one("#position") as HTMLInputElement).value).toBe(position);
  await compare(page, said({ position }));
  await page.press(page.all("details summary")[0]);
  await page.press('[data-taken="0"]');
  // The address follows at most twice a second.
  await page.pass(500);
  expect(location.search).toContain("taken=b1");
  const other = await opened(location.search, { language: "fr-FR" });
  await compare(other, said({ position, taken: "b1" }));
});

it("of eight tiles one is your own", async () => {
  const position = "5g 7w 9oby | +2 +4 -6 +8 -10 +12 +14 -16 | ow";
  const page = await opened(`?${new URLSearchParams({ position })}`, { language: "fr-FR" });
  await page.passUntil(() => page.has("l’une est la vôtre"), "the question", 2000);
  await page.fill("[data-own]", "8");
  await compare(page, said({ position, own_tile: "8" }));
});

it("a mistake is marked at its character in words", async () => {
  const page = await opened("", { language: "de-DE" });
  await page.fill("#position", "1gyo 3bx");
  await page.passUntil(() => page.all("[data-column]").length === 1, "the mark", 2000);
  expect(page.one("[data-column]").dataset.column).toBe("7");
  expect(page.text("[data-column] mark")).toBe("x");
  expect(page.text("[role=alert]")).toContain("ist kein Kamel");
  await page.fill("#position", "1gyo 3bw | +3");
  await page.passUntil(() => page.has("Auf Feld 3 steht ein Kamel"), "the reason", 2000);
  await page.fill("#position", "1gyo 3bw | +5");
  await shows(page, said({ position: "1gyo 3bw | +5" }));
  expect(page.all("[role=alert]")).toEqual([]);
});

it("odds are at hand where the table allows them, and remembered", async () => {
  const script = written<Script & { odds: object }>("race-odds");
  const answers = { "/api/tables/case/odds": script.odds };
  const chances = (page: Page) => page.texts("[data-told=true] b");
  let page = await atTable(script, { answers });
  const [off] = page.named("switch", "Odds");
  expect(off.getAttribute("aria-checked") ?? String((off as HTMLInputElement).checked)).toBe("false");
  expect(page.asked.some(({ path }) => path.includes("/odds"))).toBe(false);
  await page.press(off);
  await page.until(() => chances(page).length === 5, "the chances");
  const { leg } = (script.odds as { odds: Odds }).odds;
  expect(chances(page)).toEqual(CAMELS.map((camel) => `${Math.round(100 * leg[camel].first)}%`));
  expect(page.all("section > table tbody td")).toHaveLength(10);
  page = await atTable(script, { answers });
  await page.until(() => chances(page).length === 5, "the chances again");
  await page.press(page.named("switch", "Odds")[0]);
  expect(chances(page)).toEqual([]);
  page = await atTable(written("race"));
  expect(page.named("switch", "Odds")).toEqual([]);
});

it("the table leads to the odds of its position", async () => {
  const table = await atTable(written<Script & { odds: object }>("race-odds"));
  const [link] = table.named("link", "Odds of this position");
  const href = link.getAttribute("href")!;
  const page = await open(href, { answers: { "/api/games/camelup/odds": told[0].answer } });
  const { value } = (await page.see("#position")) as HTMLInputElement;
  expect(value).toBe("6yb 8w 10og | -4 +12 | gow");
  expect(href).toContain(new URLSearchParams({ position: value }).toString());
});
