import { statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, ROOT } from "./games";

const SRC = join(ROOT, "web/src");

/** The rooms of the page. A file imports from its own room and from those of the lines before it. */
const ORDER: readonly string[][] = [
  ["root"],
  ["net"],
  ["i18n"],
  ["ui"],
  ["session"],
  ["games"],
  ["rules", "coach"],
  ["table"],
  ["games/*"],
  ["pages"],
  ["pages/*"],
  ["top"],
];
/** Files beside the rooms that know all of them; the others there are known by all. */
const TOP = /^(App|main|routes)\b/;

/** Pages that import another one, and why they may. */
const NEIGHBOURS: Record<string, string> = {
  "pages/replay → pages/review": "a review stands beside the replay of its game",
};

interface Import {
  from: string;
  to: string;
}

/** The room of a file, by its path below `src`: each game and each page is one. */
function roomOf(path: string): string {
  const [first = "", second, third] = path.split("/");
  if (second === undefined) return TOP.test(first) ? "top" : "root";
  return third !== undefined && (first === "games" || first === "pages") ? `${first}/${second}` : first;
}

function levelOf(room: string): number {
  const level = ORDER.findIndex((rooms) => rooms.includes(room.replace(/\/.*/, "/*")));
  if (level < 0) throw new Error(`${room} has no place in the order of rooms`);
  return level;
}

/** Every file of the page that a file imports, from the start or later, for values or types. */
function importsIn(from: string, text: string): Import[] {
  const code = text.replace(/\/\*[^]*?\*\/|<!--[^]*?-->|^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`?]*)/g)]
    .map(([, name = ""]) => join(SRC, dirname(from), name))
    .map((file) => ({ from, to: relative(SRC, isFolder(file) ? join(file, "index") : file) }))
    .filter(({ to }) => !to.startsWith(".."));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether an import goes against the order, or from one game or page into another. */
function isWrong({ from, to }: Import): boolean {
  const [own, other] = [roomOf(from), roomOf(to)];
  return own !== other && levelOf(other) >= levelOf(own) && !(`${own} → ${other}` in NEIGHBOURS);
}

describe("the rooms of the page", () => {
  const files = filesBelow(SRC, [".ts", ".svelte"]).map(({ path, text }) => ({ path: relative(SRC, path), text }));
  const imports = files.flatMap(({ path, text }) => importsIn(path, text));

  it("import only from rooms before them", () => {
    expect(imports.length).toBeGreaterThan(500);
    expect(imports.filter(isWrong).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("find the parts of games in one room", () => {
    const finding = files.filter(({ text }) => text.includes("import.meta.glob")).map(({ path }) => path);
    expect(finding).toEqual(["games/game.ts", "games/later.ts"]);
  });

  it("have no exception that nobody needs", () => {
    const used = new Set(imports.map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}`));
    expect(Object.keys(NEIGHBOURS).filter((pair) => !used.has(pair))).toEqual([]);
  });
});

describe("an import", () => {
  it.each([
    ['import { at } from "../address";', "address"],
    ['import type { Key } from "../i18n/catalogue";', "i18n/catalogue"],
    ['import {\n  a,\n  type B,\n} from "../net/rest";', "net/rest"],
    ['import "../theme.css";', "theme.css"],
    ['export { default } from "./Sheet.svelte";', "ui/Sheet.svelte"],
    ['{#await import("../table/Story.svelte") then x}', "table/Story.svelte"],
    ['const { Summary } = await import("../pages/review");', "pages/review/index"],
    ['type Card = import("./card").Card;', "ui/card"],
  ])("is found in %s", (text, to) => {
    expect(importsIn("ui/Some.svelte", text)).toEqual([{ from: "ui/Some.svelte", to }]);
  });

  it.each(['// import "./a";', '/* import "./a"; */', '<!-- import "./a" -->', 'import { mount } from "svelte";'])(
    "of a room is not found in %s",
    (text) => {
      expect(importsIn("ui/Some.svelte", text)).toEqual([]);
    },
  );

  it.each([
    ["net/rest.ts", "ui/Popover.svelte"],
    ["table/Story.svelte", "games/a/Table.svelte"],
    ["games/a/Table.svelte", "games/b/words"],
    ["games/game.ts", "games/a/index"],
    ["rules/Help.svelte", "coach/Hints.svelte"],
    ["pages/new/NewTable.svelte", "pages/home/Home.svelte"],
    ["ui/Popover.svelte", "App.svelte"],
  ])("from %s to %s is wrong", (from, to) => {
    expect(isWrong({ from, to })).toBe(true);
  });

  it.each([
    ["games/a/Table.svelte", "games/game"],
    ["games/a/odds/Lanes.svelte", "games/a/words"],
    ["table/lobby/Lobby.svelte", "table/Ask.svelte"],
    ["pages/home/Home.svelte", "rules/Help.svelte"],
    ["App.svelte", "pages/home/Home.svelte"],
    ["ui/Popover.svelte", "address"],
  ])("from %s to %s is right", (from, to) => {
    expect(isWrong({ from, to })).toBe(false);
  });
});
