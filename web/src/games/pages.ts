/** Pages that a game has besides its table, from the folder `pages` of its own: found by their names, loaded when opened. */
import type { Component } from "svelte";
import { isKey, learnWords, t } from "../i18n/language.svelte";
import type { GameInfo } from "../net/messages";

const FOUND = import.meta.glob<{ default: Component }>("./*/pages/*.svelte");

/** The names of a game's pages, that of the odds only where they can be told; each is titled by the key `game.GAME.NAME`. */
export function pagesOf(game: GameInfo): string[] {
  const start = `./${game.name}/pages/`;
  return Object.keys(FOUND)
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length, -".svelte".length))
    .filter((name) => name !== "odds" || game.odds);
}

export function pageTitle(game: string, name: string): string {
  const key = `game.${game}.${name}`;
  return isKey(key) ? t(key) : name;
}

export async function loadPage(game: string, name: string): Promise<Component | null> {
  const words = [game, `${game}.position`].map(learnWords);
  const [found] = await Promise.all([FOUND[`./${game}/pages/${name}.svelte`]?.(), ...words]);
  return found?.default ?? null;
}
