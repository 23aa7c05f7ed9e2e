import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import de from "../../../locales/de.json";
import en from "../../../locales/en.json";
import fr from "../../../locales/fr.json";
import { companyOf, everyLevel, nextBot, othersOf, secondsLeft, stepped, usualBot } from "../../src/table/lobby/levels";
import { filesBelow, games, GAMES } from "./games";

const bots = {
  bots: ["random", "a", "quick", "b", "c"],
  levels: ["a", "b", "c"],
  standings: [],
  company: { a: ["a", "x", "y"], b: ["b", "y", "z"] },
  warming: [],
};
const person = { kind: "person", name: "Ann" } as const;
const bot = (name: string) => ({ kind: "bot", name, bot: name }) as const;

it("begins with the level played against last, or the middle one", () => {
  expect(usualBot(bots)).toBe("b");
  expect(usualBot(bots, "c")).toBe("c");
  expect(usualBot(bots, "quick")).toBe("b");
  expect(usualBot({ bots: ["random", "cautious"], levels: [], warming: [] }, "c")).toBe("cautious");
  expect(othersOf(bots)).toEqual(["random", "quick"]);
});

it("counts those that are not ready yet among the others, and knows how long they need", () => {
  const cold = {
    ...bots,
    bots: ["random", "a"],
    levels: ["a"],
    warming: [
      { bot: "b", seconds: 12, level: 1 },
      { bot: "quick", seconds: 3, level: null },
      { bot: "c", seconds: 14, level: 2 },
    ],
  };
  expect(everyLevel(cold)).toEqual(["a", "b", "c"]);
  expect(othersOf(cold)).toEqual(["random", "quick"]);
  expect(usualBot(cold)).toBe("b");
  expect(usualBot(cold, "c")).toBe("c");
  expect(secondsLeft(cold, "c")).toBe(14);
  expect(secondsLeft(cold, "a")).toBeNull();
});

it("goes up and down by one level, as far as there are any", () => {
  expect(stepped([person, bot("a"), bot("c"), bot("quick")], bots, 1)).toEqual(["b", "c", "quick"]);
  expect(stepped([person, bot("b")], bots, -1)).toEqual(["a"]);
  expect(stepped([person, bot("c")], bots, 1)).toBeNull();
  expect(stepped([person, bot("quick")], bots, 1)).toBeNull();
  expect(stepped([person, { ...person, bot: "a" }], bots, 1)).toBeNull();
});

it("seats different ones of about one strength where only the level was chosen", () => {
  expect(companyOf(bots, "a", 2)).toEqual(["a", "x"]);
  expect(companyOf(bots, "a", 4)).toEqual(["a", "x", "y", "a"]);
  expect(companyOf(bots, "c", 3)).toEqual(["c", "c", "c"]);
  expect(nextBot(bots, [])).toBe("b");
  expect(nextBot(bots, ["b", "y"])).toBe("z");
  expect(nextBot(bots, ["y", "a"], "c")).toBe("x");
  expect(nextBot(bots, ["c"])).toBe("c");
});

it("takes the company of a level together to that of the next", () => {
  expect(stepped([person, bot("a"), bot("x")], bots, 1)).toEqual(["b", "y"]);
  expect(stepped([person, bot("b"), bot("y"), bot("z")], bots, -1)).toEqual(["a", "x", "y"]);
  expect(stepped([person, bot("b"), bot("y")], bots, 1)).toEqual(["c", "c"]);
});

it("has a name, a temper and a line in every language for every face, and a face for every temper", () => {
  const faces = games
    .filter((game) => readdirSync(join(GAMES, game)).includes("faces"))
    .flatMap((game) => filesBelow(join(GAMES, game, "faces"), [".svg"]).map(({ path }) => basename(path, ".svg")));
  expect(faces.length).toBeGreaterThan(0);
  for (const words of [en, de, fr]) {
    const keys = Object.keys(words);
    const wanted = faces.flatMap((face) => [`bot.${face}`, `level.${face}.temper`, `level.${face}.line`]);
    expect(wanted.filter((key) => !keys.includes(key))).toEqual([]);
    const tempers = keys.filter((key) => key.endsWith(".temper")).map((key) => key.split(".")[1]);
    expect([...tempers].sort()).toEqual([...faces].sort());
  }
});
