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
    expect(words.reason(tile, NAMES)).toBe("The leg tile on Blue (worth 5) earns Ben 1.9 pounds more on average.");
    expect(words.reason(tile, NAMES, 1)).toBe("Your leg tile on Blue (worth 5) earns you 1.9 pounds more on average.");
    await chooseLanguage("de");
    expect(words.reason(tile, NAMES)).toBe("Die Etappenwette auf Blau (Wert 5) bringt Ben im Schnitt 1,9 Pfund mehr.");
    expect(words.reason(tile, NAMES, 1)).toBe(
      "Deine Etappenwette auf Blau (Wert 5) bringt dir im Schnitt 1,9 Pfund mehr.",
    );
    await chooseLanguage("fr");
    expect(words.reason(tile, NAMES)).toBe(
      "Le Pari-Manche sur le bleu (valeur 5) rapporte 1,9 livres de plus en moyenne à Ben.",
    );
    expect(words.reason(tile, NAMES, 1)).toBe(
      "Votre Pari-Manche sur le bleu (valeur 5) vous rapporte 1,9 livres de plus en moyenne.",
    );
    await chooseLanguage("en");
    const others = { key: "coach.camelup.gets.race", values: { seats: [0, 2], pounds: -0.5 } };
    expect(words.reason(others, NAMES, 0)).toBe("Race cards together earn the others 0.5 pounds less on average.");
    const bet = { key: "coach.camelup.gets.winner_now", values: { seats: [0], camel: "green", pounds: 2.7 } };
    expect(words.reason(bet, NAMES, 0)).toBe(
      "Betting on Green as race winner now, not later, earns you 2.7 pounds more on average.",
    );
    const after = { key: "coach.camelup.gets.loser_after", values: { seats: [1], camel: "green", pounds: -1.25 } };
    expect(words.reason(after, NAMES, 0)).toBe(
      "A later bet on Green as race loser comes behind this card and earns Ben 1.3 pounds less on average.",
    );
    const early = { seats: [0], camel: "green", pounds: 1.6, chance: 61, paid: 8, later: 5.4, earns: 4.5 };
    expect(words.reason({ key: "coach.camelup.gets.loser_early", values: early }, NAMES, 0)).toBe(
      "Green comes last 61% of the time. A right card now pays 8 pounds (it would probably be the first), later only 5.4 pounds on average. Betting now earns you 4.5 pounds on average, 1.6 pounds more than not betting now.",
    );
    const chosen = { seats: [0], camel: "white", chance: 20, paid: 2.3, earns: -0.4 };
    expect(words.reason({ key: "coach.camelup.gets.instead_winner", values: chosen }, NAMES, 0)).toBe(
      "The race bet you chose: White wins the race 20% of the time. A right card pays about 2.3 pounds (others have probably bet on it before), so the bet earns you −0.4 pounds on average.",
    );
    const most = { seats: [0], pounds: 1.6, most: ["winner white +0.9 62 55", "leg blue +0.6"] };
    expect(words.reason({ key: "coach.camelup.gets.race_of", values: most }, NAMES, 0)).toBe(
      "Your race cards earn you 1.6 pounds more on average, above all on White as race winner (+0.9; chance 62%, not 55%) and Blue in the leg (+0.6).",
    );
    const price = { key: "coach.camelup.gets.given_up", values: { seats: [0], pounds: -0.9 } };
    expect(words.reason(price, NAMES, 0)).toBe("You give up the pound for rolling (0.9 on average).");
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
