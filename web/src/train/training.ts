/** What this browser remembers of a visitor's answers to exercises, and what comes next. Pure, but for what is kept. */
import { at } from "../address";
import type { Exercises } from "../net/messages";

export interface Tried {
  id: string;
  theme: string;
  right: boolean;
  /** As 2026-11-16. */
  day: string;
}

export interface Course {
  theme: string;
  count: number;
  right: number;
  /** From the oldest answer to the newest. */
  answers: boolean[];
}

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

/** How it went, theme by theme. */
export function courses(themes: readonly string[], tried: readonly Tried[]): Course[] {
  return themes.map((theme) => {
    const answers = tried.filter((one) => one.theme === theme).map(({ right }) => right);
    return { theme, count: answers.length, right: answers.filter(Boolean).length, answers };
  });
}

/** Another exercise of a theme: one not tried yet, or else of those tried longest ago. `chance` is from 0 to 1. */
export function another(offered: Exercises, theme: string, tried: readonly Tried[], now: string, chance: number): string {
  const own = (offered.themes[theme] ?? []).filter((id) => id !== now);
  const last = new Map(tried.map(({ id }, when) => [id, when]));
  const fresh = own.filter((id) => !last.has(id));
  const old = own.toSorted((a, b) => (last.get(a) ?? 0) - (last.get(b) ?? 0));
  const among = fresh.length > 0 ? fresh : old.slice(0, Math.max(1, Math.ceil(old.length / 2)));
  return among[Math.min(Math.floor(chance * among.length), among.length - 1)] ?? now;
}

/** The day, where the visitor is not asked what time it is there: everybody's exercise changes at the same moment. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
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
