import { describe, expect, it } from "vitest";
import { another, courses, today, type Tried } from "../../src/pages/train/training";

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

it("answers are counted by theme, the oldest first", () => {
  expect(courses(["leg", "roll"], tried(["a", true], ["d", false], ["b", false]))).toEqual([
    { theme: "leg", count: 2, right: 1, answers: [true, false] },
    { theme: "roll", count: 1, right: 0, answers: [false] },
  ]);
});

it("the day is everybody's", () => {
  expect(today(new Date("2026-11-16T23:59:00Z"))).toBe("2026-11-16");
});
