import { describe, expect, it } from "vitest";
import { facts, label, plain, tell } from "../../src/i18n/plain";

describe("a game the page knows nothing of", () => {
  it("has its actions written close to their notation", () => {
    expect(label({ type: "roll" })).toBe("roll");
    expect(label({ type: "turn", cell: "c4", sides: "NE" })).toBe("turn c4 NE");
    expect(label({ type: "lay", card: null })).toBe("lay –");
  });

  it("has its events told by whom they befell and what they say", () => {
    expect(tell({ type: "die_fell", seat: 1, pips: 4 }, ["Ann", "Ben"])).toBe("Ben: die fell, pips 4.");
    expect(tell({ type: "game_ended", by_seat: [3, 5] }, [])).toBe("game ended, by seat (3, 5).");
  });

  it("has its view in words, without whose turn it is and with its options", () => {
    const view = { actor: 0, options: { target: 100 }, banked: [3, 5], deck: [[0, null]], sealed: [] };
    expect(facts(view)).toEqual([
      ["banked", "3, 5"],
      ["deck", "(0, –)"],
      ["sealed", "–"],
      ["target", "100"],
    ]);
    expect(plain({ left: true, most_rounds: null })).toBe("left true, most rounds –");
  });
});
