import { describe, expect, it } from "vitest";
import { noDetails, readDetails, writeDetails } from "../../../src/games/camelup/odds/details";
import { emptySetup, put, read, toggleDie } from "../../../src/games/camelup/odds/position";
import { missing, write, type Setup } from "../../../src/games/camelup/odds/written";

function setup(text: string): Setup {
  const found = read(text);
  if (found === null) throw new Error(`${text} cannot be read`);
  return found;
}

describe("a position", () => {
  it.each([
    ["1gyo 3bw | +5 -9 | bgoyw", "1gyo 3bw | +5 -9 | bgoyw"],
    ["3bw 1gyo", "1gyo 3bw | | bgoyw"],
    ["1gyo 3bw | | wb", "1gyo 3bw | | bw"],
    ["  16b 15g 14o|-3 +12|w g ", "14o 15g 16b | -3 +12 | gw"],
  ])("is read and written in order: %s", (text, written) => {
    expect(write(setup(text))).toBe(written);
    expect(write(setup(written))).toBe(written);
  });

  it.each(["1gyx", "gyo", "17g", "0g", "1g 3g", "1gg", "1g | 5", "1g | +17", "1g | | gg", "1g | | | g"])(
    "that cannot be drawn is refused: %s",
    (text) => {
      expect(read(text)).toBeNull();
    },
  );

  it("takes a camel from where it was and puts it on top", () => {
    const moved = put(setup("1gyo 3bw"), { kind: "camel", camel: 1 }, 3);
    expect(write(moved)).toBe("1yo 3bwg | | bgoyw");
    expect(write(put(moved, { kind: "camel", camel: 0 }, 3))).toBe("1yo 3wgb | | bgoyw");
  });

  it("lifts a tile that is put where it lies, and turns one over that lies the other way", () => {
    const placed = put(setup("1gyo 3bw"), { kind: "tile", side: 1 }, 5);
    expect(write(placed)).toBe("1gyo 3bw | +5 | bgoyw");
    expect(write(put(placed, { kind: "tile", side: -1 }, 5))).toBe("1gyo 3bw | -5 | bgoyw");
    expect(write(put(placed, { kind: "tile", side: 1 }, 5))).toBe("1gyo 3bw | | bgoyw");
  });

  it("has all dice back when the last one has gone out", () => {
    const one = setup("1gyo 3bw | | b");
    expect([...toggleDie(one, 0).dice].length).toBe(5);
    expect(write(toggleDie(one, 4))).toBe("1gyo 3bw | | bw");
  });

  it("knows who is missing", () => {
    expect(missing(emptySetup())).toEqual([0, 1, 2, 3, 4]);
    expect(missing(setup("1gw"))).toEqual([0, 2, 3]);
  });
});

describe("details", () => {
  it("are left out of a link where nothing is special", () => {
    expect(writeDetails(noDetails())).toEqual({});
  });

  it("come back from a link as they went in", () => {
    const details = { taken: [1, 0, 0, 3, 0], cards: new Set([1, 4]), decks: { winner: 2, loser: 0 }, own: 9 };
    const written = writeDetails(details);
    expect(written).toEqual({ taken: "b1,y3", cards: "gw", decks: "winner:2", own_tile: "9" });
    expect(readDetails(new URLSearchParams(written))).toEqual(details);
  });

  it("tell an empty hand from an untold one", () => {
    expect(readDetails(new URLSearchParams("cards=")).cards.size).toBe(0);
    expect(readDetails(new URLSearchParams("")).cards.size).toBe(5);
  });
});
