import { describe, expect, it } from "vitest";
import { placeOf, tallies } from "../../src/pages/history/statistics";
import type { MyGame } from "../../src/net/messages";

function played(scores: number[], yours: number[], game = "counting", winners?: number[]): MyGame {
  const best = Math.max(...scores);
  return {
    table: "t",
    game,
    date: "2026-01-01",
    seats: scores.map(() => ({ kind: "person" })),
    yours,
    scores,
    winners: winners ?? scores.flatMap((score, seat) => (score === best ? [seat] : [])),
    agreed: false,
  };
}

describe("a place", () => {
  it("counts those who did better, and is shared by equals", () => {
    const game = played([9, 12, 9, 3], [0]);
    expect([0, 1, 2, 3].map((seat) => placeOf(game, seat))).toEqual([2, 1, 2, 4]);
  });

  it("is the first only for whoever won, also where equal scores are told apart", () => {
    const game = played([7, 7, 5], [0], "guessing", [1]);
    expect([0, 1, 2].map((seat) => placeOf(game, seat))).toEqual([2, 1, 3]);
  });
});

describe("a tally", () => {
  it("tells games, wins, the even share of wins and the mean place, by game", () => {
    const games = [
      played([5, 9, 1, 1], [1]),
      played([5, 9], [0], "guessing"),
      played([5, 9, 1, 1], [0]),
      played([5, 9, 1, 1], [3]),
    ];
    expect(tallies(games)).toMatchObject([
      { game: "counting", games: 3, wins: 1, even: 0.75, meanPlace: 2 },
      { game: "guessing", games: 1, wins: 0, even: 0.5, meanPlace: 2 },
    ]);
  });

  it("goes from the oldest game to the newest", () => {
    const newestFirst = [played([9, 1, 0], [0]), played([5, 9, 0], [0]), played([1, 9, 5], [0])];
    expect(tallies(newestFirst)[0].course).toEqual([
      { won: false, share: 0 },
      { won: false, share: 0.5 },
      { won: true, share: 1 },
    ]);
  });

  it("leaves out games in which it cannot be said who the visitor was", () => {
    expect(tallies([played([5, 9], [0, 1])])).toEqual([]);
  });
});
