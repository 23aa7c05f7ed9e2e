/** The log of a game, the source of its story: one entry per frame that changed it. */
import type { Reply, Frame, TableInfo } from "../net/messages";

export interface LogEntry {
  n: number;
  /** The seat that acted, or null. */
  by: number | null;
  /** Whether a bot did it in place of a person. */
  stoodIn: boolean;
  /** Whether it took something back. */
  back: boolean;
  events: object[];
  /** What the table itself has to say. */
  note: "started" | "agreed" | null;
  /** The seat that was drawn to begin. */
  drawn: number | null;
  /** Everybody's score afterwards. */
  scores: number[];
}

/** The entry of a frame, at a table as it was when that came. */
export function entryOf(frame: Frame, table: TableInfo | null): LogEntry {
  const nobody = frame.by === undefined || frame.by === null;
  const back = frame.back ?? false;
  return {
    n: frame.n,
    by: frame.by ?? null,
    stoodIn: !nobody && table !== null && standsIn(table, frame.by!),
    back,
    events: (frame.events ?? []) as object[],
    note: !nobody || back ? null : frame.table?.phase === "over" ? "agreed" : "started",
    drawn: drawnIn(frame),
    scores: frame.scores ?? [],
  };
}

function drawnIn({ table }: Frame): number | null {
  const { first } = (table?.options ?? {}) as { first?: unknown };
  return table?.phase === "playing" && table.table_rules.draw_first && typeof first === "number" ? first : null;
}

/** Whether a bot plays on for the person of this seat. */
function standsIn({ seats }: TableInfo, seat: number): boolean {
  return seats[seat]?.kind === "person" && Boolean(seats[seat].bot);
}

/** The log of all frames of a table. */
export function logOf(replies: Reply[]): LogEntry[] {
  const log: LogEntry[] = [];
  let table: TableInfo | null = null;
  for (const reply of replies) {
    if (reply.type === "frame") log.push(entryOf(reply, table));
    if (reply.type === "frame" || reply.type === "table") table = reply.table ?? table;
  }
  return log;
}

/** What still stands of what happened: whatever was taken back is left out, and so is the taking back of it. */
export function standing(entries: LogEntry[]): LogEntry[] {
  const kept: LogEntry[] = [];
  for (const entry of entries) {
    const last = kept.at(-1);
    if (entry.back && last !== undefined && !last.back && last.by === entry.by) kept.pop();
    else kept.push(entry);
  }
  return kept;
}

/** A story fetched, with the entries that came while it was being fetched. */
export function joined(fetched: LogEntry[], live: LogEntry[]): LogEntry[] {
  const last = fetched.at(-1)?.n ?? 0;
  return [...fetched, ...live.filter((entry) => entry.n > last)];
}
