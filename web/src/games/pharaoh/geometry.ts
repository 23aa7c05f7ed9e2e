/** Where things are drawn, in hundredths of the board's width. */
import type { PharaohState } from "./messages";
import { CELLS, SIZE, type Figure } from "./pieces";

/** The stone frame round the 36 cells. */
export const RIM = 1.8;
export const CELL = (100 - 2 * RIM) / SIZE;

export interface Point {
  x: number;
  y: number;
}

export function corner(cell: number): Point {
  return { x: RIM + (cell % SIZE) * CELL, y: RIM + (SIZE - 1 - Math.floor(cell / SIZE)) * CELL };
}

export interface Standing extends Point {
  seat: number;
  figure: Figure;
  cell: number;
  /** The figure's width. */
  width: number;
}

/** How tall a figure is for its width. */
export const TALL = 1.34;
/** Widths of the figures in a cell that holds so many, in parts of the cell. */
const WIDTHS = [0, 0.46, 0.42, 0.36, 0.36, 0.32, 0.32, 0.3, 0.3];

/** Every figure's place, so that all that share a cell can be seen; the feet at (x, y). */
export function standings(view: PharaohState): Standing[] {
  return CELLS.flatMap((cell) => {
    const here = figuresOn(view, cell);
    const width = WIDTHS[here.length] * CELL;
    const { x, y } = corner(cell);
    return slots(here.length).map((slot, at) => ({
      ...here[at],
      cell,
      width,
      x: x + slot.x * CELL,
      y: y + slot.y * CELL,
    }));
  });
}

export function figuresOn(view: PharaohState, cell: number): { seat: number; figure: Figure }[] {
  const found: { seat: number; figure: Figure }[] = [];
  view.archaeologists.forEach((place, seat) => {
    if (place === cell) found.push({ seat, figure: "archaeologist" });
  });
  view.helpers.forEach((place, seat) => {
    if (place === cell) found.push({ seat, figure: "helper" });
  });
  return found;
}

/** Places for the feet of so many figures within a cell of size 1: one row for up to three, two rows beyond. */
export function slots(count: number): Point[] {
  if (count <= 3) return row(count, 0.8);
  const back = Math.ceil(count / 2);
  return [...row(back, 0.54), ...row(count - back, 0.93)];
}

function row(count: number, y: number): Point[] {
  const pitch = Math.min(0.36, 0.74 / Math.max(1, count - 1));
  return Array.from({ length: count }, (_, at) => ({ x: 0.5 + (at - (count - 1) / 2) * pitch, y }));
}

/** Lamps stand in the corners of a tile, every seat in its own. */
const LAMP_CORNERS: Point[] = [
  { x: 0.15, y: 0.84 },
  { x: 0.85, y: 0.84 },
  { x: 0.15, y: 0.16 },
  { x: 0.85, y: 0.16 },
];

export function lampPlace(seat: number, cell: number): Point {
  const { x, y } = corner(cell);
  const place = LAMP_CORNERS[seat % LAMP_CORNERS.length];
  return { x: x + place.x * CELL, y: y + place.y * CELL };
}

/** Treasures lie side by side along the upper edge of their cell. */
export function treasurePlace(cell: number, at: number, count: number): Point {
  const { x, y } = corner(cell);
  const pitch = Math.min(0.26, 0.66 / Math.max(1, count - 1));
  return { x: x + (0.5 + (at - (count - 1) / 2) * pitch) * CELL, y: y + 0.19 * CELL };
}

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
