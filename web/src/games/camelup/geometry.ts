/** Where things are drawn on the board, in the units of its 780 × 780 drawing. */
import { LAST_SPACE, SPACES } from "./pieces";

export const BOARD = 780;
/** How far what is in the air lies above all that stands, for the eye. */
export const AIRBORNE = 50;
const RIM = 21;
export const CELL = 138;
const PITCH = 150;

/** The camel's drawing: how wide and high one is, and how far its back lies above its feet. */
export const CAMEL = { width: 108, height: 84, back: 37 };
const FEET = 7;
/** How much nearer to the edge before it than to the one behind it a camel stands: the space's number is behind it. */
const FORWARD = 6;
/** A stack may stick out over the upper edge of its space by `OVER_SPACE`, and out of the board by `OVER_EDGE`. */
const OVER_SPACE = 64;
const OVER_EDGE = 28;

export interface Point {
  x: number;
  y: number;
}

/** Row and column of a space on the 5 × 5 grid: from the lower right corner clockwise, as the camels run. */
export function gridPlace(space: number): { row: number; column: number } {
  const step = (space - 1) % LAST_SPACE;
  if (step < 4) return { row: 4, column: 4 - step };
  if (step < 8) return { row: 8 - step, column: 0 };
  if (step < 12) return { row: 0, column: step - 8 };
  return { row: step - 12, column: 4 };
}

export function corner(space: number): Point {
  const { row, column } = gridPlace(space);
  return { x: RIM + PITCH * column, y: RIM + PITCH * row };
}

/** The space at a point; those beside each other share the gap between them. */
export function spaceAt({ x, y }: Point): number | null {
  const half = PITCH / 2;
  const found = SPACES.find((space) => {
    const middle = centre(space);
    return Math.abs(x - middle.x) <= half && Math.abs(y - middle.y) <= half;
  });
  return found ?? null;
}

export function centre(space: number): Point {
  const { x, y } = corner(space);
  return { x: x + CELL / 2, y: y + CELL / 2 };
}

const ARROWS: Record<string, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** Where an arrow key leads from a space, going round the track from one of these to the next; null for other keys. */
export function along(key: string, from: number, spaces: readonly number[]): number | null {
  const arrow = ARROWS[key];
  if (arrow === undefined || spaces.length === 0) return null;
  const next = spaces.find((space) => space > from) ?? spaces[0];
  const before = spaces.findLast((space) => space < from) ?? spaces[spaces.length - 1];
  // The track says which way is on and which is back: at a corner the arrow that led there leads on.
  const here = gridPlace(from);
  const [ahead, behind] = [from + 1, from + LAST_SPACE - 1]
    .map(gridPlace)
    .map(({ row, column }) => (column - here.column) * arrow.x + (row - here.row) * arrow.y);
  if (ahead === behind) return null;
  return ahead > behind ? next : before;
}

/** A length on the board, in parts of the board's width. */
export function share(units: number): string {
  return `${(units * 100) / BOARD}%`;
}

/** Which way a camel on this space looks: along the lower and right side to the left, elsewhere to the right. */
export function facesLeft(space: number): boolean {
  const { row, column } = gridPlace(space);
  return row === 4 ? column > 0 : column === 4 && row > 0;
}

/** How far apart the camels of a stack of this height stand above each other. */
export function stackPitch(space: number, height: number): number {
  if (height < 2) return CAMEL.back;
  const room = CELL - FEET - CAMEL.height + (gridPlace(space).row === 0 ? RIM + OVER_EDGE : OVER_SPACE);
  return Math.min(CAMEL.back, room / (height - 1));
}

/** The upper left corner of a camel's drawing, standing at `level` (0 lowest) of a stack `height` camels high. */
export function camelCorner(space: number, level: number, height: number): Point {
  const { x, y } = corner(space);
  // A camel beyond the line stands on the spaces it would come to next, a little further in than one still there.
  const beyond = space > LAST_SPACE ? 16 : 0;
  return {
    x: x + (CELL - CAMEL.width) / 2 + (facesLeft(space) ? -FORWARD : FORWARD) + beyond,
    y: y + CELL - FEET - CAMEL.height - level * stackPitch(space, height) - beyond,
  };
}
