import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GameInfo } from "../../../src/net/messages";
import { hasRules, pageLoader, pagesOf, posterOf } from "../../../src/games/game";
import { loadCoachWords, loadGame, loadKeys, loadPlaces, loadRules } from "../../../src/games/later";
import { games, GAMES } from "../../unit/games";

/** A game whose server can do everything. */
const able = (name: string): GameInfo => ({ name, odds: true }) as GameInfo;
const UNKNOWN = "pig";

describe.each(games)("the folder of %s", (game) => {
  const brings = (file: string): boolean => existsSync(join(GAMES, game, file));

  it("is where its parts are found", async () => {
    const none = await loadPlaces(UNKNOWN);
    expect({
      "index.ts": (await loadGame(game)) !== (await loadGame(UNKNOWN)),
      "Poster.svelte": posterOf(game) !== null,
      "pages.ts": pagesOf(able(game)).length > 0,
      rules: hasRules(game) && (await loadRules(game, "en")) !== null,
      "keys.ts": (await loadKeys(game)) !== null,
      "places.ts": String((await loadPlaces(game)).controls) !== String(none.controls),
      "coaching.ts": (await loadCoachWords(game)) !== (await loadCoachWords(UNKNOWN)),
    }).toEqual({
      "index.ts": true,
      "Poster.svelte": brings("Poster.svelte"),
      "pages.ts": brings("pages.ts"),
      rules: brings("rules"),
      "keys.ts": brings("keys.ts"),
      "places.ts": brings("places.ts"),
      "coaching.ts": brings("coaching.ts"),
    });
  });

  it("has every page that it names", async () => {
    const pages = await Promise.all(pagesOf(able(game)).map((name) => pageLoader(game, name)?.()));
    expect(pages.filter((page) => page?.default === undefined)).toEqual([]);
  });
});

describe("a game without a folder", () => {
  it("has no parts but those of any game", async () => {
    const { controls, marks } = await loadPlaces(UNKNOWN);
    expect([posterOf(UNKNOWN), hasRules(UNKNOWN), pagesOf(able(UNKNOWN))]).toEqual([null, false, []]);
    expect([await loadRules(UNKNOWN, "en"), await loadKeys(UNKNOWN), pageLoader(UNKNOWN, "odds")]).toEqual([
      null,
      null,
      undefined,
    ]);
    expect([controls({}), marks("hold", 0)]).toEqual([[], []]);
    expect(await loadGame(UNKNOWN)).toHaveProperty("Table");
  });

  it("is talked about by the coach as the server named things", async () => {
    const words = await loadCoachWords(UNKNOWN);
    expect(words.action("hold", [])).toBe("hold");
    expect(words.reason({ key: "coach.pig.hold", values: { safe: 3 } }, [])).toBe("coach.pig.hold (safe 3)");
  });
});
