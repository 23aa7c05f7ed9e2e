/** Which bots to choose from, which to begin with, and which come next. Bots are told weakest first. */
import type { GameInfo, SeatInfo } from "../../net/messages";

export type Bots = Pick<GameInfo, "bots" | "levels" | "standings">;

/** Those that are no level: they come last, if anybody asks for them. */
export function othersOf({ bots, levels }: Pick<Bots, "bots" | "levels">): string[] {
  return bots.filter((bot) => !levels.includes(bot));
}

/** The one that was played against last, if it can play here; else one of middling strength. */
export function usualBot({ bots, levels }: Pick<Bots, "bots" | "levels">, remembered?: string): string {
  const ready = levels.length > 0 ? levels : bots;
  return remembered !== undefined && ready.includes(remembered) ? remembered : ready[Math.floor(ready.length / 2)];
}

/** Who would play in the bots' seats one level up (1) or down (-1); null where nobody would change. */
export function stepped(seats: SeatInfo[], levels: string[], step: 1 | -1): string[] | null {
  const before = seats.flatMap((seat) => (seat.kind === "bot" ? [seat.bot ?? ""] : []));
  const after = before.map((bot) => (levels.includes(bot) ? (levels[levels.indexOf(bot) + step] ?? bot) : bot));
  return after.some((bot, at) => bot !== before[at]) ? after : null;
}
