import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Habits } from "../../../src/games/camelup/heldTile.svelte";
import type { Action, Odds } from "../../../src/games/camelup/messages";
import { Turn } from "../../../src/games/camelup/turn.svelte";
import { chooseLanguage, learnWords } from "../../../src/i18n/language.svelte";

vi.stubGlobal("document", { documentElement: {} });
beforeAll(async () => {
  await chooseLanguage("en");
  await learnWords("camelup");
});

const BLUE = 0;
const WHITE = 4;
const CLICK = { detail: 1 };
const KEY = { detail: 0 };
const ACTIONS: Action[] = [
  { type: "roll" },
  { type: "leg", camel: BLUE },
  { type: "winner", camel: BLUE },
  { type: "loser", camel: BLUE },
  { type: "winner", camel: WHITE },
  ...[7, 3, 12, 16].flatMap((space): Action[] => [
    { type: "oasis", space },
    { type: "mirage", space },
  ]),
];

/** A turn, all that was done on it, and where the focus went. */
function turnWith({
  actions = ACTIONS,
  careful = false,
  odds = null,
  habits = { byKeys: false, oasis: true },
}: { actions?: Action[]; careful?: boolean; odds?: Odds | null; habits?: Habits } = {}) {
  const done: Action[] = [];
  const focused: string[] = [];
  const turn = new Turn(actions, {
    habits,
    act: (action) => done.push(action),
    odds: () => odds,
    careful: () => careful,
    focus: (action) => focused.push(action),
  });
  return { turn, tile: turn.tile, done, focused };
}

const worths = (actions: Record<string, number>): Odds => ({ leg: {}, race: {}, actions }) as unknown as Odds;

describe("rolling", () => {
  it("is done at once", () => {
    const { turn, done } = turnWith();
    turn.roll();
    expect(done).toEqual([{ type: "roll" }]);
    expect(turn.question).toBeNull();
  });

  it("is asked about where somebody is careful, and left by closing the question", () => {
    const { turn, done } = turnWith({ careful: true });
    turn.roll();
    expect(done).toEqual([]);
    expect(turn.question?.choices.map((choice) => choice.label)).toEqual(["Shake the pyramid"]);
    turn.close();
    expect(turn.question).toBeNull();
    turn.roll();
    turn.question?.choices[0].choose();
    expect(done).toEqual([{ type: "roll" }]);
  });

  it("does nothing where it is not on offer", () => {
    const { turn, done } = turnWith({ actions: [], careful: true });
    turn.roll();
    expect(turn.question).toBeNull();
    expect(done).toEqual([]);
  });
});

describe("a leg tile", () => {
  it("is taken at once, and only if it is on offer", () => {
    const { turn, done } = turnWith();
    turn.takeLegTile(WHITE);
    turn.takeLegTile(BLUE);
    expect(done).toEqual([{ type: "leg", camel: BLUE }]);
  });
});

describe("a race card", () => {
  it("is lifted, and laid on the deck that is chosen", () => {
    const { turn, done } = turnWith();
    turn.pickCard(BLUE);
    expect(turn.card).toBe(BLUE);
    expect(turn.question?.choices.map((choice) => choice.name)).toEqual(["winner", "loser"]);
    turn.layCard("loser");
    expect(done).toEqual([{ type: "loser", camel: BLUE }]);
    expect(turn.card).toBeNull();
    expect(turn.question).toBeNull();
  });

  it("is also laid by answering the question, which offers only the decks that are open", () => {
    const { turn, done } = turnWith();
    turn.pickCard(WHITE);
    expect(turn.question?.choices.map((choice) => choice.name)).toEqual(["winner"]);
    expect([turn.canLay("winner"), turn.canLay("loser")]).toEqual([true, false]);
    turn.question?.choices[0].choose();
    expect(done).toEqual([{ type: "winner", camel: WHITE }]);
  });

  it("stays in the hand where it may not be laid", () => {
    const { turn } = turnWith();
    turn.pickCard(2);
    expect(turn.card).toBeNull();
    expect(turn.cards).toEqual([BLUE, WHITE]);
  });

  it("is chosen under a cover where all look at one screen: nobody sees which is lifted, and nothing is asked", () => {
    const { turn, done } = turnWith();
    expect(turn.hiddenCard).toBeUndefined();
    turn.pickFaceDown();
    expect(turn.hiddenCard).toBeNull();
    expect(turn.canLay("winner")).toBe(false);
    turn.pickCard(WHITE);
    expect([turn.hiddenCard, turn.card, turn.question]).toEqual([WHITE, null, null]);
    turn.layCard("winner");
    expect(done).toEqual([{ type: "winner", camel: WHITE }]);
    expect(turn.hiddenCard).toBeUndefined();
  });

  it("is not chosen under a cover where none may be laid", () => {
    const { turn } = turnWith({ actions: [{ type: "roll" }] });
    turn.pickFaceDown();
    expect(turn.hiddenCard).toBeUndefined();
  });
});

describe("what something is worth", () => {
  it("is told with the decks where the odds are known", () => {
    const { turn } = turnWith({ odds: worths({ "winner blue": 1.25, "loser blue": -0.5 }) });
    turn.pickCard(BLUE);
    expect(turn.question?.choices.map((choice) => choice.hint)).toEqual(["worth about +1.3", "worth about −0.5"]);
  });

  it("is not told where no odds are known, or not of this action", () => {
    const { turn } = turnWith();
    turn.pickCard(BLUE);
    expect(turn.question?.choices.map((choice) => choice.hint)).toEqual([undefined, undefined]);
    const other = turnWith({ odds: worths({ "oasis 3": 0.7 }) });
    expect(other.turn.worth(other.tile.laying(3, true))).toBe("worth about +0.7");
    expect(other.turn.worth(other.tile.laying(3, false))).toBeUndefined();
    expect(other.turn.worth(other.tile.laying(4, true))).toBeUndefined();
  });
});

describe("the desert tile", () => {
  it("is taken by a click, tried on spaces, turned over where it lies, and laid", () => {
    const { tile, done, focused } = turnWith();
    tile.press(CLICK);
    expect([tile.held, tile.space]).toEqual([true, null]);
    tile.pressSpace(CLICK, 7);
    tile.pressSpace(CLICK, 12);
    expect([tile.space, tile.oasis]).toEqual([12, true]);
    tile.pressSpace(CLICK, 12);
    expect([tile.space, tile.oasis]).toEqual([12, false]);
    tile.lay();
    expect(done).toEqual([{ type: "mirage", space: 12 }]);
    expect(tile.held).toBe(false);
    expect(focused).toEqual([]);
  });

  it("lies on no space that is not free, and is not laid before it lies", () => {
    const { tile, done } = turnWith();
    tile.press(CLICK);
    tile.pressSpace(CLICK, 4);
    tile.lay();
    expect(tile.space).toBeNull();
    expect(done).toEqual([]);
  });

  it("taken by keys lies on the first free space, and the focus goes there", () => {
    const { tile, focused } = turnWith();
    tile.press(KEY, false);
    expect([tile.space, tile.oasis]).toEqual([3, false]);
    expect(focused).toEqual(["desert 3"]);
  });

  it("goes by keys along the track and to the space of a number, is turned, and laid where the focus is", () => {
    const { tile, done, focused } = turnWith();
    tile.press(KEY);
    // Along the lower side the track leads to the left.
    expect(tile.pressKey("ArrowLeft", 3)).toBe(true);
    expect(tile.space).toBe(7);
    tile.pressKey("1", 7);
    tile.pressKey("6", 7);
    expect(tile.space).toBe(16);
    tile.pressKey("9", 16);
    expect(tile.space, "space 9 is not free").toBe(16);
    tile.pressKey("t", 16);
    expect(tile.oasis).toBe(false);
    tile.pressKey("O", 16);
    expect(tile.oasis).toBe(true);
    expect(tile.pressKey("x", 16)).toBe(false);
    expect(tile.pressKey("Enter", 7), "Enter elsewhere presses what is there").toBe(false);
    expect(tile.pressKey("Enter", 16)).toBe(true);
    expect(done).toEqual([{ type: "oasis", space: 16 }]);
    expect(focused).toEqual(["desert 3", "desert 7", "desert 16"]);
  });

  it("hears no keys while it is not held", () => {
    const { tile } = turnWith();
    expect(tile.pressKey("ArrowLeft", 3)).toBe(false);
    expect(tile.pressKey("t", 3)).toBe(false);
    expect(tile.oasis).toBe(true);
  });

  it("is put back by another press; with keys the focus goes back to it", () => {
    const habits = { byKeys: false, oasis: true };
    const { tile, focused } = turnWith({ habits });
    tile.press(CLICK);
    tile.pressSpace(CLICK, 7);
    tile.press(CLICK);
    expect([tile.held, tile.space]).toEqual([false, null]);
    habits.byKeys = true;
    tile.press(KEY);
    tile.press(KEY);
    expect(focused).toEqual(["desert 3", "tile"]);
  });

  it("stays where it was dragged to: the click that ends a drag does nothing more", () => {
    const { tile } = turnWith();
    tile.take();
    tile.space = 7;
    tile.dragged = true;
    tile.pressSpace(CLICK, 7);
    expect([tile.space, tile.oasis]).toEqual([7, true]);
    tile.pressSpace(CLICK, 7);
    expect(tile.oasis).toBe(false);
  });

  it("cannot be taken where it may be laid nowhere", () => {
    const { tile, focused } = turnWith({ actions: [{ type: "roll" }] });
    tile.press(CLICK);
    tile.press(KEY);
    tile.take();
    expect([tile.able, tile.held, focused]).toEqual([false, false, []]);
  });

  it("overtaken by events is in hand again on the next turn, with the same face up", () => {
    const habits = { byKeys: false, oasis: true };
    const before = turnWith({ habits });
    before.tile.press(CLICK);
    before.tile.turn();
    const after = turnWith({ habits });
    expect([after.tile.held, after.tile.space, after.tile.oasis]).toEqual([false, null, false]);
    expect(after.turn.question).toBeNull();
  });
});
