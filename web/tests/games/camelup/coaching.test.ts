import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadCoachWords, type CoachWords } from "../../../src/games/game";
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
    const leg = { key: "coach.camelup.leg", values: { camel: "blue", first: 41, second: 22, tile: 5, value: 1.9 } };
    await chooseLanguage("en");
    expect(words.reason(leg, NAMES)).toBe("Blue: 41% to lead, 22% to be second. The 5 earns +1.90 on average.");
    await chooseLanguage("de");
    expect(words.reason(leg, NAMES)).toMatch(/^Das blaue Kamel: 41\s% für die Führung, .* im Schnitt \+1,90\.$/);
    await chooseLanguage("fr");
    expect(words.reason(leg, NAMES)).toMatch(/^Le chameau bleu : 41\s% d’être en tête, .* \+1,90 en moyenne\.$/);
    await chooseLanguage("en");
    const rival = { key: "coach.camelup.rival", values: { seat: 1, value: -0.5 } };
    expect(words.reason(rival, NAMES)).toBe("It brings Ben −0.50.");
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
