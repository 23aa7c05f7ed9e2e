/** One's answers to exercises, as this browser remembers them. */
import { at } from "../../address";
import { keep, keptFields } from "../../kept";
import type { Tried } from "./training";

/** Named after its path too: another Serai on the same site has other exercises. */
const STORE = `serai.training${at("/").slice(0, -1)}`;
/** How many answers of a game are kept. */
const MOST = 600;

/** One's answers in a game, the oldest first. */
export function triedIn(game: string): Tried[] {
  const answers = keptFields(STORE)[game];
  return Array.isArray(answers) ? answers.filter(isTried) : [];
}

/** Keep an answer; what was answered that day already does not count again. */
export function remember(game: string, tried: Tried): void {
  const before = triedIn(game);
  if (before.some(({ id, day }) => id === tried.id && day === tried.day)) return;
  keep(STORE, { ...keptFields(STORE), [game]: [...before, tried].slice(-MOST) });
}

function isTried(value: unknown): value is Tried {
  const { id, theme, right, day } = (value ?? {}) as Partial<Tried>;
  return typeof id === "string" && typeof theme === "string" && typeof right === "boolean" && typeof day === "string";
}
