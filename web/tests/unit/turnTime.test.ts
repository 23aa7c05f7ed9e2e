import { describe, expect, it } from "vitest";
import type { TurnTime } from "../../src/net/messages";
import { secondsLeft, untilHalfTime } from "../../src/session/turnTime";

const told: TurnTime = { type: "clock", seat: 0, left: 50, of: 60, running: true };

describe("the time of a turn", () => {
  it("runs from when it was told, whatever the time of day is here", () => {
    expect(secondsLeft(told, 0)).toBe(50);
    expect(secondsLeft(told, 20_500)).toBe(29.5);
    expect(secondsLeft(told, 80_000)).toBe(0);
  });

  it("stands in a pause", () => {
    expect(secondsLeft({ ...told, running: false }, 20_000)).toBe(50);
    expect(untilHalfTime({ ...told, running: false })).toBeNull();
  });

  it("knows when half of the time has passed", () => {
    expect(untilHalfTime(told)).toBe(20_000);
    expect(untilHalfTime({ ...told, left: 12 })).toBe(0);
    expect(untilHalfTime({ ...told, seat: null, left: 0, running: false })).toBeNull();
  });
});
