import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/games/pharaoh/messages";
import {
  advised,
  canMove,
  cellOffers,
  deeds,
  firstWay,
  nextWay,
  nothingButEnd,
  offersOf,
} from "../../../src/games/pharaoh/offers";
import { cellName } from "../../../src/games/pharaoh/pieces";
import { C1, C2, C3, view } from "./view";

describe("what is on offer", () => {
  const actions: Action[] = [
    { type: "archaeologist", cell: C2 },
    { type: "helper", cell: C1 },
    { type: "helper", cell: C3 },
    { type: "reveal", cell: 3 },
    { type: "turn", cell: C2, openings: 0b1010 },
    { type: "turn", cell: C3, openings: 0b0110 },
    { type: "turn", cell: C3, openings: 0b1100 },
    { type: "lamp" },
    { type: "take", value: 3 },
    { type: "steal", seat: 1 },
    { type: "end" },
  ];
  const offers = offersOf(actions);
  const kinds = (figure: "archaeologist" | "helper", turning: boolean, other = -1) =>
    Object.fromEntries(
      [...cellOffers(offers, figure, turning, other)].map(([cell, { kind }]) => [cellName(cell), kind]),
    );

  it("lights up the picked figure's cells", () => {
    expect(kinds("archaeologist", false)).toEqual({ d1: "reveal", c2: "walk" });
    expect(kinds("helper", false)).toEqual({ c1: "walk", c2: "turn", c3: "walk" });
  });

  it("turns tiles instead of walking on them when asked to", () => {
    expect(kinds("helper", true)).toEqual({ c2: "turn", c3: "turn" });
  });

  it("picks the other figure by its cell unless something else is to be done there", () => {
    expect(kinds("archaeologist", false, 20)).toEqual({ c4: "pick", d1: "reveal", c2: "walk" });
    expect(kinds("archaeologist", false, C2)).toEqual({ d1: "reveal", c2: "walk" });
  });

  it("adds far cells of the picked figure, and an answer everywhere else", () => {
    const far = { cell: 20, steps: [C2, 20], way: [C1, C2, 20] };
    const reach = [
      { figure: "archaeologist", ...far },
      { figure: "helper", ...far, cell: 26 },
    ] as const;
    const whole = advised(
      cellOffers(offers, "archaeologist", false, -1),
      reach.map((one) => ({ ...one, steps: [...one.steps], way: [...one.way] })),
      "archaeologist",
    );
    expect(whole.size).toBe(36);
    const kinds = [...whole]
      .filter(([, { kind }]) => kind !== "why")
      .map(([cell, { kind }]) => `${cellName(cell)} ${kind}`);
    expect(kinds.sort()).toEqual(["c2 walk", "c4 go", "d1 reveal"]);
    const near = { figure: "archaeologist" as const, cell: C2, steps: [C2], way: [C1, C2] };
    expect(advised(cellOffers(offers, "archaeologist", false, -1), [near], "archaeologist").get(C2)).toEqual({
      kind: "walk",
      action: actions[0],
      moves: 1,
    });
  });

  it("says what each figure can do", () => {
    expect(deeds(offers, "archaeologist")).toEqual(["walk", "reveal"]);
    expect(deeds(offers, "helper")).toEqual(["walk", "turn", "lamp"]);
    expect(deeds(offersOf([{ type: "unlamp" }, { type: "end" }]), "helper")).toEqual(["lamp"]);
  });

  it("says which figure can move, and when nothing but the end is left", () => {
    expect([canMove(offers, "archaeologist"), canMove(offers, "helper")]).toEqual([true, true]);
    const rest = offersOf([{ type: "take", value: 2 }, { type: "end" }]);
    expect([canMove(rest, "archaeologist"), canMove(rest, "helper")]).toEqual([false, false]);
    expect(nothingButEnd([{ type: "end" }])).toBe(true);
    expect(nothingButEnd([{ type: "drop" }, { type: "end" }])).toBe(false);
    expect(nothingButEnd([])).toBe(false);
  });

  it("turns a tile on clockwise through the ways it may lie", () => {
    const ways = [{ openings: 0b0011 }, { openings: 0b0110 }, { openings: 0b1100 }, { openings: 0b1001 }];
    expect(nextWay(ways, 0b0011)).toBe(ways[1]);
    expect(nextWay(ways, 0b1001)).toBe(ways[0]);
    expect(nextWay(ways.slice(0, 2), 0b0110)).toBe(ways[0]);
    expect(nextWay([{ openings: 0b1010 }], 0b0101).openings).toBe(0b1010);
  });
});

describe("how a tile lies first", () => {
  const [E5, E6, F5, F6] = [28, 34, 29, 35];
  const CORNERS = [0b0011, 0b0110, 0b1100, 0b1001].map((openings) => ({ openings }));
  const TEES = [0b0111, 0b1110, 0b1101, 0b1011].map((openings) => ({ openings }));
  const first = (ways: typeof CORNERS, cell: number, from: number, tiles = view().tiles) =>
    firstWay(ways, tiles, cell, from).openings;

  it("is open to where one comes from, and never leads off the board", () => {
    // From e6, in the top row, to the corner of the board: west and south, not west and north.
    expect(first(CORNERS, F6, E6)).toBe(0b1100);
    expect(first(CORNERS, F6, F5)).toBe(0b1100);
    expect(first(TEES, E6, F6)).toBe(0b1110);
  });

  it("leads to what nobody has seen rather than to what lies open, and there rather to a way than to a wall", () => {
    const tiles = view().tiles.with(E6, 0b0010);
    expect(first(CORNERS, E5, F5, tiles)).toBe(0b0110);
    expect(first(TEES, E5, F5, tiles)).toBe(0b1110);
    const known = view().tiles.map(() => 0b1010);
    expect(first(CORNERS, E5, F5, known.with(E6, 0b0100))).toBe(0b0011);
    expect(first(CORNERS, E5, F5, known.with(E5 - 6, 0b0001))).toBe(0b0110);
  });
});
