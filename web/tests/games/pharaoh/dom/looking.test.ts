/** What is told elsewhere lights up on the board, and the end tells what everybody's points are made of. */
import { expect, it } from "vitest";
import { atTable } from "../../../dom/kit";
import { written } from "../../../dom/wire";

it("a line of the story and a player light up what they are about", async () => {
  const page = await atTable(written("crowded"));
  await page.press('[data-action="walk e2"]');
  await page.hover(page.all("ol li").findLast((one) => one.textContent!.includes("e2"))!);
  expect(page.all("[data-spot]").map((one) => one.dataset.spot)).toEqual(["10"]);
  await page.hover(null);
  expect(page.all("[data-spot]")).toEqual([]);
  await page.focus("section > ol[tabindex]");
  expect(page.all("[data-spot]").map((one) => one.dataset.spot)).toEqual(["10"]);
  await page.focus(page.button("Show Jürgen on the board"));
  expect(page.all("[data-spot]")).toEqual([]);
  expect(page.all("[data-figure].lit").map((one) => one.dataset.figure)).toEqual(["3 archaeologist", "3 helper"]);
});

it("the end tells what everybody's points are made of", async () => {
  const page = await atTable(written("last-ring"));
  await page.see(".falls");
  await page.press('[data-action="end"]');
  await page.press(page.all("[data-answer]")[0]);
  await page.see(".ending [data-part]");
  const points = (text: string | null) => Number(text!.replace("−", "-"));
  const found = page.all(".ending ol li").map((line) => {
    const parts = page.all("[data-part]", line).map((one) => [one.dataset.part!, page.one("b", one).textContent!]);
    const worth = parts.reduce((sum, [, part]) => sum + points(part), 0);
    expect(worth).toBe(points(page.one(".score", line).textContent));
    return [line.querySelector(":scope > b")!.textContent!.trim(), Object.fromEntries(parts)];
  });
  expect(Object.fromEntries(found)["Jürgen"]).toEqual({ photos: "1", losses: "−3" });
});
