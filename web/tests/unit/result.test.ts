import { describe, expect, it } from "vitest";
import { leadOf, standingOf } from "../../src/table/ending/result";

describe("a standing", () => {
  it("has the best first, and those with the same score on the same place", () => {
    const standing = standingOf([3, 9, 3, 5], [1]);
    expect(standing.map(({ seat, place }) => [seat, place])).toEqual([
      [1, 1],
      [3, 2],
      [0, 3],
      [2, 3],
    ]);
    expect(leadOf(standing)).toBe(4);
  });

  it("shares the first place among all who won", () => {
    const standing = standingOf([7, 2, 7], [0, 2]);
    expect(standing.map(({ place }) => place)).toEqual([1, 1, 3]);
    expect(leadOf(standing)).toBe(5);
  });

  it("puts whoever lost a tie behind", () => {
    const standing = standingOf([7, 2, 7], [2]);
    expect(standing.map(({ seat, place }) => [seat, place])).toEqual([
      [2, 1],
      [0, 2],
      [1, 3],
    ]);
    expect(leadOf(standing)).toBe(0);
  });

  it("has no lead where all have won", () => {
    expect(leadOf(standingOf([4, 4], [0, 1]))).toBeNull();
  });
});
