import { expect, it } from "vitest";
import { at, followTheLight, goOn, GUIDE } from "../../../dom/lessons";

it("the guided game is learnt by touching what the light is on, and ends with the result", async () => {
  const page = await followTheLight("pharaoh", "fr-FR");
  expect(page.all(GUIDE)).toEqual([]);
  expect(page.text(".ending h2")).toBe("Vous gagnez !");
  expect(page.texts(".ending .score")).toEqual(["14", "6"]);
  expect(page.text(".ending [data-next]")).toContain("14 points");
  // It was played at no table: nothing leads to its replay, and nobody is asked for another game.
  expect(page.all(".ending a").map((link) => link.getAttribute("href"))).toEqual(["/"]);
  await page.press(page.button("Encore une fois"));
  expect(at(page)).toBe("intro 0");
  expect(await goOn(page)).toBe("do");
});
