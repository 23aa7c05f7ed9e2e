/**
 * Parts every catalogue under `locales/` while the page is built: the words of a game, of its options, of its guided
 * game, of its advice and of its coach are files of their own that travel with it; so are those of `ASIDE`, which few
 * ever need. All others are the part `page`. A part is named like its keys begin.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const LOCALES = join(import.meta.dirname, "../../locales");
const GAMES = join(import.meta.dirname, "../src/games");
const INDEX = "virtual:catalogues";
const PAGE = "page";
const ASIDE = ["about", "absent", "clock", "coach", "cover", "dice", "ending", "gather", "handover", "keys", "level", "menu", "mine", "new", "preferences", "preview", "record", "replay", "review", "rules_here", "server", "table", "talk", "train"];

/** What there is besides the part `page`. */
export function partsAside(): string[] {
  return [...gameParts(), ...ASIDE];
}

/** Up to six parts for every folder of a game; what begins like the game's own words comes before them. */
export function gameParts(): string[] {
  const games = readdirSync(GAMES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const keys = Object.keys(catalogue("en"));
  const parts = games.flatMap(({ name }) => [`${name}.option`, `${name}.position`, name, `lesson.${name}`, `advice.${name}`, `coach.${name}`]);
  return parts.filter((part) => keys.some((key) => key.startsWith(`${part}.`)));
}

/** The part that a key belongs to. */
export function partOf(key: string, parts: readonly string[]): string {
  return parts.find((part) => key.startsWith(`${part}.`)) ?? PAGE;
}

export function catalogues(): Plugin {
  const parts = partsAside();
  return {
    name: "serai-catalogues",
    resolveId: (id) => (id.startsWith(INDEX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${INDEX}`)) return null;
      const [, language, part] = id.split("/");
      if (language === undefined) return index([PAGE, ...parts]);
      this.addWatchFile(fileOf(language));
      const own = Object.entries(catalogue(language)).filter(([key]) => partOf(key, parts) === part);
      return `export default ${JSON.stringify(Object.fromEntries(own))}`;
    },
  };
}

/** A module that says how each part is loaded in each language. */
function index(parts: readonly string[]): string {
  const languages = readdirSync(LOCALES).map((name) => name.replace(/\.json$/, ""));
  const loaders = languages.map((language) => {
    const own = parts.map((part) => `"${part}": () => import("${INDEX}/${language}/${part}")`);
    return `${language}: { ${own.join(", ")} }`;
  });
  return `export default { ${loaders.join(", ")} }`;
}

function fileOf(language: string): string {
  return join(LOCALES, `${language}.json`);
}

function catalogue(language: string): object {
  return JSON.parse(readFileSync(fileOf(language), "utf8")) as object;
}
