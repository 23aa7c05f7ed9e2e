/** What a coach tells, in the language on screen: each game says its reasons and actions in a file of its own. */
import { learnWords } from "../i18n/language.svelte";

/** What speaks for or against an action: a key with plain values. */
export interface Reason {
  key: string;
  values: Record<string, unknown>;
  exact?: boolean;
}

export interface CoachWords {
  reason(reason: Reason, names: string[]): string;
  /** An action as something to do, from its notation; what was drawn, as it is. */
  action(notation: string, names: string[]): string;
  /** Pounds or points, on average. */
  score(value: number): string;
}

const FILES = import.meta.glob<{ coachWords: CoachWords }>("../games/*/coaching.ts");

/** How a game is talked about, once all of its words are at hand; a game without such words tells what came. */
export async function coachWordsOf(game: string): Promise<CoachWords> {
  const load = FILES[`../games/${game}/coaching.ts`] ?? (() => import("./plain"));
  const [{ coachWords }] = await Promise.all([load(), ...[game, `coach.${game}`, "coach"].map(learnWords)]);
  return coachWords;
}
