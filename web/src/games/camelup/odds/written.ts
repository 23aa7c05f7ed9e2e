/** A position in its notation, `1gyo 3bw | +5 -9 | bgoyw`. */
import { CAMELS } from "../art/camels";
import type { CamelUpState } from "../messages";

export interface Setup {
  /** By space, 0 unused: camels from bottom to top. */
  track: number[][];
  /** By space: 1 oasis, −1 mirage. */
  tiles: Map<number, 1 | -1>;
  /** The camels whose dice are still in the pyramid. */
  dice: Set<number>;
}

/** By camel, the letter that stands for it. */
export const LETTERS = CAMELS.map((look) => look.name[0]);
export const SPACES = 16;

export function write(setup: Setup): string {
  const stacks = setup.track.flatMap((stack, space) => (stack.length > 0 ? [`${space}${letters(stack)}`] : []));
  const spaces = [...setup.tiles.keys()].sort((a, b) => a - b);
  const tiles = spaces.map((space) => `${setup.tiles.get(space) === 1 ? "+" : "-"}${space}`);
  const parts = [stacks.join(" "), tiles.join(" "), letters([...setup.dice].sort((a, b) => a - b))];
  return parts.join(" | ").replace("|  |", "| |");
}

/** The position of a running game in notation; null while not all camels are on the track. */
export function positionOf(view: CamelUpState): string | null {
  const track = view.track.slice(0, SPACES + 1).map((stack) => [...stack]);
  const tiles = new Map(
    view.deserts.filter((tile) => tile !== 0).map((tile) => [Math.abs(tile), tile > 0 ? 1 : -1] as const),
  );
  const dice = new Set([...CAMELS.keys()].filter((camel) => view.tents[camel] === 0));
  const setup = { track, tiles, dice };
  return missing(setup).length === 0 ? write(setup) : null;
}

/** The camels that stand nowhere yet. */
export function missing(setup: Setup): number[] {
  const standing = new Set(setup.track.flat());
  return [...CAMELS.keys()].filter((camel) => !standing.has(camel));
}

export function letters(camels: Iterable<number>): string {
  return [...camels].map((camel) => LETTERS[camel]).join("");
}
