/** How a visitor's answers to exercises went, and what comes next. Pure. */
import type { Exercises } from "../../net/messages";

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

/** How it went, theme by theme. */
export function courses(themes: readonly string[], tried: readonly Tried[]): Course[] {
  return themes.map((theme) => {
    const answers = tried.filter((one) => one.theme === theme).map(({ right }) => right);
    return { theme, count: answers.length, right: answers.filter(Boolean).length, answers };
  });
}

/** Another exercise of a theme: one not tried yet, or else of those tried longest ago. `chance` is from 0 to 1. */
export function another(
  offered: Exercises,
  theme: string,
  tried: readonly Tried[],
  now: string,
  chance: number,
): string {
  const own = (offered.themes[theme] ?? []).filter((id) => id !== now);
  const last = new Map(tried.map(({ id }, when) => [id, when]));
  const fresh = own.filter((id) => !last.has(id));
  const old = own.toSorted((a, b) => (last.get(a) ?? 0) - (last.get(b) ?? 0));
  const among = fresh.length > 0 ? fresh : old.slice(0, Math.max(1, Math.ceil(old.length / 2)));
  return among[Math.min(Math.floor(chance * among.length), among.length - 1)] ?? now;
}

/** How many of the latest answers of a theme say how one is doing there. */
const LATEST = 8;

/** Another exercise of any theme: the more one gets wrong there, the likelier. `chance` and `then` are from 0 to 1. */
export function needed(offered: Exercises, tried: readonly Tried[], now: string, chance: number, then: number): string {
  const themes = Object.keys(offered.themes);
  const weights = courses(themes, tried).map(({ answers }) => weakness(answers.slice(-LATEST)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = chance * total;
  const place = weights.findIndex((weight) => (left -= weight) < 0);
  return another(offered, themes[place < 0 ? themes.length - 1 : place] ?? "", tried, now, then);
}

/** The share of wrong answers, as if one right and one wrong had been given besides: what is untried counts half. */
function weakness(answers: readonly boolean[]): number {
  return (answers.filter((right) => !right).length + 1) / (answers.length + 2);
}

/** Where exercises go on with what one gets wrong, rather than with the same theme. */
export const FOR_ME = "?for-me";

/** The day, where the visitor is not asked what time it is there: everybody's exercise changes at the same moment. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}
