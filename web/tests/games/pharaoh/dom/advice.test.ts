/** The pyramid explains itself: reasons where nothing is to be done, reach, few taps, warnings. */
import { expect, it } from "vitest";
import { atTable, type Page } from "../../../dom/kit";
import { Wire, written } from "../../../dom/wire";

const END = '[data-action="end"]';
const CELLS = [1, 2, 3, 4, 5, 6].flatMap((row) => [..."abcdef"].map((column) => `${column}${row}`));
const bubble = (page: Page) => page.texts("[data-bubble]").join();

it("whatever offers nothing says why", async () => {
  let page = await atTable(written("winding"));
  await page.press(await page.see('[data-why="f6"]'));
  expect(bubble(page)).toBe("f6 is not next to your archaeologist.");
  await page.press('[data-why="b1"]');
  expect(bubble(page)).toBe("b1 is not next to your archaeologist.");
  await page.press('[data-pick="helper"]');
  expect(page.all("[data-bubble]")).toEqual([]);
  await page.press('[data-why="d2"]');
  expect(bubble(page)).toBe("d2 is face down: reveal it first.");
  await page.press('[data-pick="turn"]');
  await page.press('[data-why="e1"]');
  expect(bubble(page)).toBe("e1 is not next to your helper.");
  // A figure says what it cannot do, and its caption what it can.
  const captions = (figure: string) => page.texts(`[data-pick="${figure}"] small:not(.brief)`);
  expect(captions("archaeologist")).toEqual(["walk", "1 move home"]);
  expect(captions("helper")).toEqual(["walk · turn · lamp", "2 moves home"]);
  page = await atTable(written("buried"));
  expect(captions("archaeologist")[0]).toBe("reveal");
  await page.see("[data-why]");
  await page.press('[data-pick="helper"]');
  expect(bubble(page)).toBe(
    "No way leads on from c1. No tile in reach of c1 can be turned. The start tile takes no lamp.",
  );
});

it("a walk of three moves takes two taps", async () => {
  const page = await atTable(written("winding"));
  await page.see('[data-go="c4"]');
  // How many moves away every cell in reach is.
  const reach = (cell: string) => page.text(`[data-cell="${CELLS.indexOf(cell)}"] .hint b`);
  expect(["b2", "b3", "c4"].map(reach)).toEqual(["1", "2", "3"]);
  expect(page.named("button", "Archaeologist walks to c4: 3 moves")).toEqual([page.one('[data-go="c4"]')]);
  await page.press('[data-go="c4"]');
  expect(page.all("polyline.way")).toHaveLength(1);
  expect(Wire.last.said, "the first tap only shows the way").toEqual([]);
  await page.press('[data-go="c4"]');
  await page.until(() => page.one('[data-figure="0 archaeologist"]').dataset.at === "20", "it walks");
  expect(Wire.last.done).toBe(3);
});

it("ways are drawn before they are taken", async () => {
  let page = await atTable(written("winding-long-run"));
  await page.see("[data-why]");
  // A lit run is one move, and a path of several cells.
  await page.hover('[data-action="walk d3"]');
  expect(page.one("polyline.way").getAttribute("points")?.split(" ")).toHaveLength(4);
  await page.hover(null);
  expect(page.all("polyline.way")).toEqual([]);
  page = await atTable(written("counting-down-crossing"));
  await page.press('[data-action="walk c2"]');
  await page.see("[data-why]");
  await page.focus('[data-action="reveal d2"]');
  expect(page.one("path.omen").getAttribute("d")?.split("L")).toHaveLength(3);
  // Which photos are left is known to all.
  await page.press("details summary");
  for (const photo of ["1 treasure", "1, curse", "2, mummy"]) {
    expect(page.text("details")).toContain(`photo: ${photo}: not found yet`);
  }
});

it("how far every figure of one's own is from home is told at all times", async () => {
  let page = await atTable(written("winding"));
  const signs = () => page.all("[data-way-home]").map((sign) => [sign.dataset.wayHome, sign.children[0].textContent]);
  await page.see("[data-way-home]");
  expect(signs()).toEqual([
    ["archaeologist", "⌂1"],
    ["helper", "⌂2"],
  ]);
  // Nothing of the kind lies over a figure that is just walking.
  await page.press('[data-action="walk b2"]');
  await page.until(() => signs().length === 1, "both stand on b2");
  expect(signs()).toEqual([["archaeologist", "⌂2"]]);
  // While others play, too; and whoever has been cut off knows it, and by whom.
  page = await atTable(written("cut-off"));
  await page.press(END);
  await page.read("Ben cuts your archaeologist on b3 off from home!");
  await page.until(() => page.all("[data-way-home].none").length === 2, "no way home");
  expect(signs()).toEqual([
    ["archaeologist", "⌂✕"],
    ["helper", "⌂✕"],
  ]);
  expect(page.texts('[data-pick="archaeologist"] .brief')).toEqual(["no way home"]);
});

it("the way home, the rings and a fatal end are told", async () => {
  const page = await atTable(written("counting-down"));
  const brief = await page.see('[data-pick="archaeologist"] .brief');
  expect(page.text('[data-pick="archaeologist"] .brief')).toBe("⌂ 4 · safe");
  expect(brief.title).toBe("4 moves home, 3 turns left: safe. If nobody takes the mask or moves a wall.");
  const rings = page.texts(".falls").map((text) => text.split(" ")[0]);
  expect(rings.filter((ring) => ring === "1")).toHaveLength(1);
  expect(rings).toHaveLength(35);
  await page.press(END);
  await page.read("If you end the turn now, your helper is lost.");
  // What had better not be done is not the main button, nor under the key that is pressed next.
  expect(page.texts("[role=dialog] .main")).toEqual(["Go on with my turn"]);
  expect(document.activeElement).toBe(page.button("Go on with my turn"));
  await page.press(page.button("Go on with my turn"));
  expect(page.has("If you end the turn now, your helper is lost.")).toBe(false);
  // Turning this tile would shut Ben in, and says so before it is done.
  await page.press('[data-pick="helper"]');
  await page.press('[data-action="walk d5"]');
  await page.see('[data-why="a1"]');
  await page.press('[data-pick="turn"]');
  await page.press('[data-action="turn d5"]');
  expect(page.named("button", "Turn it like this")).toHaveLength(2);
  await page.read("Ben: the archaeologist would have no way home.");
  await page.press('[data-why="a1"]');
  expect(page.all("[data-tick]")).toEqual([]);
});

it("a fatal end for both figures is one sentence", async () => {
  let page = await atTable(written("counting-down-both"));
  await page.see(".falls");
  await page.press(END);
  await page.until(
    () => page.named("dialog", "If you end the turn now, both your figures are lost.").length === 1,
    "the warning",
  );
  // Whoever is lost already needs no warning, but the word.
  page = await atTable(written("counting-down-one-lost"));
  await page.see(".falls");
  expect(page.text('[data-pick="helper"]')).toContain("lost");
});

it("ways are drawn for fingers too", async () => {
  const page = await atTable(written("winding-lit"));
  // Where a lamp can be put up, and how far the lit run goes, is seen without pointing at anything.
  await page.see(`[data-lamp="${CELLS.indexOf("b2")}"]`);
  expect(page.all("polyline.run")).toHaveLength(2);
  // Whoever touches the figure in hand is shown what a chamber would wake.
  await page.press('[data-pick="archaeologist"]');
  expect(page.all("path.omen")).toHaveLength(1);
  expect(bubble(page)).toContain("Mummy or curse would come along the dashed violet way.");
  await page.press('[data-pick="helper"]');
  expect(page.all("path.omen")).toEqual([]);
});

it("rivals' ways home are shown", async () => {
  let page = await atTable(written("counting-down"));
  await page.see("[data-why]");
  await page.press(page.button("Show Ben on the board"));
  expect(page.all("[data-home]")).toHaveLength(2);
  expect(page.one('[data-home="1 archaeologist"]').getAttribute("points")?.split(" ")).toHaveLength(6);
  expect(bubble(page)).toBe(
    "Archaeologist of Ben: 5 moves home, 1 turn left: safe. Helper of Ben: 2 moves home, 3 turns left: safe.",
  );
  // On the board, too, where somebody stands; and before anything falls.
  page = await atTable(written("winding-bens-turn"));
  await page.press(await page.see('[data-why="b4"]'));
  expect(page.all('[data-home="0 archaeologist"]')).toHaveLength(1);
  expect(bubble(page)).toBe("Ben’s turn Archaeologist: 3 moves home.");
  await page.press('[data-why="a1"]');
  expect(page.all("[data-home]")).toEqual([]);
  expect(bubble(page)).toBe("Ben’s turn");
});

it("arrow keys come to every cell", async () => {
  const page = await atTable(written("winding-end"));
  const focused = () => document.activeElement?.getAttribute("data-why");
  await page.see("[data-why]");
  await page.key("b");
  expect(document.activeElement?.closest("[data-cell]")).not.toBeNull();
  await page.focus('[data-action="walk b2"]');
  for (const key of ["ArrowLeft", "ArrowDown", "Enter"]) await page.key(key);
  expect(focused()).toBe("a1");
  expect(bubble(page)).toBe("a1 is not next to your archaeologist.");
  // While others play there is nothing to be done anywhere, and that is said.
  await page.press(END);
  await page.read("Ben is thinking");
  await page.press(await page.see('[data-why="a6"]'));
  expect(bubble(page)).toBe("Ben’s turn");
  await page.focus('[data-why="c1"][tabindex="0"]');
  await page.key("ArrowUp");
  await page.key("Enter");
  expect(focused()).toBe("c2");
  expect(bubble(page)).toContain("Ben’s turn");
});

it("a turn does not end before its warning has come", async () => {
  const script = written("counting-down");
  let tell: (advice: Response) => void = () => undefined;
  const late = new Promise<Response>((done) => (tell = done));
  const page = await atTable(script, { answers: { "/api/tables/case/advice": () => late } });
  await page.press(END);
  expect(Wire.last.said).toEqual([]);
  tell(new Response(JSON.stringify(script.steps[0].advice)));
  await page.read("If you end the turn now, your helper is lost.");
  expect(Wire.last.said).toEqual([]);
});

it("a table by the book tells nothing", async () => {
  const page = await atTable(written("by-the-book"));
  // Neither a touch of a cell nor one of a figure asks for anything.
  await page.press("[data-cell='35']");
  await page.press('[data-pick="helper"]');
  await page.pass(1000);
  expect(page.all("[data-why], [data-go], [data-bubble]")).toEqual([]);
  // How many photos are left can be counted; what they show is for those who remember.
  await page.press("details summary");
  expect(page.text("details")).toContain("5 photos");
  expect(page.text("details")).not.toContain("photo:");
  expect(page.asked.filter(({ path }) => path.includes("/advice"))).toEqual([]);
});
