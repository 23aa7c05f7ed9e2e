/**
 * The rules of each game, from the folder `rules` of its own: one text per language and a component that draws the
 * cases people ask about. Loaded when somebody reads them.
 */
import type { Component } from "svelte";
import type { Language } from "../i18n/catalogue";

/**
 * A paragraph, a list, or a drawing with the words that say what it shows. Behind sentences stand the numbers of the
 * rules of the law that they tell, in brackets: "Figures never block one another. [3.5]".
 */
export type Part = string | { list: string[] } | { drawing: string; caption: string };

export interface Section {
  /** By which a table asks for it, and which the address names behind its #. */
  key: string;
  title: string;
  parts: Part[];
}

export interface RulesText {
  intro: string;
  /** What the numbers behind sentences are. */
  numbers: string;
  sections: Section[];
}

export interface Rules {
  text: RulesText;
  Drawing: Component<{ name: string }>;
}

const TEXTS = import.meta.glob<{ default: RulesText }>("../games/*/rules/*.json");
const DRAWINGS = import.meta.glob<{ default: Rules["Drawing"] }>("../games/*/rules/Drawing.svelte");

export function hasRules(game: string): boolean {
  return `../games/${game}/rules/Drawing.svelte` in DRAWINGS;
}

export async function loadRules(game: string, language: Language): Promise<Rules | null> {
  if (!hasRules(game)) return null;
  const folder = `../games/${game}/rules`;
  const [text, drawing] = await Promise.all([TEXTS[`${folder}/${language}.json`](), DRAWINGS[`${folder}/Drawing.svelte`]()]);
  return { text: text.default, Drawing: drawing.default };
}
