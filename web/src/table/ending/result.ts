/** Who came where and by how much, as a game's end tells it. Pure. */

export interface Standing {
  seat: number;
  score: number;
  /** Several may share one. */
  place: number;
}

/** Everybody, best first: the winners, alone where a tie was decided, then all others by their scores. */
export function standingOf(scores: readonly number[], winners: readonly number[]): Standing[] {
  const won = (seat: number): number => Number(winners.includes(seat));
  const better = (a: number, b: number): number => won(b) - won(a) || scores[b] - scores[a];
  return scores
    .map((score, seat) => ({ seat, score, place: scores.filter((_, other) => better(other, seat) < 0).length + 1 }))
    .sort((a, b) => better(a.seat, b.seat) || a.seat - b.seat);
}

/** By how much the winners won: what is between them and the best of the others; null without others. */
export function leadOf(standing: readonly Standing[]): number | null {
  const next = standing.find(({ place }) => place > 1);
  return next === undefined ? null : standing[0].score - next.score;
}
