/** What an exercise trains, in words: each game names its own themes. */
import { isKey, t } from "../../i18n/language.svelte";

export function themeName(game: string, theme: string): string {
  const key = `coach.${game}.theme.${theme}`;
  return isKey(key) ? t(key) : theme;
}
