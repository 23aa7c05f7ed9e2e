/** Where things are drawn, in hundredths of the board's width. */
import type { PharaohState } from "./messages";
import { CELLS, chamberOf, SIZE, type Figure } from "./pieces";

/** The stone frame round the 36 cells, wide enough for letters and numbers. */
export const RIM = 4;
export const CELL = (100 - 2 * RIM) / SIZE;

export interface Point {
  x: number;
  y: number;
}

export function corner(cell: number): Point {
  return { x: RIM + (cell % SIZE) * CELL, y: RIM + (SIZE - 1 - Math.floor(cell / SIZE)) * CELL };
}

/** A point within a cell, given in parts of it. */
function within(cell: number, x: number, y: number): Point {
  const from = corner(cell);
  return { x: from.x + x * CELL, y: from.y + y * CELL };
}

/** Who stands on a cell. */
export interface Someone {
  seat: number;
  figure: Figure;
}

export interface Standing extends Point, Someone {
  cell: number;
  /** The figure's width. */
  width: number;
  /** Whether it stands at the eastern edge: what it carries is held towards the middle. */
  east: boolean;
}

/** When a cell begins to fall, in parts of the time in which all do. */
export function late(cell: number): number {
  return ((cell * 37) % 15) / 100;
}

/** How tall a figure is for its width. */
export const TALL = 1.34;
/** How wide a figure is in parts of its cell: alone in its corner, and where two share it. */
const ALONE = 0.26;
const PAIRED = 0.2;
/** From the edge of the cell to what stands there, and from one of two in a corner to the other. */
const MARGIN = 0.015;
const PITCH = 0.09;

/**
 * Every seat has a corner of its own on every tile, clear of passages and signs: both its figures stand there, and its
 * lamp. So nobody has to make room for anybody else.
 */
const CORNERS = [
  { east: false, south: true },
  { east: true, south: true },
  { east: false, south: false },
  { east: true, south: false },
];

/** Every figure's place; the feet at (x, y). Whoever walks has both feet on the way. */
export function standings(view: PharaohState, walker: Someone | null = null): Standing[] {
  return CELLS.flatMap((cell) => {
    const here = figuresOn(view, cell);
    return here.map((one) => {
      const { east, south } = CORNERS[one.seat % CORNERS.length];
      if (walker?.seat === one.seat && walker.figure === one.figure) {
        return { ...one, cell, width: ALONE * CELL, east, ...within(cell, 0.5, 0.6) };
      }
      const paired = here.filter(({ seat }) => seat === one.seat).length > 1;
      const width = paired ? PAIRED : ALONE;
      const inwards = MARGIN + width / 2 + (paired && one.figure === "helper" ? PITCH : 0);
      return {
        ...one,
        cell,
        width: width * CELL,
        east,
        ...within(cell, east ? 1 - inwards : inwards, south ? 1.02 : 0.295),
      };
    });
  });
}

export function figuresOn(view: PharaohState, cell: number): Someone[] {
  const found: Someone[] = [];
  view.archaeologists.forEach((place, seat) => {
    if (place === cell) found.push({ seat, figure: "archaeologist" });
  });
  view.helpers.forEach((place, seat) => {
    if (place === cell) found.push({ seat, figure: "helper" });
  });
  return found;
}

/** Where the middle of a lamp is, and how wide it is: in its owner's corner, or beside whoever of them stands there. */
export function lampPlace(view: PharaohState, seat: number, cell: number): Point & { width: number } {
  const { east, south } = CORNERS[seat % CORNERS.length];
  const beside = view.archaeologists[seat] === cell || view.helpers[seat] === cell;
  const width = beside ? 0.14 : 0.25;
  const [x, y] = beside ? [0.085, 0.4] : [0.16, 0.15];
  return { width: width * CELL, ...within(cell, east ? 1 - x : x, south ? 1 - y : y) };
}

/** Where it is told how far a seat's figures on a cell are from home: beside their heads, towards the middle. */
export function homePlace(seat: number, cell: number): Point {
  const { east, south } = CORNERS[seat % CORNERS.length];
  return within(cell, east ? 0.72 : 0.28, south ? 0.62 : 0.34);
}

/** Treasures lie side by side: in a chamber above its sign, elsewhere on the way. */
export function treasurePlace(view: PharaohState, cell: number, at: number, count: number): Point {
  const pitch = Math.min(0.13, 0.16 / Math.max(1, count - 1));
  return within(cell, 0.5 + (at - (count - 1) / 2) * pitch, chamberOf(view.tiles[cell]) === null ? 0.5 : 0.11);
}

/** What tells that something can be done on a tile sits at the middle of its lower edge; what tells of more, of its upper. */
export const MARKER = { x: 0.5, y: 0.89, width: 0.26 };
export const SECOND_MARKER = { x: 0.5, y: 0.11, width: 0.24 };
/** How far from the middle of a chamber its sign reaches. */
export const SIGN = 0.28;

/** The nearest of these cells in a direction of the arrow keys, straight ahead preferred; null if there is none. */
export function neighbourIn(direction: Point, from: number, cells: Iterable<number>): number | null {
  let best: number | null = null;
  let least = Infinity;
  for (const cell of cells) {
    const across = (cell % SIZE) - (from % SIZE);
    const down = Math.floor(from / SIZE) - Math.floor(cell / SIZE);
    const ahead = across * direction.x + down * direction.y;
    const aside = Math.abs(across * direction.y) + Math.abs(down * direction.x);
    const cost = ahead + 2 * aside;
    if (ahead > 0 && cost < least) [best, least] = [cell, cost];
  }
  return best;
}

/** The angle that shows the same as `target` and is the shortest way from `from`. */
export function nearestAngle(from: number, target: number): number {
  return from + ((((target - from) % 360) + 540) % 360) - 180;
}

/** The openings bit of the side on which a neighbouring cell lies; 0 if it is no neighbour. */
export function sideTowards(cell: number, neighbour: number): number {
  const [across, up] = [(neighbour % SIZE) - (cell % SIZE), Math.floor(neighbour / SIZE) - Math.floor(cell / SIZE)];
  if (Math.abs(across) + Math.abs(up) !== 1) return 0;
  return up === 1 ? 1 : across === 1 ? 2 : up === -1 ? 4 : 8;
}

/** How far apart two cells are, as one would step. */
export function distance(one: number, other: number): number {
  return Math.abs((one % SIZE) - (other % SIZE)) + Math.abs(Math.floor(one / SIZE) - Math.floor(other / SIZE));
}
