/** Reviews, which come as many lines: where they stand, and in the last what came of them. */
import { at } from "../address";
import type { Review, ReviewLine } from "./messages";
import { games, Refusal, refused, unreachable } from "./rest";

type Hear = (line: ReviewLine) => void;
/** Asks for a review, hands on each line of the answer, and gives up when the signal says so. */
export type AskReview = (hear: Hear, signal: AbortSignal) => Promise<Review>;

/** The games that cannot be reviewed here: they are few, and none until the server has answered. */
export async function unreviewedGames(): Promise<Set<string>> {
  const all = await games().catch(() => []);
  return new Set(all.filter((game) => !game.reviews).map((game) => game.name));
}

export const reviewOfTable = (id: string, hear: Hear, signal: AbortSignal): Promise<Review> =>
  reviewed(`/api/tables/${encodeURIComponent(id)}/review`, { signal }, hear);

export const reviewOfRecord = (record: string, hear: Hear, signal: AbortSignal): Promise<Review> =>
  reviewed(
    "/api/review",
    { signal, method: "POST", body: JSON.stringify({ record }), headers: { "Content-Type": "application/json" } },
    hear,
  );

async function reviewed(path: string, init: RequestInit, hear: Hear): Promise<Review> {
  const response = await fetch(at(path), init).catch(() => null);
  if (response === null) throw unreachable();
  if (!response.ok || response.body === null) throw await refused(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done) throw unreachable();
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const line = JSON.parse(text) as ReviewLine;
      if (line.type === "reviewed") return line.review;
      if (line.type === "unreviewed") throw new Refusal(line.problem);
      hear(line);
    }
  }
}
