/** Escape: one thing at a time, what was opened last first. */
import { expect, it } from "vitest";
import { atTable, type Page } from "./kit";
import { written } from "./wire";

const MENU = "#table-menu > *";
const SETTINGS = "#preferences > *";
const moving = (page: Page) => page.all('[data-resting="false"]').length > 0;

it("puts the menu away over a moving board, and only then catches up", async () => {
  const page = await atTable(written("reveals"), { moving: true });
  await page.passUntil(() => !moving(page), "all that came before");
  await page.press('[data-action="reveal c2"]');
  await page.press(page.button("Table"));
  await page.see(MENU);
  expect(moving(page)).toBe(true);
  await page.key("Escape");
  expect([page.all(MENU).length, moving(page)]).toEqual([0, true]);
  await page.key("Escape");
  expect(moving(page)).toBe(false);
});

it("one thing hangs over the page at a time, and is put away wherever the focus is", async () => {
  const page = await atTable(written("reveals"));
  await page.press(page.button("Table"));
  await page.see(MENU);
  await page.press(page.button("Settings"));
  await page.see(SETTINGS);
  expect(page.all(MENU)).toEqual([]);
  await page.focus('[data-action="reveal c2"]');
  await page.key("Escape");
  expect(page.all(SETTINGS)).toEqual([]);
});
