/** A picture of each game for the first screen, from the game's own folder. */
import type { Component } from "svelte";

const FOUND = import.meta.glob<{ default: Component }>("./*/Poster.svelte", { eager: true });

export function posterOf(game: string): Component | null {
  return FOUND[`./${game}/Poster.svelte`]?.default ?? null;
}
