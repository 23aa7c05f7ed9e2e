/** What a player holds, as the view tells it: others' race cards have no colour there. Pure. */
import type { CamelUpState } from "./messages";
import { LEG_VALUES } from "./pieces";

export const DECKS = ["winner", "loser"] as const;
export type Deck = (typeof DECKS)[number];

export interface Laid {
  deck: Deck;
  /** The how-manieth of its deck, from 1. */
  place: number;
  /** Null while only its owner knows it. */
  camel: number | null;
}

/** The leg tiles that a player took, by colour. */
export function tilesOf(view: CamelUpState, player: number): { camel: number; value: number }[] {
  return view.leg_bets.flatMap((takers, camel) =>
    takers.flatMap((taker, place) => (taker === player ? [{ camel, value: LEG_VALUES[place] }] : [])),
  );
}

/** The race cards that a player has laid on the decks. */
export function laidBy(view: CamelUpState, player: number): Laid[] {
  const found = (deck: Deck, cards: CamelUpState["winner_deck"]): Laid[] =>
    cards.flatMap(([owner, camel], at) => (owner === player ? [{ deck, place: at + 1, camel }] : []));
  return [...found("winner", view.winner_deck), ...found("loser", view.loser_deck)];
}

/** Whether a player's money is hidden from whoever looks. */
export function coversMoney(view: CamelUpState, player: number, seat: number | null, over: boolean): boolean {
  return view.options.hide_money === true && !over && player !== seat;
}
