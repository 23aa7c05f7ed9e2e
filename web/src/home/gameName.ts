import { isKey, t } from "../i18n/language.svelte";

export function gameName(game: string): string {
  const key = `game.${game}`;
  return isKey(key) ? t(key) : game;
}
