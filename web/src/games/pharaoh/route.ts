/**
 * How the ways of mummy, curse and flight are drawn, step by step, and which way a tile offers itself to be laid. This
 * looks at open sides, as the rules do, because the events name the cells of a way but not the steps between them; it
 * decides nothing.
 */
import { sideTowards } from "./geometry";
import { FALLEN, FIRST_CHAMBER } from "./pieces";

/** Whether one steps from a cell to its neighbour: the tiles on both are open there. */
export function joined(tiles: readonly number[], cell: number, neighbour: number): boolean {
  const open = (one: number, other: number) => {
    const code = tiles[one];
    return ((code >= FIRST_CHAMBER && code < FALLEN ? 15 : code) & sideTowards(one, other)) > 0;
  };
  return open(cell, neighbour) && open(neighbour, cell);
}

/** The cells by how many steps they are from the first, going over these cells alone. */
export function waves(tiles: number[], cells: number[]): number[][] {
  const found = [cells.slice(0, 1)];
  let left = cells.slice(1);
  for (;;) {
    const next = left.filter((cell) => found[found.length - 1].some((last) => joined(tiles, last, cell)));
    if (next.length === 0) return found;
    found.push(next);
    left = left.filter((cell) => !next.includes(cell));
  }
}

/** One of the ways over these cells from one of them to the last; nothing if there is none. */
export function route(tiles: number[], cells: number[], from: number): number[] {
  const to = cells.at(-1);
  const passed = waves(tiles, [from, ...cells.filter((cell) => cell !== from)]);
  const end = passed.findIndex((wave) => to !== undefined && wave.includes(to));
  if (to === undefined || end < 0) return [];
  return passed
    .slice(0, end)
    .reduceRight<number[]>(
      (way, wave) => [...wave.filter((cell) => joined(tiles, cell, way[0])).slice(0, 1), ...way],
      [to],
    );
}
