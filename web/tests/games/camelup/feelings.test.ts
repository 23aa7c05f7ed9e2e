/** Faces and remarks of bots follow from what everybody sees, so nobody's hand can be read from them. */
import { expect, it } from "vitest";
import { feelings } from "../../../src/games/camelup/feelings";
import type { Event } from "../../../src/games/camelup/messages";

const event = (fields: object) => fields as unknown as Event;

it("is glad of pounds and pained by losses", () => {
  expect(feelings(event({ type: "pound_paid", seat: 2, amount: 1, money: 5 }))).toEqual([{ seat: 2, mood: "joy" }]);
  expect(feelings(event({ type: "leg_scored", seat: 1, paid: 6 }))).toEqual([{ seat: 1, mood: "joy" }]);
  expect(feelings(event({ type: "leg_scored", seat: 1, paid: 1 }))).toEqual([]);
  expect(feelings(event({ type: "card_scored", seat: 3, paid: -1 }))).toEqual([{ seat: 3, mood: "sorrow" }]);
});

it("feels nothing of a card that is laid, whether one sees its colour or not, nor of any move before it pays", () => {
  for (const camel of [null, 0, 1, 2, 3, 4])
    for (const deck of ["winner", "loser"])
      expect(feelings(event({ type: "card_laid", seat: 1, deck, camel }))).toEqual([]);
  for (const type of ["leg_tile_taken", "desert_placed", "die_drawn", "unit_landed", "leg_ended", "race_ended"])
    expect(feelings(event({ type, seat: 1 }))).toEqual([]);
});
