/** Entries of the log in words. */
import type { GameModule } from "../games/game";
import { t } from "../i18n/language.svelte";
import type { LogEntry } from "./log";

export function sentences(entry: LogEntry, game: GameModule | null, names: string[]): string[] {
  const own = entry.back
    ? [t("play.told.undo", { name: entry.by === null ? "" : names[entry.by] })]
    : entry.note === null
      ? []
      : [t(`play.told.${entry.note}`)];
  const told = entry.back ? [] : entry.events.map((event) => game?.tell(event, names) ?? null);
  return [...own, ...told.filter((sentence) => sentence !== null)];
}
