/** Great moments of golden records are seen on the board, and told. */
import { expect, it, vi } from "vitest";
import { atTable } from "../../../dom/kit";
import { Wire, written } from "../../../dom/wire";

/** By record, what is then seen on the board, and what is told. */
const MOMENTS: [string, string[], string][] = [
  ["moment-mummy", ["[data-flash]", "[data-picture]", "[data-omen=mummy]"], "The mummy awakes"],
  ["moment-curse", ["[data-picture]", "[data-omen=curse]", ".smoke"], "The curse blows out the lamps"],
  ["moment-mask", ["[data-picture]", ".view.near", ".hush", "[data-mask]", ".board .cracking"], "The death mask"],
  ["moment-theft", [".note", ".view.near", "[data-snatch]", ".robbed"], "steals a treasure"],
  ["moment-shut-in", [".note.grave", ".view.near", "[data-walls]"], "is shut in on"],
  [
    "restless-grows",
    [".note.grave", ".board .cracking"],
    "The pyramid grows restless: it falls after this round, from f6",
  ],
  ["restless-falls", [".board .cracking", ".dust", ".board .drops"], "The pyramid begins to fall by itself, at f6!"],
  ["moment-collapse", [".board .cracking", ".dust", ".sun"], "Ring 1 falls"],
  ["moment-loss", [".afraid", ".figure .drops", "[data-lost]"], "loses the"],
];

it.each(MOMENTS)("%s", async (name, seen, said) => {
  const page = await atTable(written(name), { moving: true, settings: { pace: "brisk" } });
  expect(page.text("[role=log]")).not.toContain(said);
  const missing = new Set(seen);
  const look = () => seen.filter((one) => page.all(one).length > 0).forEach((one) => missing.delete(one));
  const looking = new MutationObserver(look);
  looking.observe(document.body, { subtree: true, childList: true, attributes: true });
  Wire.last.play();
  await page.settle();
  expect(page.one("[data-resting]").dataset.resting).toBe("false");
  await page.passUntil(() => page.one("[data-resting]").dataset.resting === "true", "the end of it");
  looking.disconnect();
  expect([...missing]).toEqual([]);
  expect(page.text("[role=log]")).toContain(said);
});

it("a photo is developed once, however many steps it takes", async () => {
  const page = await atTable(written("moment-mummy"), { moving: true, settings: { pace: "brisk" } });
  const developed: string[] = [];
  const animate = vi.spyOn(Element.prototype, "animate").mockImplementation(function (this: HTMLElement) {
    if (this.dataset.picture) developed.push(this.dataset.picture);
    return { cancel: () => undefined } as Animation;
  });
  Wire.last.play();
  await page.settle();
  await page.passUntil(() => page.one("[data-resting]").dataset.resting === "true", "the end of it");
  animate.mockRestore();
  expect(developed).toEqual(["5"]);
});

it("before the mask is seen it is dark and silent, and nothing is told of it", async () => {
  const page = await atTable(written("moment-mask"), { moving: true, settings: { pace: "brisk" } });
  Wire.last.play();
  await page.settle();
  await page.passUntil(() => page.all(".hush").length > 0, "the dark");
  expect(page.text(".board .caption")).not.toContain("death mask");
  expect(page.all(".note")).toEqual([]);
  await page.passUntil(() => page.all("[data-mask]").length > 0, "the mask");
  expect(page.text(".note")).toContain("The death mask!");
  // The whole board is seen behind it, so that it is not drawn near itself.
  expect(page.all(".view.near")).toEqual([]);
});

it("where nothing moves the mask stands still, and the view does not draw near", async () => {
  const page = await atTable(written("moment-mask"), { settings: { pace: "brisk" } });
  Wire.last.play();
  await page.settle();
  await page.passUntil(() => page.all("[data-mask]").length > 0, "the mask");
  expect(page.all(".view.near, .hush")).toEqual([]);
  await page.passUntil(() => page.one("[data-resting]").dataset.resting === "true", "the end of it");
  expect(page.all("[data-mask]")).toEqual([]);
});
