import { describe, expect, it } from "vitest";
import { another, courses, needed, today, type Tried } from "../../src/pages/train/training";

const offered = { game: "any", today: "a", themes: { leg: ["a", "b", "c"], roll: ["d"] } };

function tried(...answers: [string, boolean][]): Tried[] {
  return answers.map(([id, right]) => ({ id, theme: id === "d" ? "roll" : "leg", right, day: "2026-11-16" }));
}

describe("what comes next", () => {
  it("is what was not tried yet, and never the same again", () => {
    for (const chance of [0, 0.5, 0.999]) {
      expect(another(offered, "leg", tried(["a", true]), "a", chance)).toMatch(/[bc]/);
      expect(another(offered, "leg", tried(["a", true], ["b", false]), "b", chance)).toBe("c");
    }
  });

  it("is what was tried longest ago, once all were", () => {
    const all = tried(["b", true], ["c", true], ["a", false]);
    expect(another(offered, "leg", all, "a", 0.999)).toBe("b");
    expect(another(offered, "leg", [...all, ...tried(["b", true])], "b", 0)).toBe("c");
  });

  it("is the same where there is no other", () => {
    expect(another(offered, "roll", [], "d", 0.5)).toBe("d");
  });
});

describe("what one needs", () => {
  const share = (answers: Tried[]): number => {
    const picked = Array.from({ length: 100 }, (_, step) => needed(offered, answers, "", (step + 0.5) / 100, 0));
    return picked.filter((id) => id === "d").length / 100;
  };

  it("is any theme as likely at first, and more and more the one that goes wrong", () => {
    expect(share([])).toBe(0.5);
    expect(share(tried(["d", false]))).toBeGreaterThan(0.5);
    expect(share(tried(["d", false], ["d", false]))).toBeGreaterThan(share(tried(["d", false])));
    expect(share(tried(["d", true], ["a", false]))).toBeLessThan(0.5);
  });

  it("forgets what has gone wrong long ago", () => {
    const mended: [string, boolean][] = Array.from({ length: 8 }, () => ["d", true]);
    expect(share(tried(["d", false], ...mended))).toBe(share(tried(...mended)));
  });

  it("never leaves a theme out", () => {
    const perfect: [string, boolean][] = Array.from({ length: 30 }, () => ["d", true]);
    expect(share(tried(...perfect))).toBeGreaterThan(0);
    expect(needed(offered, [], "", 1, 1)).toBe("d");
  });
});

it("answers are counted by theme, the oldest first", () => {
  expect(courses(["leg", "roll"], tried(["a", true], ["d", false], ["b", false]))).toEqual([
    { theme: "leg", count: 2, right: 1, answers: [true, false] },
    { theme: "roll", count: 1, right: 0, answers: [false] },
  ]);
});

it("the day is everybody's", () => {
  expect(today(new Date("2026-11-16T23:59:00Z"))).toBe("2026-11-16");
});
