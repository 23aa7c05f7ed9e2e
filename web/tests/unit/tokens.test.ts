import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, GAMES, games, ROOT } from "./games";

const SRC = join(ROOT, "web/src");
const THEME = join(SRC, "theme.css");

const written = filesBelow(SRC, [".svelte", ".css"]).map(({ path, text }) => ({ path: relative(SRC, path), text }));

/** Every value of a property, each with the file that it stands in. */
function values(property: string): { path: string; text: string; value: string }[] {
  const found = new RegExp(`(?<![\\w-])${property}:\\s*([^;}]*)[;}]`, "g");
  return written.flatMap(({ path, text }) =>
    [...text.matchAll(found)].map((match) => ({ path, text, value: match[1].trim() })),
  );
}

/** The layers that a file names, with their numbers, in the order in which they stand there. */
function layers(file: string): [string, number][] {
  return [...readFileSync(file, "utf8").matchAll(/^ {2}--(layer-[a-z]+): (\d+);/gm)].map((match) => [
    match[1],
    Number(match[2]),
  ]);
}

describe("what lies over what", () => {
  const page = layers(THEME);
  const boards = games.map((game) => layers(join(GAMES, game, "theme.css")));

  it("is one order, written from the lowest to the highest", () => {
    expect(page.map(([name]) => name)).toEqual(
      ["bubble", "dock", "flight", "caption", "pointer", "choice", "sheet", "carried", "notice"].map(
        (name) => `layer-${name}`,
      ),
    );
    for (const order of [page, ...boards]) {
      expect(order.map(([, number]) => number)).toEqual(order.map(([, number]) => number).toSorted((a, b) => a - b));
      expect(new Set(order.map(([, number]) => number)).size).toBe(order.length);
    }
  });

  it("puts everything on a board below what any board has over it", () => {
    for (const [name, number] of boards.flat()) expect(number, name).toBeLessThan(page[0][1]);
  });

  it("is said by name, or among parts that are a stack of their own by a small number", () => {
    const named = new Set([...page, ...boards.flat()].map(([name]) => `var(--${name})`));
    const found = values("z-index");
    expect(found.length).toBeGreaterThan(30);
    const odd = found.filter(
      ({ value, text }) => !named.has(value) && !(/^-?[0-3]$/.test(value) && text.includes("isolation: isolate")),
    );
    expect(odd.map(({ path, value }) => `${path}: ${value}`)).toEqual([]);
    for (const name of named) expect(found.map(({ value }) => value)).toContain(name);
  });
});
