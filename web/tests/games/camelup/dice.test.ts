import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkDice, holds } from "../../../src/pages/replay/dice/check";
import type { Draws } from "../../../src/net/messages";

describe("the dice of a recorded game", () => {
  it("are those that its secret gives", () => {
    const record = golden();
    const verdict = checkDice(record, record.commit);
    expect(verdict).toEqual({
      commitment: true,
      seen: true,
      mix: null,
      first: null,
      draws: record.draws.length,
      inherited: 0,
      wrong: null,
    });
    expect(verdict && holds(verdict)).toBe(true);
    expect(record.draws.length).toBeGreaterThan(5);
  });
});

/** A recorded game of Camel Up; what could be drawn each time follows from which dice are still in the pyramid. */
function golden(): Draws {
  const folder = join(import.meta.dirname, "../../../../tests/golden/camelup");
  const text = readFileSync(join(folder, readdirSync(folder).sort()[0]), "utf8");
  const head = (key: string): string => new RegExp(`^${key}: (.*)$`, "m").exec(text)?.[1] ?? "";
  const drawn = [...text.matchAll(/^die .*$/gm)].map(([line]) => line);
  const DICE = ["blue", "green", "orange", "yellow", "white"];
  const draws = drawn.map((line, n) => {
    const out = drawn.slice(n - (n % DICE.length), n).map((before) => before.split(" ")[1]);
    const outcomes = DICE.filter((die) => !out.includes(die)).flatMap((die) =>
      [1, 2, 3].map((pips) => `die ${die} ${pips}`),
    );
    return { n, outcomes, weights: outcomes.map(() => 1), drawn: line };
  });
  return { commit: head("commit"), mix: head("mix"), secret: head("secret"), values: [], draws, players: 2 };
}
