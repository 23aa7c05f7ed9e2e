import { describe, expect, it } from "vitest";
import {
  CELL,
  corner,
  nearestAngle,
  neighbourIn,
  RIM,
  sideTowards,
  standings,
} from "../../../src/games/pharaoh/geometry";
import { NOTHING_LIT } from "../../../src/games/pharaoh/lit";
import type { Event } from "../../../src/games/pharaoh/messages";
import { aboutEntry } from "../../../src/games/pharaoh/pointing";
import { cellName, drawingOf, quarterTurn, READING_ORDER, sidesOf } from "../../../src/games/pharaoh/pieces";
import { C1, C2, C3, view } from "./view";

describe("the pyramid", () => {
  it("is read from the top row down, each row from west to east", () => {
    expect(READING_ORDER.slice(0, 3).map(cellName)).toEqual(["a6", "b6", "c6"]);
    expect(READING_ORDER.slice(-2).map(cellName)).toEqual(["e1", "f1"]);
  });

  it("fills the frame, a1 in the lower left corner", () => {
    expect(corner(0)).toEqual({ x: RIM, y: RIM + 5 * CELL });
    expect(corner(35).x + CELL).toBeCloseTo(100 - RIM);
    expect(corner(35).y).toBe(RIM);
  });

  it("leaves a touchable 44 pixels to every cell on the narrowest phone", () => {
    expect(((360 - 2 * 8) * CELL) / 100).toBeGreaterThanOrEqual(44);
  });

  it("draws every way a passage can lie", () => {
    expect(drawingOf(0b0011)).toEqual({ passage: "corner", angle: 0 });
    expect(drawingOf(0b1001)).toEqual({ passage: "corner", angle: 270 });
    expect(drawingOf(0b1010)).toEqual({ passage: "straight", angle: 90 });
    expect(drawingOf(0b1110)).toEqual({ passage: "tee", angle: 90 });
    for (let openings = 1; openings < 15; openings += 1) {
      const open = sidesOf(openings).length;
      if (open === 2 || open === 3) expect(sidesOf(quarterTurn(openings))).toHaveLength(open);
    }
  });

  it("turns a tile the short way round", () => {
    expect(nearestAngle(270, 0)).toBe(360);
    expect(nearestAngle(0, 270)).toBe(-90);
    expect(nearestAngle(360, 90)).toBe(450);
  });

  it("finds the next cell for an arrow key, straight ahead first", () => {
    const up = { x: 0, y: -1 };
    expect(neighbourIn(up, C1, [C2, C3, 7])).toBe(C2);
    expect(neighbourIn(up, C3, [C1, C2])).toBeNull();
    expect(neighbourIn({ x: 1, y: 0 }, 0, [7, C1])).toBe(C1);
  });

  it("knows on which side a neighbour lies", () => {
    expect([C2, 3, 1].map((cell) => sideTowards(C1, cell))).toEqual([1, 2, 8]);
    expect(sideTowards(C2, C1)).toBe(4);
    expect(sideTowards(C1, C3)).toBe(0);
  });
});

describe("figures", () => {
  it("are drawn smaller only where two of a seat share its corner, and lost ones not at all", () => {
    const [lone] = standings(view({ archaeologists: [C2, -1], helpers: [-1, -1] }));
    const crowd = standings(view({ archaeologists: [C1, C1, C1, C1], helpers: [C1, C1, C1, C1] }));
    expect(crowd).toHaveLength(8);
    expect(crowd[0].width).toBeLessThan(lone.width);
    expect(standings(view({ archaeologists: [-1, -1], helpers: [-1, -1] }))).toEqual([]);
  });
});

describe("a line of the story", () => {
  const lit = (back: boolean, ...events: Event[]) => aboutEntry({ back, events });
  const walked: Event = { type: "walked", seat: 1, figure: "helper", way: [C1, C2, C3] };

  it("lights up where its events happened, and whom they moved", () => {
    expect(lit(false, walked)).toEqual({ cells: [C2, C3], figures: [{ seat: 1, figure: "helper" }], seat: null });
    expect(
      lit(false, { type: "ring_fell", ring: 1, cells: [3, 4], unseen: 0 }, { type: "chamber_fell", cell: 4 }).cells,
    ).toEqual([3, 4]);
    expect(lit(false, { type: "mummy_woke", seat: 0, way: [C3, C2, C1] }).cells).toEqual([C3, C2, C1]);
    expect(
      lit(false, { type: "treasure_stolen", seat: 0, victim: 1, cell: C2, value: 3 }).figures.map(({ seat }) => seat),
    ).toEqual([0, 1]);
  });

  it("lights up nothing where nothing has a place, or all was taken back", () => {
    expect(lit(false, { type: "turn_began", seat: 0, round: 2 })).toEqual(NOTHING_LIT);
    expect(lit(true, walked)).toEqual(NOTHING_LIT);
  });
});
