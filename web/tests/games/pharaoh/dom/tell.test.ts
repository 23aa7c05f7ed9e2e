/** Whoever reads what happened is spoken to; everybody else has a name. */
import { beforeAll, expect, it } from "vitest";
import type { Event } from "../../../../src/games/pharaoh/messages";
import { tell } from "../../../../src/games/pharaoh/tell";
import { learnWords, startLanguage } from "../../../../src/i18n/language.svelte";
import { atTable } from "../../../dom/kit";
import { written } from "../../../dom/wire";

const NAMES = ["Guest", "Jackal"];

beforeAll(async () => {
  await startLanguage("en");
  await learnWords("pharaoh");
});

it("a theft is told to the thief, to the victim, and to others", () => {
  const theft: Event = { type: "treasure_stolen", seat: 1, victim: 0, cell: 9, value: 2 };
  expect([1, 0, null].map((you) => tell(theft, NAMES, you))).toEqual([
    "You steal a treasure worth 2 from Guest!",
    "Jackal steals a treasure worth 2 from you!",
    "Jackal steals a treasure worth 2 from Guest!",
  ]);
});

it("whoever has no way home is told who did it", () => {
  const shut: Event = { type: "figure_shut_in", seat: 0, figure: "helper", cell: 9, by: 1, alone: true };
  expect([0, 1].map((you) => tell(shut, NAMES, you))).toEqual([
    "Jackal shuts your helper in on d2: no way leads home!",
    "Guest’s helper is shut in on d2: no way leads home!",
  ]);
  // Once another way can be opened from inside, and when one has done it oneself.
  expect(tell({ ...shut, alone: false }, NAMES, 0)).toBe("Jackal cuts your helper on d2 off from home!");
  expect(tell({ ...shut, alone: false, by: 0 }, NAMES, 0)).toBe("Your helper on d2 is cut off from home.");
});

it("a loss, a find and the end are told to you", () => {
  const events: Event[] = [
    { type: "figure_lost", seat: 0, figure: "helper", cell: 9, points: -1, score: 2 },
    { type: "mask_found", seat: 0, cell: 9, turns: 3 },
    { type: "game_ended", why: "collapse", scores: [1, 1], winners: [0] },
    { type: "game_ended", why: "collapse", scores: [1, 1], winners: [0, 1] },
  ];
  expect(events.map((event) => tell(event, NAMES, 0))).toEqual([
    "Your helper falls into the depths on d2 (−1)!",
    "The death mask! Its chamber falls after 3 more turns of yours.",
    "The pyramid has collapsed. You win.",
    "The pyramid has collapsed. You and Jackal share the victory.",
  ]);
});

it("how many turns are left is told once when the mask is found", () => {
  const left = (turns: number) => tell({ type: "countdown_went", seat: 1, turns }, NAMES, 0);
  expect([3, 2, 0].map(left)).toEqual([
    null,
    "After 2 more turns of Jackal the chamber of the mask falls.",
    "Time is up!",
  ]);
});

it("the page speaks to whoever sits in front of it", async () => {
  const page = await atTable(written("corridor-undo"));
  await page.press('[data-action="walk c3"]');
  await page.read("You walk to c3 with the archaeologist.");
});
