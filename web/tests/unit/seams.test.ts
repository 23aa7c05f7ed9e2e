import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, games, GAMES, ROOT } from "./games";

const SOURCES = [".ts", ".svelte", ".css"];
const shared = [...filesBelow(join(ROOT, "web/src"), SOURCES), ...filesBelow(join(ROOT, "web/tests"), SOURCES)]
  .map(({ path, text }) => ({ path: relative(join(ROOT, "web"), path), text }))
  .filter(
    ({ path }) =>
      !games.some((game) => path.startsWith(`src/games/${game}/`) || path.startsWith(`tests/games/${game}/`)),
  );

/** The names that a style sheet gives to colours and the like. */
function tokens(file: string): string[] {
  return existsSync(file)
    ? [...readFileSync(file, "utf8").matchAll(/^ {2}(--[a-z-]+):/gm)].map((match) => match[1])
    : [];
}

describe.each(games)("what all games share", (game) => {
  it(`does not name ${game}`, () => {
    expect(shared.length).toBeGreaterThan(50);
    const said = new RegExp(`\\b${game}\\b`, "i");
    expect(shared.filter(({ text }) => said.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it(`has none of the colours of ${game}`, () => {
    const own = tokens(join(GAMES, game, "theme.css"));
    const used = shared.filter(({ text }) => own.some((token) => text.includes(`var(${token})`)));
    expect(used.map(({ path }) => path)).toEqual([]);
  });
});

describe("a colour", () => {
  it("has a name of its own, whatever games are on the page", () => {
    const named = [join(ROOT, "web/src/theme.css"), ...games.map((game) => join(GAMES, game, "theme.css"))].flatMap(
      tokens,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((token, at) => named.indexOf(token) !== at)).toEqual([]);
  });
});
