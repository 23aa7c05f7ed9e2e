import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CoachWords } from "../../../src/games/game";
import { loadCoachWords } from "../../../src/games/later";
import { chooseLanguage } from "../../../src/i18n/language.svelte";

const NAMES = ["Ann", "Ben"];
vi.stubGlobal("document", { documentElement: {} });

describe("the coach of Camel Up", () => {
  let words: CoachWords;
  beforeAll(async () => {
    await chooseLanguage("en");
    words = await loadCoachWords("camelup");
  });

  it("says its reasons in the language on screen", async () => {
    const tile = { key: "coach.camelup.gets.tile", values: { seats: [1], camel: "blue", tile: 5, pounds: 1.9 } };
    expect(words.reason(tile, NAMES)).toBe("The 5 on Blue brings Ben 1.9 more.");
    expect(words.reason(tile, NAMES, 1)).toBe("The 5 on Blue brings you 1.9 more.");
    await chooseLanguage("de");
    expect(words.reason(tile, NAMES)).toBe("Die 5 auf Blau bringt Ben 1,9 mehr.");
    expect(words.reason(tile, NAMES, 1)).toBe("Die 5 auf Blau bringt dir 1,9 mehr.");
    await chooseLanguage("fr");
    expect(words.reason(tile, NAMES)).toBe("Le 5 sur le bleu rapporte 1,9 de plus à Ben.");
    expect(words.reason(tile, NAMES, 1)).toBe("Le 5 sur le bleu vous rapporte 1,9 de plus.");
    await chooseLanguage("en");
    const others = { key: "coach.camelup.gets.race", values: { seats: [0, 2], pounds: -0.5 } };
    expect(words.reason(others, NAMES, 0)).toBe("Race cards bring the others 0.5 less.");
    const turn = { key: "coach.camelup.gets.turn", values: { seats: [0], share: 45, before: 20 } };
    expect(words.reason(turn, NAMES)).toBe("Ann goes first in the next leg 45% of the time, not 20%.");
    expect(words.reason({ key: "coach.even", values: {} }, NAMES)).toBe("About equal: a matter of taste.");
  });

  it.each([
    ["leg green", "Leg bet on Green"],
    ["winner white", "Race bet: White wins"],
    ["loser ?", "Race bet on the loser"],
    ["mirage 7", "Mirage on space 7"],
    ["roll", "Shake the pyramid"],
    ["die green 2", "Green: 2"],
  ])("says %s in words", (notation, said) => expect(words.action(notation, NAMES)).toBe(said));
});
