/** What the page needs of a game: one folder each, found by its name, loaded when a table of it is opened. */
import type { Component, Snippet } from "svelte";
import { learnWords } from "../i18n/language.svelte";
import type { TableSession } from "../table/session.svelte";
import type { Moment, Staging } from "../table/showing";

/** What a game's table is given. */
export interface TableParts {
  session: TableSession;
  moment: Moment;
  names: string[];
  story: Snippet;
  /** Whose turn it is, in words; only where somebody is playing. */
  turn?: Snippet;
}

export interface GameModule extends Staging {
  /** Draws the moment, offers its actions and finds a place for whose turn it is and for the story (log and chat). */
  Table: Component<TableParts>;
  /** Draws the piece that an event is about, as small as a word; nothing where there is none. */
  Piece?: Component<{ event: object }>;
  /** Brings a picture of how it ended, of the last scene. */
  finale?(): Promise<{ default: Component<{ scene: object }> }>;
  /** Brings what a player's points are made of, at the end. */
  breakdown?(): Promise<{ default: Component<{ scene: object; seat: number }> }>;
  /** Whom an event is about, where that is not whoever acted. */
  about?(event: object): number | null;
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
