/** The log of a game, the source of its story: one entry per frame that changed it. */
import type { Reply, Frame } from "../net/messages";

export interface LogEntry {
  n: number;
  /** The seat that acted, or null. */
  by: number | null;
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

export function entryOf(frame: Frame): LogEntry {
  const nobody = frame.by === undefined || frame.by === null;
  const back = frame.back ?? false;
  return {
    n: frame.n,
    by: frame.by ?? null,
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

/** The log of all frames of a table. */
export function logOf(replies: Reply[]): LogEntry[] {
  return replies.filter((reply) => reply.type === "frame").map(entryOf);
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
