/** The cases that are drawn, as strips of five spaces. Camels by number: 0 blue, 1 green, 2 orange, 3 yellow, 4 white. */

export interface Frame {
  /** Not what comes next but another case. */
  or?: boolean;
  /** The first of the five spaces. */
  from: number;
  /** By space, from bottom to top. */
  stacks?: Record<number, number[]>;
  tiles?: Record<number, 1 | -1>;
  marks?: Record<number, "yes" | "no">;
  /** A way through the air, from a space to a space. */
  leap?: [number, number];
  /** Camel and number of dice that were drawn. */
  dice?: [number, number][];
}

export const DRAWINGS: Record<string, Frame[]> = {
  carry: [
    { from: 3, stacks: { 4: [1, 2, 3] }, dice: [[2, 2]], leap: [4, 6] },
    { from: 3, stacks: { 4: [1], 6: [2, 3] } },
  ],
  on_top: [
    { from: 3, stacks: { 4: [4, 1], 6: [3] }, dice: [[4, 2]], leap: [4, 6] },
    { from: 3, stacks: { 6: [3, 4, 1] } },
  ],
  oasis: [
    { from: 5, stacks: { 5: [0], 8: [3] }, tiles: { 7: 1 }, dice: [[0, 2]], leap: [5, 7] },
    { from: 5, stacks: { 8: [3, 0] }, tiles: { 7: 1 } },
  ],
  mirage: [
    { from: 5, stacks: { 5: [0], 6: [3] }, tiles: { 7: -1 }, dice: [[0, 2]], leap: [5, 7] },
    { from: 5, stacks: { 6: [0, 3] }, tiles: { 7: -1 } },
  ],
  mirage_home: [
    { from: 4, stacks: { 5: [1, 3, 2, 0] }, tiles: { 6: -1 }, dice: [[2, 1]], leap: [5, 6] },
    { from: 4, stacks: { 5: [2, 0, 1, 3] }, tiles: { 6: -1 } },
  ],
  neighbours: [
    { from: 1, stacks: { 1: [3] }, tiles: { 4: 1 }, marks: { 2: "yes", 3: "no", 5: "no" } },
    { or: true, from: 6, stacks: { 8: [1, 0] }, marks: { 6: "yes", 7: "yes", 8: "no", 9: "yes", 10: "yes" } },
  ],
  tiles_back: [
    { from: 5, stacks: { 6: [0], 9: [3, 1] }, tiles: { 5: 1, 8: -1 } },
    { from: 5, stacks: { 6: [0], 9: [3, 1] } },
  ],
  ranking: [{ from: 8, stacks: { 8: [2], 10: [4, 3], 11: [0, 1] } }],
  dice_out: [],
  deck: [],
};
