/** A game as the row of stills it went through. Pure, and the same for every game. */
import type { Frame, Reply, TableInfo } from "../net/messages";
import { heard, type Known } from "./state";

export interface Still {
  /** What this viewer knew then, with everything said on that position. */
  state: Known;
  /** The frame that led here. */
  frame: Frame;
}

/** Every position that the frames lead to; the first is that after the set-up. In a replay nobody holds a seat. */
export function stillsOf(table: TableInfo, seat: number | null, replies: readonly Reply[]): Still[] {
  const stills: Still[] = [];
  let state = atFirst(table, seat);
  for (const reply of replies) {
    state = { ...heard(state, reply), yours: [] };
    const last = stills.at(-1);
    if (reply.type === "frame") stills.push({ state, frame: reply });
    else if (last !== undefined) last.state = state;
  }
  return stills;
}

/** How many actions of players stand in a still: what was taken back does not count. */
export function turnOf(stills: readonly Still[], at: number): number {
  const done = stills.slice(0, at + 1).map(({ frame: { by, back } }) => (typeof by !== "number" ? 0 : back ? -1 : 1));
  return done.reduce<number>((sum, one) => sum + one, 0);
}

function atFirst(table: TableInfo, seat: number | null): Known {
  return {
    n: 0,
    on: 0,
    seat,
    yours: [],
    table,
    view: null,
    actions: [],
    scores: [],
    undo: false,
    chat: [],
    withheld: null,
    muted: [],
    away: [],
    watching: 0,
    clock: null,
  };
}
