import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { passages } from "../../src/rules/passages";
import type { Part, RulesText } from "../../src/games/game";
import { games, GAMES } from "./games";

const drawn = import.meta.glob<{ DRAWINGS: Record<string, unknown> }>("../../src/games/*/rules/drawings.ts", {
  eager: true,
});
const explained = games.filter((game) => existsSync(join(GAMES, game, "rules/en.json")));

function rules(game: string, language: string): RulesText {
  return JSON.parse(readFileSync(join(GAMES, game, "rules", `${language}.json`), "utf8")) as RulesText;
}

/** What a text is made of, without its words. */
function shape(text: RulesText): unknown {
  const part = (one: Part): unknown =>
    typeof one === "string" ? "words" : "list" in one ? one.list.length : one.drawing;
  return text.sections.map(({ key, parts }) => [key, parts.map(part)]);
}

function words(text: RulesText): string[] {
  const part = (one: Part): string[] => (typeof one === "string" ? [one] : "list" in one ? one.list : [one.caption]);
  return [text.intro, text.numbers, ...text.sections.flatMap(({ title, parts }) => [title, ...parts.flatMap(part)])];
}

describe.each(explained)("the rules of %s", (game) => {
  it.each(["de", "fr"])("say in %s all that they say in English", (language) => {
    expect(shape(rules(game, language))).toEqual(shape(rules(game, "en")));
  });

  it.each(["en", "de", "fr"])("leave nothing empty in %s", (language) => {
    expect(words(rules(game, language)).filter((one) => one.trim() === "")).toEqual([]);
  });

  it("show every drawing there is, and no other", () => {
    const shown = rules(game, "en").sections.flatMap(({ parts }) =>
      parts.flatMap((part) => (typeof part === "object" && "drawing" in part ? [part.drawing] : [])),
    );
    expect(shown.sort()).toEqual(Object.keys(drawn[`../../src/games/${game}/rules/drawings.ts`].DRAWINGS).sort());
  });

  it("have every section that a table asks for", () => {
    const keys = rules(game, "en").sections.map((section) => section.key);
    const asked = readdirSync(join(GAMES, game))
      .filter((name) => name.endsWith(".svelte"))
      .flatMap((name) => [...readFileSync(join(GAMES, game, name), "utf8").matchAll(/sections[=:] ?\{?\[([^\]]*)\]/g)])
      .flatMap((match) => [...match[1].matchAll(/"(\w+)"/g)].map((found) => found[1]));
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((key) => !keys.includes(key))).toEqual([]);
  });
});

describe("a paragraph of the rules", () => {
  it("falls into passages, each with the rules that it tells", () => {
    expect(passages("One step. Or none. [4.2] Never aslant. [4.1, 4.4] So be it.")).toEqual([
      { words: "One step. Or none.", rules: ["4.2"] },
      { words: " Never aslant.", rules: ["4.1", "4.4"] },
      { words: " So be it.", rules: [] },
    ]);
  });
});
