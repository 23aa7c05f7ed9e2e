/** The guided game: only what is taught goes through, the others play by themselves, and it comes to its end. */
import { expect, it } from "vitest";
import { open, type Page, type Told, type Visit } from "../../../dom/kit";
import { at, followTheLight, goOn, GUIDE } from "../../../dom/lessons";
import { written } from "../../../dom/wire";

const OFFERED = '[data-action]:not([aria-disabled="true"])';

/** The guided game of Camel Up with a short game in place of the one that it brings. */
async function short(visit: Visit = {}): Promise<Page> {
  const [{ answer }] = written<Told[]>("lesson");
  const page = await open("/learn/camelup", { answers: { "/api/games/camelup/lesson": answer }, ...visit });
  await page.see("[data-stage=intro]");
  return page;
}

it("a lesson is learnt by doing", async () => {
  const page = await short({ moving: true });
  await page.press(page.button("Let’s begin"));
  await goOn(page);
  expect(at(page)).toBe("do 1");
  // Something else gets an explanation and changes nothing.
  const before = page.text("main .table");
  await page.press(`${OFFERED}[data-action="roll"]`);
  await page.read("You could do that, too");
  expect(page.text("main .table")).toBe(before);
  await page.press(`${OFFERED}[data-action="leg white"]`);
  await page.passUntil(() => at(page) === "done 1", "the first step");
  expect(page.all(OFFERED)).toEqual([]);
  await page.press(page.button("Continue"));
  await goOn(page);
  expect(at(page)).toBe("do 2");
  await page.press(page.all(`${OFFERED}[data-action="tile"]`).at(-1)!);
  await page.press('[data-action="desert 7"]');
  await page.press('[data-side="oasis"]');
  await page.press("[data-answer=lay]");
  await page.passUntil(() => at(page) === "done 2", "the second step");
  await page.press(page.button("Continue"));
  await goOn(page);
  expect(at(page)).toBe("do 3");
  // Whoever is stuck is shown.
  await page.press(page.button("Do it for me"));
  await page.press(page.button("Catch up"));
  await page.until(() => at(page) === "done 3", "the third step");
  await page.press(page.button("Continue"));
  expect(await goOn(page)).toBe("end");
  await page.press(page.button("Once more"));
  expect(at(page)).toBe("intro 0");
});

it("a lesson is gone through by keyboard alone", async () => {
  const page = await short({ language: "de-DE" });
  const main = () => document.activeElement?.matches(`${GUIDE} .main`) === true;
  for (const step of [1, 2, 3]) {
    // The way on has the focus.
    await page.until(main, "the way on");
    await page.key("Enter");
    await page.passUntil(() => at(page) === `do ${step}`, `step ${step}`);
    await page.focus(page.button("Mach es für mich"));
    await page.key("Enter");
    await page.passUntil(() => at(page) === `done ${step}`, `the end of step ${step}`);
  }
  await page.until(main, "the way on");
  await page.key("Enter");
  await page.passUntil(() => at(page) === "end 3", "the end");
});

it("it is learnt by touching what the light is on", async () => {
  const page = await followTheLight("camelup", "de-DE");
  expect(page.text(".ending")).toContain("22 zu 21");
});
