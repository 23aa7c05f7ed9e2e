/** A game as the row of stills it went through. Pure, and the same for every game. */
import type { Frame, Reply, TableInfo } from "../net/messages";
import { heard, type TableState } from "../table/state";

export interface Still {
  /** What this viewer knew then, with everything said on that position. */
  state: TableState;
  /** The frame that led here. */
  frame: Frame;
}

/** Every position that the frames lead to; the first is that after the set-up. Whoever looks back holds no seat. */
export function stillsOf(table: TableInfo, seat: number | null, replies: readonly Reply[]): Still[] {
  const stills: Still[] = [];
  let state = atFirst(table, seat);
  for (const reply of replies) {
    const told = heard(state, reply);
    if (told === null) continue;
    state = { ...told.state, yours: [] };
    const last = stills.at(-1);
    if (told.frame !== null) stills.push({ state, frame: told.frame });
    else if (last !== undefined) last.state = state;
  }
  return stills;
}

function atFirst(table: TableInfo, seat: number | null): TableState {
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
