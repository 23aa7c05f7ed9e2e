/** One's answers to exercises, as this browser remembers them. */
import { at } from "../address";
import type { Tried } from "./training";

/** Named after its path too: another Serai on the same site has other exercises. */
const STORE = `serai.training${at("/").slice(0, -1)}`;
/** How many answers of a game are kept. */
const MOST = 600;

/** One's answers in a game, the oldest first. */
export function triedIn(game: string): Tried[] {
  const kept = stored()[game];
  return Array.isArray(kept) ? kept.filter(isTried) : [];
}

/** Keep an answer; what was answered that day already does not count again. */
export function remember(game: string, tried: Tried): void {
  const before = triedIn(game);
  if (before.some(({ id, day }) => id === tried.id && day === tried.day)) return;
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...stored(), [game]: [...before, tried].slice(-MOST) }));
  } catch {
    // Nothing is remembered where nothing can be stored.
  }
}

function stored(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isTried(value: unknown): value is Tried {
  const { id, theme, right, day } = (value ?? {}) as Partial<Tried>;
  return typeof id === "string" && typeof theme === "string" && typeof right === "boolean" && typeof day === "string";
}
