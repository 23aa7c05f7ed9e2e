import { describe, expect, it } from "vitest";
import {
  along,
  BOARD,
  CAMEL,
  camelCorner,
  centre,
  corner,
  facesLeft,
  gridPlace,
  spaceAt,
  stackPitch,
} from "../../../src/games/camelup/geometry";

const SPACES = Array.from({ length: 16 }, (_, index) => index + 1);

describe("the board", () => {
  it("runs clockwise from the lower right corner, each space beside the one before", () => {
    expect(gridPlace(1)).toEqual({ row: 4, column: 4 });
    expect(gridPlace(5)).toEqual({ row: 4, column: 0 });
    expect(gridPlace(9)).toEqual({ row: 0, column: 0 });
    expect(gridPlace(13)).toEqual({ row: 0, column: 4 });
    expect(gridPlace(16)).toEqual({ row: 3, column: 4 });
    for (const space of SPACES) {
      const [a, b] = [gridPlace(space), gridPlace(space + 1)];
      expect(Math.abs(a.row - b.row) + Math.abs(a.column - b.column)).toBe(1);
    }
  });

  it("lets camels look the way they run", () => {
    expect([2, 4].map(facesLeft)).toEqual([true, true]);
    expect([6, 10, 12].map(facesLeft)).toEqual([false, false, false]);
    expect([14, 16].map(facesLeft)).toEqual([true, true]);
  });
});

describe("a stack", () => {
  it("stands with its feet in its space and never leaves the page, five high anywhere", () => {
    for (const space of SPACES) {
      const { x, y } = corner(space);
      const foot = camelCorner(space, 0, 5);
      expect(foot.y + CAMEL.height).toBeLessThanOrEqual(y + 138);
      expect(foot.x).toBeGreaterThanOrEqual(x);
      expect(foot.x + CAMEL.width).toBeLessThanOrEqual(x + 138);
      expect(camelCorner(space, 4, 5).y).toBeGreaterThan(-BOARD * 0.05);
    }
  });

  it("leaves the corner behind it to the number of its space", () => {
    for (const space of SPACES) {
      const { x } = corner(space);
      const camel = camelCorner(space, 2, 3);
      const behind = facesLeft(space) ? x + 138 - camel.x - CAMEL.width : camel.x - x;
      expect(behind).toBeGreaterThanOrEqual(20);
    }
  });

  it("shows enough of every camel to know its colour and symbol", () => {
    for (const space of SPACES) {
      for (let height = 2; height <= 5; height += 1) expect(stackPitch(space, height)).toBeGreaterThanOrEqual(22);
    }
  });

  it("puts each camel on the back of the one below while there is room", () => {
    const [low, high] = [camelCorner(7, 0, 3), camelCorner(7, 1, 3)];
    expect(low.y - high.y).toBe(CAMEL.back);
    expect(low.x).toBe(high.x);
  });
});

describe("a tile that is carried", () => {
  it("is over the space whose middle is near, and over none in the middle of the board", () => {
    for (const space of SPACES) {
      const { x, y } = centre(space);
      expect([spaceAt({ x, y }), spaceAt({ x: x + 70, y: y - 70 })]).toEqual([space, space]);
    }
    expect(spaceAt({ x: BOARD / 2, y: BOARD / 2 })).toBeNull();
    expect(spaceAt({ x: -40, y: 20 })).toBeNull();
  });

  it("goes along the track by arrows, round every corner, past spaces where it may not lie", () => {
    const free = [2, 4, 6, 9, 12, 13, 16];
    const walk = (...arrows: string[]) => arrows.reduce((at, arrow) => along(`Arrow${arrow}`, at, free) ?? at, 2);
    expect(walk("Left")).toBe(4);
    expect(walk("Left", "Left")).toBe(6);
    expect(walk("Left", "Left", "Up", "Right", "Right", "Right")).toBe(16);
    expect(walk("Right")).toBe(16);
    expect(walk("Up")).toBe(2);
    expect(walk("Right", "Down")).toBe(2);
    expect(along("Enter", 2, free)).toBeNull();
  });
});
