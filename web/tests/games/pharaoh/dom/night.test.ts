/** The pyramid is played by night, unless somebody has chosen otherwise. */
import { expect, it } from "vitest";
import { atTable } from "../../../dom/kit";
import { written } from "../../../dom/wire";

const theme = () => document.documentElement.dataset.theme;

it("night lasts as long as the pyramid is on screen", async () => {
  const page = await atTable(written("corridor-undo"), { answers: { "/api/tables/case": { yours: [] } } });
  await page.see("[data-cell]");
  expect(theme()).toBe("dark");
  await page.press(page.all('header a[href="/"]')[0]);
  await page.until(() => page.all("[data-cell]").length === 0, "the first screen");
  expect(theme()).toBeUndefined();
  await atTable(written("race"));
  expect(theme()).toBeUndefined();
});

it.each(["light", "dark"])("whoever has chosen %s keeps it", async (chosen) => {
  const page = await atTable(written("corridor-undo"), { settings: { theme: chosen } });
  await page.see("[data-cell]");
  expect(theme()).toBe(chosen);
});
