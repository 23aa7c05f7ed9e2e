/** A position at a real table: read from its notation, and changed by taps. */
import { CAMELS } from "../art/camels";
import { LETTERS, SPACES, type Setup } from "./written";

/** What a tap on a space puts there. */
export type Piece = { kind: "camel"; camel: number } | { kind: "tile"; side: 1 | -1 };

export function emptySetup(): Setup {
  return { track: Array.from({ length: SPACES + 1 }, () => []), tiles: new Map(), dice: new Set(CAMELS.keys()) };
}

/** The setup that a text describes, or null where it cannot be drawn. Whether the rules allow it is not asked here. */
export function read(text: string): Setup | null {
  const [stacks, tiles, dice, ...more] = text.split("|").map((part) => part.trim());
  if (more.length > 0) return null;
  const setup = emptySetup();
  for (const word of words(stacks)) {
    const found = /^(\d{1,2})([a-z]+)$/.exec(word);
    const camels = camelsOf(found?.[2] ?? "");
    const space = Number(found?.[1]);
    if (camels === null || !(space in setup.track) || space === 0) return null;
    setup.track[space].push(...camels);
  }
  for (const word of words(tiles ?? "")) {
    const found = /^([+-])(\d{1,2})$/.exec(word);
    const space = Number(found?.[2]);
    if (!found || !(space in setup.track) || space === 0) return null;
    setup.tiles.set(space, found[1] === "+" ? 1 : -1);
  }
  const left = camelsOf(words(dice ?? "").join(""));
  if (left === null) return null;
  if (left.length > 0) setup.dice = new Set(left);
  const standing = setup.track.flat();
  return new Set(standing).size === standing.length ? setup : null;
}

/** The setup after a piece was put on a space: a camel goes on top; a tile that lies there the same way is lifted. */
export function put(setup: Setup, piece: Piece, space: number): Setup {
  if (piece.kind === "camel") {
    const track = setup.track.map((stack) => stack.filter((camel) => camel !== piece.camel));
    track[space] = [...track[space], piece.camel];
    return { ...setup, track };
  }
  const tiles = new Map(setup.tiles);
  if (tiles.get(space) === piece.side) tiles.delete(space);
  else tiles.set(space, piece.side);
  return { ...setup, tiles };
}

/** A die goes out of the pyramid or back; when the last one has gone out, the leg is over and all are back. */
export function toggleDie(setup: Setup, camel: number): Setup {
  const dice = new Set(setup.dice);
  if (!dice.delete(camel)) dice.add(camel);
  return { ...setup, dice: dice.size > 0 ? dice : new Set(CAMELS.keys()) };
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function camelsOf(text: string): number[] | null {
  const camels = [...text].map((letter) => LETTERS.indexOf(letter));
  return camels.includes(-1) || new Set(camels).size !== camels.length ? null : camels;
}
