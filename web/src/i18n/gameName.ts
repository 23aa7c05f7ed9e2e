/** The names of games. */
import { capital, isKey, t } from "./language.svelte";

/** What a game is called; one that the catalogues do not know by its own name. */
export function gameName(game: string): string {
  const key = `game.${game}`;
  return isKey(key) ? t(key) : capital(game);
}
