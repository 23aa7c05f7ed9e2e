/** Where a game to look back upon comes from: a table of this server, or a record that the visitor has. */
import type { Advice, Draws, Reply, TableInfo } from "../net/messages";
import { reviewOfRecord, reviewOfTable, type AskReview } from "../net/reviews";
import { drawsOf, frames, recordAdvice, recordOf, replayed, seeTable, tableAdvice } from "../net/rest";

export interface Source {
  table: TableInfo;
  seat: number | null;
  /** The seats through whose eyes it can be seen, besides an onlooker's; none where all see the same. */
  eyes: number[];
  frames: Reply[];
  /** What the dice can be checked with, asked for when wanted. */
  draws(): Promise<Draws>;
  /** What the coach says, once the game has ended. */
  review: AskReview;
  /** What names it to the server. */
  named: { table: string } | { record: string };
  /** The advice for the position after a frame. */
  advice(n: number): Promise<Advice>;
  /** The same game seen through another seat. */
  through(seat: number | null): Promise<Source>;
}

/** A table as one of the visitor's own seats saw it: the first, unless another is named. */
export async function tableSource(id: string, wanted?: number | null): Promise<Source> {
  const { table, yours } = await seeTable(id);
  const seat = wanted === undefined ? (yours[0] ?? null) : wanted;
  const own = {
    draws: () => drawsOf(id),
    review: ((hear, signal) => reviewOfTable(id, hear, signal)) as AskReview,
    named: { table: id },
    through: (other: number | null) => tableSource(id, other),
  };
  // What such a game has taken over from another is no part of what its table went through, but of the game.
  if (table.continued && table.phase === "over") return { ...(await recordSource(await recordOf(id), seat)), ...own };
  return {
    table,
    seat,
    eyes: table.hides === false ? [] : yours,
    frames: await frames(id, seat),
    ...own,
    advice: (n) => tableAdvice(id, seat, n),
  };
}

/** A record. Once the game has ended everybody's eyes may be borrowed. */
export async function recordSource(record: string, seat: number | null = null): Promise<Source> {
  const answer = await replayed({ record, seat });
  const { phase, hides } = answer.table;
  return {
    table: answer.table,
    seat,
    eyes: phase === "over" && hides !== false ? answer.table.seats.map((_, index) => index) : [],
    frames: answer.frames,
    draws: () => Promise.resolve(answer.draws),
    review: (hear, signal) => reviewOfRecord(record, hear, signal),
    named: { record },
    advice: (n) => recordAdvice({ record, seat, n }),
    through: (other) => recordSource(record, other),
  };
}
