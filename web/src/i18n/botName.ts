/** What a bot is called in the language on screen. */
import { capital, isKey, t } from "./language.svelte";

export function botName(bot: string): string {
  const key = `bot.${bot}`;
  return isKey(key) ? t(key) : capital(bot);
}
