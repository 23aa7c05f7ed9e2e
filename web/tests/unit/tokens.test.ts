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
      ["bubble", "dock", "caption", "flight", "pointer", "choice", "sheet", "carried", "notice"].map(
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

/** The tokens of one kind, as they are used. */
function tokens(kind: string): Set<string> {
  const found = readFileSync(THEME, "utf8").matchAll(new RegExp(`^ {2}(--${kind}(?:-[a-z]+)?):`, "gm"));
  return new Set([...found].map((match) => `var(${match[1]})`));
}

/** Pictures, whose text and corners are measured in the picture's own units. */
const drawn = (path: string) => path.includes("/art/") || path.endsWith("/Drawing.svelte");

/** Text that has a size of its own, and why. */
const ODD_TEXT = [
  // all text grows on a large screen
  "theme.css: 112.5%",
  // a number in the middle of a line of text
  "rules/SectionText.svelte: 0.7em",
  // signs in the dots of the chart, told in words elsewhere
  "pages/review/Chart.svelte: 700 9px/1 var(--sans)",
  "pages/review/Chart.svelte: 0",
];

describe("the size of text", () => {
  const named = tokens("text");
  const found = values("(?:--chip-)?font(?:-size)?").filter(
    ({ path, value }) => !drawn(path) && !/^(inherit|var\(--[a-z]+-font, inherit\))$/.test(value),
  );

  it("is one of a few, or grows with the board or the screen", () => {
    expect(named.size).toBeLessThanOrEqual(11);
    expect(found.length).toBeGreaterThan(120);
    const odd = found.filter(
      ({ path, value }) =>
        ![...named].some((name) => value.includes(name)) &&
        !/\b(max|clamp)\([^;]*\d(cqw|vw|vmin|em)\b/.test(value) &&
        !ODD_TEXT.includes(`${path}: ${value}`),
    );
    expect(odd.map(({ path, value }) => `${path}: ${value}`)).toEqual([]);
    for (const name of named)
      expect(
        found.some(({ value }) => value.includes(name)),
        name,
      ).toBe(true);
  });
});

describe("a round corner", () => {
  it("has one of a few radii, or grows with what it belongs to", () => {
    const named = tokens("radius");
    expect(named.size).toBeLessThanOrEqual(6);
    const found = values("border(?:-[a-z]+)*-radius").filter(({ path }) => !drawn(path));
    expect(found.length).toBeGreaterThan(100);
    const odd = found.filter(({ value }) =>
      value
        .replaceAll(" / ", " ")
        .split(" ")
        .some((one) => !named.has(one) && !/^(0|inherit|var\(--chip-radius\)|[\d.]+(%|cqw|em))$/.test(one)),
    );
    expect(odd.map(({ path, value }) => `${path}: ${value}`)).toEqual([]);
    for (const name of named)
      expect(
        found.some(({ value }) => value.includes(name)),
        name,
      ).toBe(true);
  });
});

describe("a screen", () => {
  const WIDTHS = [340, 480, 560, 700, 960, 1200, 1560];
  const HEIGHTS = [500, 560, 900];

  it("is one of those that theme.css lists", () => {
    const list = readFileSync(THEME, "utf8").replace(/\s+\*?\s*/g, " ");
    for (const width of WIDTHS) expect(list).toMatch(new RegExp(`Widths: [^.]*\\b${width} `));
    for (const height of HEIGHTS) expect(list).toMatch(new RegExp(`Heights: [^.]*\\b${height}\\b`));
  });

  it("is asked for by these numbers alone", () => {
    const conditions = written.flatMap(({ path, text }) =>
      [...text.matchAll(/@media[^{]*/g)].map((match) => ({ path, condition: match[0] })),
    );
    expect(conditions.length).toBeGreaterThan(30);
    const odd = conditions.filter(({ condition }) =>
      [...condition.matchAll(/(min|max)-(width|height): (\S+?)(px|rem)\)/g)].some(([, end, side, value, unit]) => {
        const least = Number(value) + (end === "max" ? 1 : 0);
        return unit === "rem" ? value !== "20" : !(side === "width" ? WIDTHS : HEIGHTS).includes(least);
      }),
    );
    expect(odd.map(({ path, condition }) => `${path}: ${condition}`)).toEqual([]);
  });
});
