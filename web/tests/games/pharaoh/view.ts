/** A pyramid for two in which nothing has happened yet, changed as a test needs it. */
import type { PharaohState } from "../../../src/games/pharaoh/messages";
import { CELLS, START } from "../../../src/games/pharaoh/pieces";

/** The start tile, and the two cells north of it. */
export const [C1, C2, C3] = [2, 8, 14];

export function view(more: Partial<PharaohState> = {}): PharaohState {
  return {
    actor: 0,
    options: {},
    round: 1,
    turn: 0,
    moves_left: 3,
    acts_left: 12,
    plies: 0,
    tiles: CELLS.map((cell) => (cell === C1 ? START : 0)),
    unseen: [12, 10, 8, 1, 1, 1, 1, 1],
    site: -1,
    drawn: -1,
    photo: 0,
    due: 0,
    photos: [-1, -1, -1, -1, -1],
    stack: [4, 4],
    lying: [],
    lost: [],
    archaeologists: [C1, C1],
    helpers: [C1, C1],
    carried: [0, 0],
    lamps: [[], []],
    supplies: [5, 5],
    museums: [[], []],
    points: [0, 0],
    changed: [0, 0],
    mask_chamber: -1,
    finder: -1,
    countdown: 0,
    clock: -1,
    ring: 0,
    falls: [],
    stirred: 0,
    ...more,
  };
}
