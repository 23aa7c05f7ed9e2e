/** The pyramid in hand: walking, laying and turning tiles, keys, and the moments that decide a game. */
import { expect, it } from "vitest";
import { atTable } from "../../../dom/kit";
import { Wire, written } from "../../../dom/wire";

const CONFIRM = '[data-place="confirm"]';
const PANEL = "section[aria-label=Collapse]";
const END = '[data-action="end"]';

it("what was done is taken back step by step", async () => {
  const page = await atTable(written("corridor-undo"));
  await page.press('[data-action="walk c3"]');
  expect(page.text('[data-pick="archaeologist"]')).toContain("c3");
  await page.press('[data-pick="helper"]');
  await page.press('[data-action="lamp"]');
  await page.read("1 left");
  await page.press(page.button("Undo"));
  await page.read("2 left");
  await page.press(page.button("Undo"));
  await page.read("3 left");
  expect(page.text('[data-pick="archaeologist"]')).toContain("c2");
  expect(page.all('[data-figure="0 archaeologist"]')).toHaveLength(1);
  expect(Wire.last.done).toBe(4);
});

it("keys do what buttons do", async () => {
  const page = await atTable(written("corridor-keys"));
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await page.key(key);
  };
  await page.key("?");
  await page.see("dialog kbd");
  expect(page.texts("dialog kbd").filter((key) => /^[A-Z]$/.test(key))).toEqual([..."AHBTRFLGDSEU"]);
  await page.press(page.all("dialog button")[0]);
  expect(page.all("dialog")).toEqual([]);
  for (const [key, what] of [
    ["h", "helper"],
    ["t", "turn"],
    ["a", "archaeologist"],
  ]) {
    await page.key(key);
    expect(page.one(`[data-pick="${what}"]`).getAttribute("aria-pressed")).toBe("true");
  }
  await keys("h", "l");
  expect(Wire.last.done).toBe(1);
  await page.key("u");
  expect(Wire.last.done).toBe(2);
  await keys("a", "b");
  expect(document.activeElement?.closest("[data-cell]")).not.toBeNull();
  // Down, and up again to c3, and from there to what is face down on c4; every key turns the tile once.
  await keys("ArrowDown", "ArrowUp", "Enter");
  expect(Wire.last.done).toBe(3);
  await page.see('[data-action="reveal c4"]');
  await page.key("b");
  expect(document.activeElement?.getAttribute("data-action")).toBe("reveal c4");
  await keys("ArrowUp", "ArrowDown", "Enter");
  expect(Wire.last.done).toBe(4);
  const tile = page.one('[data-action="rotate"]');
  const before = tile.getAttribute("aria-label");
  await page.key("r");
  expect(page.one('[data-action="rotate"]').getAttribute("aria-label")).not.toBe(before);
  await keys("r", "r", "r", "f");
  expect(Wire.last.done).toBe(5);
  await page.key("e");
  expect(Wire.last.done).toBe(6);
});

it("treasures are taken, dropped and stolen by keys", async () => {
  const page = await atTable(written("hoard"));
  for (const [done, key] of [..."gds"].entries()) {
    await page.key(key);
    expect(Wire.last.done).toBe(done + 1);
  }
});

it("a tile is turned in place and confirmed", async () => {
  const page = await atTable(written("corridor-tile"));
  await page.press('[data-action="walk c3"]');
  await page.press('[data-action="reveal c4"]');
  // The tile comes to lie so that one can go there; every touch turns it a quarter further.
  const sides = ["east and south", "south and west", "north and west", "north and east", "east and south"];
  for (const open of sides) {
    page.button(`Rotate: the tile on c4 is open to ${open}`);
    await page.press('[data-action="rotate"]');
  }
  page.button("Rotate: the tile on c4 is open to south and west");
  await page.press(CONFIRM);
  await page.see('[data-action="walk c4"]');
  // The helper turns it once more, and changes its mind.
  await page.press('[data-pick="helper"]');
  await page.press('[data-pick="turn"]');
  await page.press('[data-action="turn c4"]');
  await page.key("Escape");
  expect(page.all("[data-place]")).toEqual([]);
  await page.press('[data-action="turn c4"]');
  await page.press(CONFIRM);
  await page.until(() => Wire.last.done === 4, "the tile is turned");
  expect(page.text("[data-cell='20'] .unseen")).toContain("corner, open to: north and west");
});

it("a turn of three reveals takes seven taps", async () => {
  const page = await atTable(written("reveals"));
  let taps = 0;
  const tap = async (selector: string) => {
    taps += 1;
    await page.press(selector);
  };
  for (const cell of ["c2", "b1", "d1"]) {
    await tap(`[data-action="reveal ${cell}"]`);
    await tap("[data-tick]");
  }
  await tap(END);
  await page.read("Ben is thinking");
  expect(Wire.last.done).toBe(7);
  expect(taps).toBe(7);
});

it("the mummy walks and figures flee", async () => {
  const page = await atTable(written("corridor-mummy"), { moving: true });
  await page.press('[data-action="walk c3"]');
  await page.pass(3000);
  await page.press('[data-action="reveal c4"]');
  await page.passUntil(() => page.all(".way.mummy").length > 0, ".way.mummy");
  await page.read("The mummy awakes");
  await page.press(page.button("Catch up"));
  for (const figure of ["archaeologist", "helper"]) {
    expect(page.text("[data-cell='2'] .unseen")).toContain(`${figure} of Ann`);
  }
  // Both treasures lie in the chamber, and the finder's turn is over.
  expect(page.text("[data-cell='20'] .unseen")).toContain("Treasure worth 2, Treasure worth 3");
  await page.read("Ben is thinking");
});

it("the curse blows the lamps out", async () => {
  const page = await atTable(written("corridor-curse"), { moving: true });
  await page.press('[data-action="walk c3"]');
  await page.pass(3000);
  await page.press('[data-action="reveal c4"]');
  await page.passUntil(() => page.all(".way.curse").length > 0, ".way.curse");
  expect(page.all(".board .lamp")).toHaveLength(1);
  await page.press(page.button("Catch up"));
  expect(page.text("[role=log]")).toContain("Ben’s lamp on c2 goes out.");
  expect(page.all(".board .lamp")).toEqual([]);
});

it("how near a restless pyramid is to falling by itself is seen before, and while it falls", async () => {
  let page = await atTable(written("restless-grows"));
  expect(page.text(PANEL)).toContain("After 2 more quiet rounds the pyramid falls by itself");
  expect(page.all(".falls, .doom")).toEqual([]);
  page = await atTable(written("restless-falls"));
  expect(page.text(PANEL)).toContain("Restless: the pyramid falls after this round");
  expect(page.text(PANEL)).toContain("from f6, unless a tile is turned over or somebody scores");
  expect(page.all(".doom")).toHaveLength(1);
  await page.see(".falls");
  expect(page.text(".falls.soon .unseen")).toBe("f6: falls at the end of this round");
  Wire.last.play();
  await page.read("The pyramid falls by itself");
  expect(page.text(PANEL)).toContain("Ring 1 falls at the end of this round: 3 cracked tiles");
  expect(page.text("[role=log]")).toContain("From now on a ring falls at the end of each round.");
  // Whose turn ends the rounds is no matter of anybody.
  expect(page.text("main")).not.toContain("drives the collapse");
});

it("a tile turned over calms a restless pyramid", async () => {
  const page = await atTable(written("restless-calmed"));
  expect(page.all(".doom")).toHaveLength(1);
  Wire.last.play();
  await page.until(() => page.text("[role=log]").includes("The pyramid is quiet again."), "what was told");
  expect(page.all(".doom")).toEqual([]);
  expect(page.text(PANEL)).toContain("After 4 more quiet rounds the pyramid falls by itself");
});

it("the collapse takes figures with it", async () => {
  const page = await atTable(written("half-fallen"), { moving: true, language: "de-DE" });
  // What falls next is told beforehand, on the board and in words.
  expect(page.text("[data-cell='8'] .unseen")).toContain("stürzt als Nächstes ein");
  expect(page.all(".doom")).toHaveLength(9);
  await page.read("Am Zugende stürzt Ring 3 ein: 9 rissige Platten.");
  await page.see(".falls");
  await page.press(END);
  // Nobody is lost without having been warned.
  await page.read("Endet der Zug jetzt, sind deine beiden Figuren verloren.");
  expect(Wire.last.done).toBe(0);
  await page.press(page.all("[data-answer]")[0]);
  await page.passUntil(() => page.all(".board .drops").length > 0, ".board .drops");
  await page.press(page.button("Aufholen"));
  const spoken = page.text("[role=log]");
  expect(spoken).toContain("Dein Archäologe stürzt auf c2 in die Tiefe (−2)!");
  expect(spoken).toContain("Die Tiefe verschlingt, was du trägst: die Totenmaske.");
  expect(page.all(".board .void")).toHaveLength(25);
  expect(page.all('[data-figure="0 archaeologist"]')).toEqual([]);
});

it("a seat without figures ends its turn by itself", async () => {
  const page = await atTable(written("no-figures"));
  expect(Wire.last.said).toEqual([]);
  await page.passUntil(() => page.has("Ben is thinking"), "the end of the turn", 10_000);
  expect(Wire.last.said).toEqual([{ type: "act", action: { type: "end" } }]);
});
