import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadCoachWords, type CoachWords } from "../../../src/games/game";
import { chooseLanguage } from "../../../src/i18n/language.svelte";

const NAMES = ["Ann", "Ben"];
vi.stubGlobal("document", { documentElement: {} });

describe("the coach of the pyramid", () => {
  let words: CoachWords;
  beforeAll(async () => {
    await chooseLanguage("en");
    words = await loadCoachWords("pharaoh");
  });

  it("says its reasons, counting moves and naming seats", () => {
    const home = (moves: number) => ({ key: "coach.pharaoh.home", values: { cell: "c4", moves } });
    expect(words.reason(home(1), NAMES)).toBe("From c4 it is 1 move home.");
    expect(words.reason(home(3), NAMES)).toBe("From c4 it is 3 moves home.");
    expect(words.reason({ key: "coach.pharaoh.steal", values: { value: 3, seat: 0 } }, NAMES)).toContain("Ann");
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
