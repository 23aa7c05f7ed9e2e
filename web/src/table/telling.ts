/** What happened and what people said at a table, and entries of the log in words. */
import type { GameModule } from "../games/game";
import { t } from "../i18n/language.svelte";
import type { Chat } from "../net/messages";
import type { LogEntry } from "../session/log";
import type { Moment } from "../session/queue";

/** Log and chat in the order in which things happened, each as it came, without those who are muted. */
export function lines({ log, state }: Pick<Moment, "log" | "state">): (LogEntry | Chat)[] {
  const chat = state.chat.filter((line) => !state.muted.includes(line.seat));
  return [...log, ...chat].sort((a, b) => a.n - b.n);
}

/** The last of what an entry tells in words: who did it, and the event that the words are of. */
export function headline(
  entry: LogEntry,
  game: GameModule,
  names: string[],
  you: number | null,
): { by: number | null; text: string; event: object | null } | null {
  const { by, back, events } = entry;
  for (const event of back ? [] : events.toReversed()) {
    const text = game.tell(event, names, you);
    if (text !== null) return { by: game.about?.(event) ?? by, text, event };
  }
  const text = sentences(entry, game, names, you).at(-1);
  return text === undefined ? null : { by, text, event: null };
}

/** Whose sign stands before an entry: that of whoever its first sentence is about. */
export function signOf({ by, back, events }: LogEntry, game: GameModule | null, names: string[]): number | null {
  const first = back ? undefined : events.find((event) => game?.tell(event, names, null));
  return (first && game?.about?.(first)) ?? by;
}

/** What an entry tells; `you` is the seat that reads it. */
export function sentences(entry: LogEntry, game: GameModule | null, names: string[], you: number | null): string[] {
  const own = entry.back
    ? [
        entry.by !== null && entry.by === you
          ? t("play.told.you_undo")
          : t("play.told.undo", { name: entry.by === null ? "" : names[entry.by] }),
      ]
    : entry.note === null
      ? []
      : [
          t(`play.told.${entry.note}`),
          ...(entry.drawn === null
            ? []
            : [entry.drawn === you ? t("play.told.you_drawn") : t("play.told.drawn", { name: names[entry.drawn] })]),
        ];
  const told = entry.back ? [] : entry.events.map((event) => game?.tell(event, names, you) ?? null);
  return [...own, ...told.filter((sentence) => sentence !== null)];
}
