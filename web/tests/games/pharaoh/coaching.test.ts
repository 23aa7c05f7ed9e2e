import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CoachWords } from "../../../src/games/game";
import { loadCoachWords } from "../../../src/games/later";
import { chooseLanguage } from "../../../src/i18n/language.svelte";

const NAMES = ["Ann", "Ben"];
vi.stubGlobal("document", { documentElement: {} });

describe("the coach of the pyramid", () => {
  let words: CoachWords;
  beforeAll(async () => {
    await chooseLanguage("en");
    words = await loadCoachWords("pharaoh");
  });

  it("says its reasons in the language on screen", async () => {
    const home = {
      key: "coach.pharaoh.gets.home_far",
      values: { seats: [1], value: 3, share: 40, before: 80, moves: 7, instead: 3 },
    };
    expect(words.reason(home, NAMES)).toBe("Ben’s 3 gets home 40% of the time, not 80%. Moves home: 7, not 3.");
    expect(words.reason(home, NAMES, 1)).toBe("Your 3 gets home 40% of the time, not 80%. Moves home: 7, not 3.");
    await chooseLanguage("de");
    expect(words.reason(home, NAMES, 1)).toMatch(
      /^Deine 3 kommt in 40\s% der Fälle heim statt in 80\s%. Spielzüge bis heim: 7 statt 3.$/,
    );
    await chooseLanguage("fr");
    expect(words.reason(home, NAMES)).toMatch(/^Le 3 de Ben arrive dehors dans 40\s% des cas au lieu de 80\s%/);
    await chooseLanguage("en");
  });

  it("says “you” for whoever gets it, takes it or loses it", () => {
    const stolen = { key: "coach.pharaoh.gets.stolen_from", values: { seats: [1], victim: 0, points: -1.25 } };
    expect(words.reason(stolen, NAMES)).toBe("In later turns Ben gains 1.3 points less by robbing Ann.");
    expect(words.reason(stolen, NAMES, 0)).toBe("In later turns Ben gains 1.3 points less by robbing you.");
    expect(words.reason(stolen, NAMES, 1)).toBe("In later turns you gain 1.3 points less by robbing Ann.");
    const robbed = {
      key: "coach.pharaoh.gets.robbed",
      values: { seats: [1], thief: 0, value: 3, share: 31, before: 0 },
    };
    expect(words.reason(robbed, NAMES, 0)).toBe("You rob Ben 31% of the time, not 0%.");
    expect(words.reason(robbed, NAMES, 1)).toBe("Ann robs you 31% of the time, not 0%.");
    const values = { seats: [1], victim: 0, share: 31, before: 60, points: -0.8, moves: 4, instead: 2 };
    const robs = { key: "coach.pharaoh.gets.robs_near", values };
    expect(words.reason(robs, NAMES, 0)).toBe(
      "Ben robs you and gets it home 31% of the time, not 60%: 0.8 points less for Ben. Ben’s moves to you: 4, not 2.",
    );
    expect(words.reason(robs, NAMES, 1)).toBe(
      "You rob Ann and get it home 31% of the time, not 60%: 0.8 points less. Moves to Ann: 4, not 2.",
    );
    const others = { key: "coach.pharaoh.gets.stolen_from", values: { seats: [1, 2], victim: 0, points: 0.4 } };
    expect(words.reason(others, NAMES, 0)).toBe("In later turns the others gain 0.4 points more by robbing you.");
    const end = { key: "coach.pharaoh.gets.end", values: { seats: [0], share: 81, before: 25 } };
    expect(words.reason(end, NAMES, 0)).toBe("The pyramid begins to fall in the next rounds 81% of the time, not 25%.");
  });

  it("says who loses figures, what the plan is, and that a move was only too early", () => {
    const figures = { key: "coach.pharaoh.gets.figures_lost", values: { seats: [1], points: -1.1 } };
    expect(words.reason(figures, NAMES, 0)).toBe("Ben loses more figures in the collapse (1.1 points on average).");
    expect(
      words.reason({ key: "coach.pharaoh.gets.figures_saved", values: { seats: [1], points: 0.4 } }, NAMES, 1),
    ).toBe("You save more figures from the collapse (0.4 points on average).");
    const plan = { key: "coach.pharaoh.plan", values: { then: ["helper b1", "lamp", "helper b2"] } };
    expect(words.reason(plan, NAMES)).toBe(
      "The plan for this turn: Helper walks to b1, then Put up a lamp, then Helper walks to b2.",
    );
    const after = { key: "coach.pharaoh.gets.after", values: { seats: [1], then: ["helper b1"] } };
    expect(words.reason(after, NAMES, 1)).toBe("Your move is right too, but only after this: Helper walks to b1.");
    expect(words.reason(after, NAMES, 0)).toBe("Ben’s move is right too, but only after this: Helper walks to b1.");
  });

  it.each([
    ["archaeologist c4", "Archaeologist walks to c4"],
    ["lay NES", "Lay the tile open to north, east, and south"],
    ["turn b2 NE", "Turn the tile on b2: open to north and east"],
    ["take mask", "Take the death mask"],
    ["steal 1", "Steal from Ben"],
    ["tile falcon", "Falcon chamber"],
    ["photo 2", "Photo 2"],
    ["treasure 3", "Treasure worth 3"],
    ["end", "End the turn"],
  ])("says %s in words", (notation, said) => expect(words.action(notation, NAMES)).toBe(said));
});
