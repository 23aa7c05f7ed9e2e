/** How a visitor's finished games went. Pure. */
import type { MyGame } from "../../net/messages";
import { standingOf } from "../../table/ending/result";

export interface Tally {
  game: string;
  games: number;
  wins: number;
  /** How many wins there would be on average if everybody were equally strong. */
  even: number;
  meanPlace: number;
  /** From the oldest game to the newest: how many came behind, of all others; 1 for a win, 0 for the last place. */
  course: { won: boolean; share: number }[];
}

/** The place of a seat: 1 for the best; equal scores share one, and whoever won is first. */
export function placeOf(game: MyGame, seat: number): number {
  return standingOf(game.scores, game.winners).find((one) => one.seat === seat)!.place;
}

/** Whether it can be said which of the players was the visitor. */
export function isOwn(game: MyGame): boolean {
  return game.yours.length === 1;
}

/** By game, the one played most first. Games come with the newest first. */
export function tallies(played: readonly MyGame[]): Tally[] {
  const names = [...new Set(played.filter(isOwn).map((game) => game.game))];
  return names
    .map((name) => tally(name, played.filter((game) => isOwn(game) && game.game === name).toReversed()))
    .sort((a, b) => b.games - a.games);
}

function tally(game: string, played: MyGame[]): Tally {
  const places = played.map((one) => placeOf(one, one.yours[0]));
  return {
    game,
    games: played.length,
    wins: played.filter((one) => one.winners.includes(one.yours[0])).length,
    even: played.reduce((sum, one) => sum + 1 / one.seats.length, 0),
    meanPlace: places.reduce((sum, place) => sum + place, 0) / played.length,
    course: played.map((one, at) => ({
      won: one.winners.includes(one.yours[0]),
      share: (one.seats.length - places[at]) / Math.max(1, one.seats.length - 1),
    })),
  };
}
