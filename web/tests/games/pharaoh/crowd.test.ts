import { describe, expect, it } from "vitest";
import {
  CELL,
  corner,
  lampPlace,
  MARKER,
  SECOND_MARKER,
  SIGN,
  standings,
  TALL,
  treasurePlace,
} from "../../../src/games/pharaoh/geometry";
import { CELLS, FIRST_CHAMBER, START } from "../../../src/games/pharaoh/pieces";
import { C2, view } from "./view";

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How wide the board is on a phone and on a desktop. */
const BOARDS = [344, 640];
/** The part of a passage that nobody may stand on: a third of it, along its middle. */
const THIRD = 0.06;
const SIDES = [
  { left: 0.5 - THIRD, right: 0.5 + THIRD, top: 0, bottom: 0.5 },
  { left: 0.5, right: 1, top: 0.5 - THIRD, bottom: 0.5 + THIRD },
  { left: 0.5 - THIRD, right: 0.5 + THIRD, top: 0.5, bottom: 1 },
  { left: 0, right: 0.5, top: 0.5 - THIRD, bottom: 0.5 + THIRD },
];
/** Every tile that can be stood on, with its open sides. */
const TILES = [
  ...[3, 5, 6, 7, 9, 10, 11, 12, 13, 14].map((code) => ({ code, open: code })),
  ...[0, 1, 2, 3, 4].map((chamber) => ({ code: FIRST_CHAMBER + chamber, open: 15 })),
  { code: START, open: 15 },
];
/** Every set of figures of four players, as bits: archaeologists, then helpers. */
const CROWDS = Array.from({ length: 256 }, (_, bits) => bits);

function crowd(bits: number, code: number) {
  const at = (bit: number) => ((bits >> bit) & 1 ? C2 : -1);
  return view({
    tiles: CELLS.map((cell) => (cell === C2 ? code : 0)),
    archaeologists: [0, 1, 2, 3].map(at),
    helpers: [4, 5, 6, 7].map(at),
    carried: [2, 2, 2, 2],
    lamps: [[C2], [C2], [C2], [C2]],
    points: [0, 0, 0, 0],
  });
}

/** The box of something in parts of the cell, given in hundredths of the board. */
function box(middle: number, top: number, width: number, height: number): Box {
  const from = corner(C2);
  const [left, above] = [(middle - width / 2 - from.x) / CELL, (top - from.y) / CELL];
  return { left, top: above, right: left + width / CELL, bottom: above + height / CELL };
}

/** Where figures are drawn; what they carry is held before them. */
function figureBoxes(bits: number, code: number): Box[] {
  return standings(crowd(bits, code)).map(({ x, y, width }) => box(x, y - width * TALL, width, width * TALL));
}

/** Whether they share more than a pixel's part of the cell. */
function overlap(one: Box, other: Box, pixel: number): boolean {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > pixel && high > pixel;
}

function around({ x, y, width }: { x: number; y: number; width: number }): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - width / 2, bottom: y + width / 2 };
}

/** How far a box stays from the middle of the cell. */
function clearance(one: Box): number {
  const [x, y] = [Math.max(one.left - 0.5, 0.5 - one.right, 0), Math.max(one.top - 0.5, 0.5 - one.bottom, 0)];
  return Math.hypot(x, y);
}

describe.each(BOARDS)("figures on a board %i pixels wide", (wide) => {
  const pixel = 100 / (wide * CELL);

  it("never cover the middle of a passage, a sign or a marker, however many there are on whichever tile", () => {
    let looked = 0;
    for (const { code, open } of TILES) {
      for (const bits of CROWDS) {
        for (const figure of figureBoxes(bits, code)) {
          const covered = SIDES.filter((side, at) => (open >> at) & 1 && overlap(figure, side, 0));
          const marked = [MARKER, SECOND_MARKER].filter((marker) => overlap(figure, around(marker), 0));
          const hidden = code >= FIRST_CHAMBER && clearance(figure) < SIGN;
          if (covered.length > 0 || marked.length > 0 || hidden)
            throw new Error(`tile ${code}: ${JSON.stringify(figure)}`);
          looked += 1;
        }
      }
    }
    expect(looked).toBe(TILES.length * 1024);
  });

  it("stay on their tile, and leave lamps and treasures in sight", () => {
    for (const bits of CROWDS) {
      const shown = crowd(bits, FIRST_CHAMBER);
      const from = corner(C2);
      const lamps = [0, 1, 2, 3].map((seat) => {
        const { x, y, width } = lampPlace(shown, seat, C2);
        return around({ x: (x - from.x) / CELL, y: (y - from.y) / CELL, width: width / CELL });
      });
      const treasures = [0, 1, 2, 3, 4].map((at) => {
        const { x, y } = treasurePlace(shown, C2, at, 5);
        return around({ x: (x - from.x) / CELL, y: (y - from.y) / CELL, width: 0.24 });
      });
      for (const figure of figureBoxes(bits, FIRST_CHAMBER)) {
        // A hat may reach over the joint to the next tile.
        const out = Math.min(figure.left, figure.top, 1 - figure.right, 1 - figure.bottom) < -0.06;
        const hidden = [...lamps, ...treasures].some((thing) => overlap(figure, thing, pixel));
        if (out || hidden) throw new Error(`figures ${bits}: ${JSON.stringify(figure)}`);
      }
    }
  });

  it("can all be told apart: no two stand within four pixels", () => {
    const crowded = standings(crowd(255, START));
    for (const [at, one] of crowded.entries()) {
      for (const other of crowded.slice(at + 1)) {
        const apart = (Math.hypot(one.x - other.x, one.y - other.y) * wide) / 100;
        expect(apart).toBeGreaterThanOrEqual(4);
      }
    }
  });
});

describe("whoever walks", () => {
  it("has both feet on the way", () => {
    const [walker] = standings(view({ archaeologists: [C2, -1], helpers: [-1, -1] }), {
      seat: 0,
      figure: "archaeologist",
    });
    const from = corner(C2);
    expect((walker.x - from.x) / CELL).toBeCloseTo(0.5);
    expect(Math.abs((walker.y - from.y) / CELL - 0.5)).toBeLessThan(0.12);
  });
});
