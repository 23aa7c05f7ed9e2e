/** The turn clocks that a table may be played with. */
import type { TableRules } from "../net/messages";

/** Seconds for each turn; 0 for no clock. */
export type TurnClock = NonNullable<TableRules["clock"]>;

export const TURN_CLOCKS: TurnClock[] = [0, 30, 60, 180, 600, 86400];

/** What is usual where nothing was chosen. */
export const usualClock = (open: boolean): TurnClock => (open ? 180 : 0);
