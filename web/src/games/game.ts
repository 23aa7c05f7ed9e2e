/**
 * What a game may bring to the page, in its folder `games/NAME`: each part is a file that is found by its name, here
 * and in `later.ts` only. Without a folder, or without a part, the game goes on with that of `any`, or without.
 */
import type { Component, Snippet } from "svelte";
import type { Key } from "../i18n/catalogue";
import { isKey, t } from "../i18n/language.svelte";
import type { GameInfo } from "../net/messages";
import type { Moment, Staging } from "../session/queue";
import type { TableSession } from "../session/session";
import type { LateModule } from "../ui/Later.svelte";

/** The parts, by the name under which their file exports them. Only the first screen's are loaded at once. */
export interface Parts {
  /** `index.ts`: its table, and how it is shown and told. Loaded when a table of it is opened. */
  module: GameModule;
  /** `Poster.svelte`: its picture. On the first screen. */
  Poster: Component;
  /** `faces/BOT.svg`: what its bots look like. On the first screen, by address. */
  faces: Record<string, string>;
  /** `pages.ts`: its pages besides the table, by name: at `/g/GAME/NAME`, titled `game.GAME.NAME`. On the first screen. */
  pages: Record<string, GamePage>;
  /** `rules/LANGUAGE.json` and `rules/Drawing.svelte`: its rules, explained. Loaded when somebody reads them. */
  rules: Rules;
  /** `keys.ts`: single keys that do what its buttons do. Loaded with the first key. */
  keys: Keys;
  /** `places.ts`: where on the page an action is. Loaded for lessons, hints, reviews and exercises. */
  places: Places;
  /** `coaching.ts`: how the coach talks about it. Loaded with the coach. */
  coachWords: CoachWords;
}

/** That something at the table pleases or pains somebody. */
export interface Feeling {
  seat: number;
  mood: "joy" | "sorrow";
}

/** What a game's table is given. */
export interface TableParts {
  session: TableSession<GameModule>;
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
  /** Whom an event pleases or pains, by what everybody sees of it: bots show it. */
  feels?(event: object): Feeling[];
  /** What a bot may say in such a mood; `pick` is any number. */
  remark?(mood: Feeling["mood"], pick: number): string;
  /** An event as a sentence in the language on screen, or null for what needs no words; `you` is the seat that reads it. */
  tell(event: object, names: string[], you: number | null): string | null;
}

export interface GamePage {
  /** Whether there is such a page on a server that says this of the game. */
  offered(game: GameInfo): boolean;
  load(): Promise<LateModule<Record<string, never>>>;
}

export interface Rules {
  text: RulesText;
  /** Draws the cases that people ask about. */
  Drawing: Component<{ name: string }>;
}

export interface RulesText {
  intro: string;
  /** What the numbers behind sentences are. */
  numbers: string;
  sections: Section[];
}

export interface Section {
  /** By which a table asks for it, and which the address names behind its #. */
  key: string;
  title: string;
  parts: Part[];
}

/**
 * A paragraph, a list, or a drawing with the words that say what it shows. Behind sentences stand the numbers of the
 * rules of the law that they explain, in brackets: "Figures never block one another. [3.5]".
 */
export type Part = string | { list: string[] } | { drawing: string; caption: string };

export interface Keys {
  /** The keys as they are listed, side by side with what they do. */
  listed: readonly (readonly [keys: string, does: Key])[];
  /** What a key, in capitals, is meant for while this has the focus. */
  meant(key: string, at: Element): Meant | null;
}

/** What a key is meant for: the first such element that can be pressed is pressed, gets the focus, or gets the key. */
export type Meant = { press: string } | { reach: string } | { tell: string };

/** Where on the page an action is: selectors, in the order in which they are looked for. */
export interface Places {
  /** What is pressed to do it. */
  controls(action: object): string[];
  /** What it is about on the board, when it is looked back upon. */
  marks(notation: string, seat: number): string[];
}

export interface CoachWords {
  /** What speaks for or against an action; `me` is the seat that is called “you”. */
  reason(reason: Reason, names: string[], me?: number | null): string;
  /** An action as something to do, from its notation; what was drawn, as it is. */
  action(notation: string, names: string[]): string;
  /** Pounds or points, on average. */
  score(value: number): string;
  /** When in the game a view is, within a sentence: “leg 3”. */
  when?(view: object): string;
}

/** What speaks for or against an action: a key with plain values. */
export interface Reason {
  key: string;
  values: Record<string, unknown>;
  exact?: boolean;
}

const POSTERS = import.meta.glob<Parts["Poster"]>("./*/Poster.svelte", { eager: true, import: "default" });
const FACES = import.meta.glob<string>("./*/faces/*.svg", { eager: true, query: "?url", import: "default" });
const PAGES = import.meta.glob<Parts["pages"]>("./*/pages.ts", { eager: true, import: "pages" });
export const DRAWINGS = import.meta.glob<{ default: Rules["Drawing"] }>("./*/rules/Drawing.svelte");
export function posterOf(game: string): Component | null {
  return POSTERS[`./${game}/Poster.svelte`] ?? null;
}

/** The address of a bot's face, whichever game it plays; null for a bot without one. */
export function faceOf(bot: string): string | null {
  const path = Object.keys(FACES).find((one) => one.endsWith(`/${bot}.svg`));
  return path === undefined ? null : FACES[path]!;
}

/** The names of a game's pages that the server offers. */
export function pagesOf(game: GameInfo): string[] {
  const pages = Object.entries(PAGES[`./${game.name}/pages.ts`] ?? {});
  return pages.filter(([, page]) => page.offered(game)).map(([name]) => name);
}

export function pageTitle(game: string, name: string): string {
  const key = `game.${game}.${name}`;
  return isKey(key) ? t(key) : name;
}

/** How such a page is loaded; undefined where a game has none of that name. */
export function pageLoader(game: string, name: string): GamePage["load"] | undefined {
  return PAGES[`./${game}/pages.ts`]?.[name]?.load;
}

export function hasRules(game: string): boolean {
  return `./${game}/rules/Drawing.svelte` in DRAWINGS;
}
