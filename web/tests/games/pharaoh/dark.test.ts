import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../unit/games";

const theme = readFileSync(join(ROOT, "web/src/games/pharaoh/theme.css"), "utf8");

/** The parts of a colour of the theme, by day or by night, between 0 and 1. */
function colour(name: string, night: number): number[] {
  const found = theme.match(new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`));
  return (found?.[1 + night] ?? "").match(/../g)?.map((part) => parseInt(part, 16) / 255) ?? [];
}

/** How bright a colour is in the dark, as WCAG counts it. */
function brightness(name: string, night: number): number {
  const dark = colour("dark", night);
  const parts = colour(name, night).map((part, at) => part * dark[at]);
  const linear = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

describe.each([
  ["by day", 0],
  ["by night", 1],
])("in the dark, %s", (_, night) => {
  it.each([
    ["floor", "wall"],
    ["plinth", "sign"],
  ])("%s and %s can be told apart where no light falls", (one, other) => {
    const [low, high] = [brightness(one, night), brightness(other, night)].sort((a, b) => a - b);
    expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(3);
  });

  it("is darker than in the light", () => {
    expect(Math.max(...colour("dark", night))).toBeLessThan(0.7);
  });
});
