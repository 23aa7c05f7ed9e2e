/** The time of a turn: what is left of it now, from what the server said and when. Pure. */
import type { TurnTime } from "../net/messages";

/** Seconds left of the turn, `since` milliseconds after the server said how it stands. */
export function secondsLeft(time: TurnTime, since: number): number {
  return Math.max(0, time.running ? time.left - since / 1000 : time.left);
}

/** Milliseconds, from when the server said how it stands, until half of the turn's time has passed; null in a pause. */
export function untilHalfTime(time: TurnTime): number | null {
  if (time.seat === null || !time.running) return null;
  return Math.max(0, (time.left - time.of / 2) * 1000);
}
