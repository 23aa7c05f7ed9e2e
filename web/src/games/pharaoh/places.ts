/** Where each action lies on the board, for whoever looks back: on a cell, or with the figure that does it. */
import { cellName, SIZE } from "./pieces";

const CELLS = new Map(Array.from({ length: SIZE * SIZE }, (_, cell) => [cellName(cell), cell]));

export function places(notation: string, seat: number): string[] {
  const [kind, about] = notation.split(" ");
  const cell = CELLS.get(about);
  if (cell !== undefined) return [`li[data-cell="${cell}"]`];
  return kind === "lamp" || kind === "unlamp"
    ? [`[data-figure="${seat} helper"]`]
    : [`[data-figure="${seat} archaeologist"]`, `[data-figure="${seat} helper"]`];
}
