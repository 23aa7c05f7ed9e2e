/** A table whatever is played there: what is asked before it ends, where it is not, and games that have no folder. */
import { expect, it } from "vitest";
import { games } from "../unit/games";
import { atTable, open } from "./kit";
import { Wire, written, type Script } from "./wire";

const OFFERED = '[data-action]:not([aria-disabled="true"])';

it("ending a game against bots asks and says what it means", async () => {
  const page = await atTable(written("race-against-bots"));
  expect(page.named("button", /Talk/), "bots do not talk").toEqual([]);
  await page.press(page.button("Table"));
  expect(page.named("button", "Become the host")).toEqual([]);
  await page.press(page.button("End the game now"));
  await page.see("[role=dialog]");
  expect(page.text("[role=dialog]")).toContain("It is scored as it stands");
  expect(page.all("#table-menu > *")).toEqual([]);
  await page.press(page.button("Cancel", page.one("[role=dialog]")));
  expect(page.all(OFFERED).length).toBeGreaterThan(0);
  expect(Wire.last.said).toEqual([]);
  Wire.last.deaf = true;
  await page.press(page.button("Table"));
  await page.press(page.button("End the game now"));
  await page.press(page.button("End it"));
  expect(Wire.last.said).toEqual([expect.objectContaining({ type: "agree" })]);
});

it.each([
  ["race", "roll"],
  ["corridor-undo", "archaeologist"],
])("a game that the page does not know can be played (%s)", async (position, kind) => {
  const known = JSON.stringify(written(position));
  const strange = games.reduce((text, game) => text.replaceAll(`"game":"${game}"`, '"game":"stranger"'), known);
  const script = JSON.parse(strange) as Script;
  const page = await open("/t/case", { script });
  await page.see(OFFERED);
  expect(page.named("heading", "Stranger")).toHaveLength(1);
  const offered = page.all(OFFERED);
  const { actions } = script.steps[0].replies[0] as { actions: object[] };
  expect(offered).toHaveLength(actions.length);
  const wanted = actions.findIndex((action) => JSON.stringify(action) === JSON.stringify(script.steps[1].said!.action));
  expect(actions[wanted]).toMatchObject({ type: kind });
  await page.press(offered[wanted]);
  await page.until(() => Wire.last.done === 1, "the action");
});

it("there is no such table", async () => {
  const page = await open("/t/nowhere");
  Wire.last.onclose?.({ code: 4404 });
  await page.read("There is no such table.");
});

it("the pace is kept on this device", async () => {
  const chooser = async () => {
    const page = await open("/", { moving: true });
    await page.press(page.button("Settings"));
    await page.until(() => page.named("combobox", "Pace").length === 1, "the pace");
    return { page, pace: page.named("combobox", "Pace")[0] as HTMLSelectElement };
  };
  expect((await chooser()).pace.value).toBe("calm");
  for (const pace of ["brisk", "instant", "calm"]) {
    const before = await chooser();
    await before.page.fill(before.pace, pace);
    expect((await chooser()).pace.value).toBe(pace);
  }
});
