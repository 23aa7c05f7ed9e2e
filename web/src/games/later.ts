/** Brings the parts of games that the first screen has no use for, when they are wanted. */
import type { Language } from "../i18n/catalogue";
import { learnWords } from "../i18n/language.svelte";
import {
  DRAWINGS,
  type CoachWords,
  type GameModule,
  type Keys,
  type Parts,
  type Places,
  type Rules,
  type RulesText,
} from "./game";

const TABLES = import.meta.glob<Pick<Parts, "module">>("./*/index.ts");
const TEXTS = import.meta.glob<{ default: RulesText }>("./*/rules/*.json");
const KEYS = import.meta.glob<Pick<Parts, "keys">>("./*/keys.ts");
const PLACES = import.meta.glob<Pick<Parts, "places">>("./*/places.ts");
const COACHING = import.meta.glob<Pick<Parts, "coachWords">>("./*/coaching.ts");

/** A game, once its words are at hand, too. */
export async function loadGame(game: string): Promise<GameModule> {
  const load = TABLES[`./${game}/index.ts`] ?? TABLES["./any/index.ts"]!;
  const [{ module }] = await Promise.all([load(), learnWords(game)]);
  return module;
}

export async function loadRules(game: string, language: Language): Promise<Rules | null> {
  const [text, drawing] = await Promise.all([
    TEXTS[`./${game}/rules/${language}.json`]?.(),
    DRAWINGS[`./${game}/rules/Drawing.svelte`]?.(),
  ]);
  return text && drawing ? { text: text.default, Drawing: drawing.default } : null;
}

export async function loadKeys(game: string): Promise<Keys | null> {
  return (await KEYS[`./${game}/keys.ts`]?.())?.keys ?? null;
}

export async function loadPlaces(game: string): Promise<Places> {
  const found = await PLACES[`./${game}/places.ts`]?.();
  return found?.places ?? { controls: () => [], marks: () => [] };
}

/** How the coach talks about a game, once the words for it are at hand. */
export async function loadCoachWords(game: string): Promise<CoachWords> {
  const load = COACHING[`./${game}/coaching.ts`] ?? COACHING["./any/coaching.ts"]!;
  const [{ coachWords }] = await Promise.all([load(), learnWords(game, `coach.${game}`, "coach")]);
  return coachWords;
}
