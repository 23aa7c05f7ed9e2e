/** Whoever reads what happened is spoken to; everybody else has a name. */
import { beforeAll, expect, it } from "vitest";
import { tell } from "../../../../src/games/camelup/tell";
import type { Event } from "../../../../src/games/camelup/messages";
import { learnWords, startLanguage } from "../../../../src/i18n/language.svelte";

const NAMES = ["Guest", "Fennec"];
const EVENTS: Event[] = [
  { type: "leg_began", leg: 1, marker: 0 },
  { type: "leg_tile_taken", seat: 0, camel: 0, value: 5 },
  { type: "card_laid", seat: 0, deck: "loser", camel: 2 },
  { type: "card_laid", seat: 0, deck: "winner", camel: null },
  { type: "desert_met", space: 5, side: -1, owner: 0 },
  { type: "pound_paid", seat: 0, amount: 1, money: 4 },
  {
    type: "leg_scored",
    seat: 0,
    tiles: [
      { camel: 0, value: 5, amount: 5 },
      { camel: 1, value: 3, amount: -1 },
    ],
    pyramid_tiles: 2,
    total: 6,
    paid: 6,
    money: 10,
  },
  { type: "card_scored", seat: 0, deck: "loser", place: 1, camel: 2, right: true, paid: 8, money: 12 },
] as Event[];

beforeAll(async () => {
  await startLanguage("en");
  await learnWords("camelup");
});

const told = (you: number | null) => EVENTS.map((event) => tell(event, NAMES, you));

it("what you do and get is told to you", () => {
  expect(told(0)).toEqual([
    "Leg 1, until every die is out: you go first.",
    "You back Blue for this leg: 5 if it leads at the end.",
    "You back Orange to come last.",
    "You lay a card for the overall winner.",
    "It hits your mirage!",
    "You get 1 pound: a camel stopped on your desert tile.",
    "You: +6 (Blue +5, Green −1, 2 rolls +2), now 10.",
    "You backed Orange to come last: +8.",
  ]);
});

it("of others it is told by name", () => {
  for (const you of [1, null])
    expect(told(you)).toEqual([
      "Leg 1, until every die is out: Guest goes first.",
      "Guest backs Blue for this leg: 5 if it leads at the end.",
      "Guest backs Orange to come last.",
      "Guest lays a card for the overall winner.",
      "It hits Guest’s mirage!",
      "Guest gets 1 pound: a camel stopped on their desert tile.",
      "Guest: +6 (Blue +5, Green −1, 2 rolls +2), now 10.",
      "Guest backed Orange to come last: +8.",
    ]);
});
