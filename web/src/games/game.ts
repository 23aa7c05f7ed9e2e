/** What the page needs of a game: one folder each, found by its name, loaded when a table of it is opened. */
import type { Component, Snippet } from "svelte";
import { learnWords } from "../i18n/language.svelte";
import type { Moment } from "../table/queue";
import type { TableSession } from "../table/session.svelte";

export interface GameModule {
  /** Draws the scene, offers the actions and finds a place for the story (log and chat). */
  Table: Component<{ session: TableSession; names: string[]; story: Snippet }>;
  /** What a view looks like when nothing moves. */
  sceneOf(view: object): object;
  /** The moments from a scene through events to the view after them. */
  moments(before: object, events: object[], after: object): Moment<object>[];
  /** An event as a sentence in the language on screen, or null for what needs no words. */
  tell(event: object, names: string[]): string | null;
}

const FOLDERS = import.meta.glob<{ module: GameModule }>("./*/index.ts");

/** A game, once its words are at hand, too. */
export async function loadGame(name: string): Promise<GameModule> {
  const load = FOLDERS[`./${name}/index.ts`] ?? FOLDERS["./any/index.ts"];
  const [{ module }] = await Promise.all([load(), learnWords(name)]);
  return module;
}
