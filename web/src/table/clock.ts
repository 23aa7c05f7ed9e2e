/** The clock of a table: from what was told, and when, to what is left now. Pure. */
import type { TableRules, TurnTime } from "../net/messages";

export type Clock = NonNullable<TableRules["clock"]>;

/** What may be chosen, in seconds a turn; 0 for as long as it takes. */
export const CLOCKS: Clock[] = [0, 30, 60, 180, 600, 86400];

/** What is usual where nothing was chosen. */
export const usualClock = (open: boolean): Clock => (open ? 180 : 0);

/** Seconds left of the turn, `since` milliseconds after it was told. */
export function secondsLeft(told: TurnTime, since: number): number {
  return Math.max(0, told.running ? told.left - since / 1000 : told.left);
}

/** Milliseconds, from when it was told, until half of the turn's time has passed; null while it stands. */
export function untilHalfTime(told: TurnTime): number | null {
  if (told.seat === null || !told.running) return null;
  return Math.max(0, (told.left - told.of / 2) * 1000);
}
