/** Whatever is loaded later names the words that it says: no sentence is said before it is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import en from "../../../locales/en.json";
import { partOf, partsAside } from "../../tools/catalogues";

const SOURCE = join(import.meta.dirname, "../../src");
const GAMES = new Set(readdirSync(join(SOURCE, "games")));
const PARTS = partsAside();

const files = (readdirSync(SOURCE, { recursive: true }) as string[])
  .filter((name) => /\.(ts|svelte)$/.test(name))
  .map((name) => join(SOURCE, name));
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

/** The file that an import in another means; null where it is none of the page's own. */
function found(from: string, name: string): string | null {
  if (!name.startsWith(".")) return null;
  const path = join(dirname(from), name);
  return [path, `${path}.ts`, join(path, "index.ts")].find((one) => texts.has(one) && existsSync(one)) ?? null;
}

function imports(file: string, pattern: RegExp): string[] {
  const names = [...texts.get(file)!.matchAll(pattern)].map((match) => match[1]);
  return names.map((name) => found(file, name)).filter((one) => one !== null);
}

/** What comes with a file at once. */
function closure(file: string): Set<string> {
  const all = new Set([file]);
  for (const one of all)
    for (const next of imports(one, /^\s*(?:import|export)\s+(?!type\b)[^;()]*?from\s+"([^"]+)"/gm)) all.add(next);
  return all;
}

/** The parts of the catalogue that a file speaks with, but for those of games, which come with their game. */
function partsSaidIn(file: string): string[] {
  const keys = [...texts.get(file)!.matchAll(/(?<!=== )["'`]([a-z_]+(?:\.[a-z_0-9]+)+)["'`]/g)].map(
    (match) => match[1],
  );
  const patterns = [...texts.get(file)!.matchAll(/`([a-z_]+)\.\$\{/g)]
    .map((match) => `${match[1]}.`)
    .filter((start) => ![...GAMES].some((game) => PARTS.includes(start + game)));
  const said = [...keys.filter((key) => key in en), ...patterns].map((key) => partOf(key, PARTS));
  return said.filter((part) => part !== "page" && !isOfGame(part));
}

function isOfGame(part: string): boolean {
  return part.split(".").some((word) => GAMES.has(word));
}

function declared(file: string): string[] {
  const words = /export const words = \[([^\]]*)\]/.exec(texts.get(file)!)?.[1] ?? "";
  const parts = [...words.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  return parts.filter((part) => !isOfGame(part)).sort();
}

const late = new Set(files.flatMap((file) => imports(file, /\bimport\("(\.[^"]+\.svelte)"\)/g)));

describe("a component that is loaded later", () => {
  it.each([...late, join(SOURCE, "App.svelte")].map((file) => relative(SOURCE, file)))(
    "%s names the parts of the catalogue that it says",
    (name) => {
      const said = [...closure(join(SOURCE, name))].flatMap(partsSaidIn);
      expect(declared(join(SOURCE, name))).toEqual([...new Set(said)].sort());
    },
  );
});
