/** What a player at a real table may add to a position, in writing for the server and for a link. */
import { letters } from "./written";

/** What is known at the table besides the position. */
export interface Details {
  /** By camel: how many leg tiles are gone. */
  taken: number[];
  /** The race cards still in hand. */
  cards: Set<number>;
  /** How many cards lie on each deck. */
  decks: { winner: number; loser: number };
  /** Where one's own desert tile lies. */
  own: number | null;
}

export const MOST_ON_A_DECK = 17;

export function noDetails(): Details {
  return { taken: [0, 0, 0, 0, 0], cards: new Set([0, 1, 2, 3, 4]), decks: { winner: 0, loser: 0 }, own: null };
}

/** Only what differs from the start of a leg, so that a link stays short. */
export function writeDetails({ taken, cards, decks, own }: Details): Record<string, string> {
  const asked: Record<string, string> = {};
  const gone = taken.flatMap((count, camel) => (count > 0 ? [`${letters([camel])}${count}`] : []));
  const laid = (["winner", "loser"] as const).flatMap((deck) => (decks[deck] > 0 ? [`${deck}:${decks[deck]}`] : []));
  if (gone.length > 0) asked.taken = gone.join(",");
  if (cards.size < 5) asked.cards = letters([...cards].sort((a, b) => a - b));
  if (laid.length > 0) asked.decks = laid.join(",");
  if (own !== null) asked.own_tile = String(own);
  return asked;
}

export function readDetails(query: URLSearchParams): Details {
  const details = noDetails();
  const camel = (letter: string): number => "bgoyw".indexOf(letter);
  for (const [, letter, count] of (query.get("taken") ?? "").matchAll(/([bgoyw])([0-3])/g)) {
    details.taken[camel(letter)] = Number(count);
  }
  const cards = query.get("cards");
  if (cards !== null) details.cards = new Set([...cards].map(camel).filter((one) => one >= 0));
  for (const [, deck, count] of (query.get("decks") ?? "").matchAll(/(winner|loser):(\d{1,2})/g)) {
    details.decks[deck as "winner" | "loser"] = Math.min(MOST_ON_A_DECK, Number(count));
  }
  const own = query.get("own_tile");
  if (own !== null && /^\d{1,2}$/.test(own)) details.own = Number(own);
  return details;
}
