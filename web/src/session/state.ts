/** A table as one viewer knows it, and how each reply changes it. Pure, and the same for every game. */
import type { Reply, Away, Chat, Frame, Refused, TableInfo, TurnTime, Welcome } from "../net/messages";

export interface Offer {
  /** The message by which an action was sent. */
  id: string;
  actions: object[];
  undo: boolean;
}

export interface TableState {
  /** The number of the last entry heard of. */
  n: number;
  /** How many entries changed the game. */
  on: number;
  /** The seat looked through; null for an onlooker. */
  seat: number | null;
  yours: number[];
  table: TableInfo;
  actions: object[];
  /** The running score by seat; empty before the start, and where it may not be known. */
  scores: number[];
  undo: boolean;
  /** What was on offer before an action was sent: on offer again if it is refused. */
  withheld: Offer | null;
  chat: Chat[];
  muted: number[];
  away: Away[];
  watching: number;
  /** Whose time runs, at a table with a clock. */
  clock: TurnTime | null;
}

/** The table with the game's own view. Only what shows it may look into that: everybody else sees what is shown. */
export interface Known extends TableState {
  view: object | null;
}

/** What is known after a reply; the first is always a welcome. */
export function heard(state: Known, reply: Reply): Known {
  switch (reply.type) {
    case "welcome":
      return welcomed(state, reply);
    case "frame":
      return played(state, reply);
    case "table":
      return {
        ...state,
        n: reply.n,
        seat: reply.seat,
        yours: reply.yours,
        table: reply.table,
        ...(reply.actions === undefined ? {} : { actions: reply.actions as object[], withheld: null }),
      };
    case "refused":
      return state.withheld?.id === reply.id ? offered(state, state.withheld) : state;
    case "chat": {
      const { n, seat, text, phrase, name } = reply;
      return { ...state, n, chat: [...state.chat, { n, seat, text, phrase, name }] };
    }
    case "muted":
      return { ...state, n: reply.n, muted: reply.muted };
    case "presence":
      return { ...state, away: reply.away, watching: reply.watching };
    case "clock":
      return { ...state, clock: reply };
    default:
      return state;
  }
}

/** The state while an action is on its way: nothing more can be done on this position until the answer comes. */
export function sent(state: Known, id: string): Known {
  const { actions, undo } = state;
  return { ...state, actions: [], undo: false, withheld: { id, actions, undo } };
}

/** Nothing has changed: what could be done can still be done. */
function offered(state: Known, { actions, undo }: Offer): Known {
  return { ...state, actions, undo, withheld: null };
}

/** Whether a refusal names a newer position than the one known here. */
export function behind(state: TableState, refusal: Refused): boolean {
  const { on } = refusal.values as { on?: unknown };
  return refusal.key === "table.stale" && typeof on === "number" && on > state.on;
}

export function welcomed(before: Known | null, welcome: Welcome): Known {
  return {
    n: welcome.n,
    on: welcome.on,
    seat: welcome.seat,
    yours: welcome.yours,
    table: welcome.table,
    view: (welcome.view as object | undefined) ?? null,
    actions: asObjects(welcome.actions) ?? [],
    scores: welcome.scores ?? [],
    undo: welcome.undo ?? false,
    withheld: null,
    chat: welcome.chat ?? [],
    muted: welcome.muted ?? [],
    away: before?.away ?? [],
    watching: before?.watching ?? 0,
    clock: before?.clock ?? null,
  };
}

function played(state: Known, frame: Frame): Known {
  return {
    ...state,
    n: frame.n,
    on: frame.on,
    view: { ...state.view, ...(frame.patch ?? {}) },
    actions: asObjects(frame.actions) ?? [],
    scores: frame.scores ?? [],
    undo: frame.undo ?? false,
    withheld: null,
    table: frame.table ?? state.table,
  };
}

function asObjects(actions: unknown[] | undefined): object[] | undefined {
  return actions as object[] | undefined;
}

/** Whether all look at one screen. */
export function shared(state: TableState): boolean {
  return state.table.table_rules.one_device === true;
}

/** Whether this viewer is to act. */
export function yourTurn(state: TableState): boolean {
  return state.table.phase === "playing" && state.actions.length > 0 && state.seat !== null;
}

/** The only seat of whoever sits in front of the page; null where there is none, or several. */
export function onlySeat({ yours }: TableState): number | null {
  return yours.length === 1 ? yours[0] : null;
}

export function isHost(state: TableState): boolean {
  return state.table.host !== null && state.table.host !== undefined && state.yours.includes(state.table.host);
}

/** Whether this viewer can begin the game as it is: the host, when no seat is open. */
export function mayBegin(state: TableState): boolean {
  return state.table.phase === "lobby" && isHost(state) && state.table.seats.every((seat) => seat.kind !== "open");
}
