/**
 * Parts every catalogue under `locales/` while the page is built: the words of a game, of its options, of its guided
 * game, of its advice and of its coach are files of their own that travel with it; so are those of `ASIDE`, which few
 * ever need. All others are the part `page`, which also says how the rest of its language is loaded: nobody loads the
 * addresses of languages that are not spoken. A part is named like its keys begin, but for what
 * `games/GAME/parts.json` lists: as `GAME.refused`, why the rules refuse something, and parts for what is seen late.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const LOCALES = join(import.meta.dirname, "../../locales");
const GAMES = join(import.meta.dirname, "../src/games");
const VALUES = join(import.meta.dirname, "values.ts");
const INDEX = "virtual:catalogues";
const PAGE = "page";
const LISTED = listed();
const ASIDE = [
  "about",
  "absent",
  "admin",
  "clock",
  "coach",
  "cover",
  "dice",
  "ending",
  "gather",
  "handover",
  "insights",
  "keys",
  "level",
  "menu",
  "mine",
  "new",
  "people",
  "preferences",
  "preview",
  "privacy",
  "record",
  "replay",
  "review",
  "rules_here",
  "server",
  "table",
  "talk",
  "train",
];

/** What there is besides the part `page`. */
export function partsAside(): string[] {
  return [...gameParts(), ...ASIDE];
}

/** The parts for every folder of a game; what begins like the game's own words comes before them. */
export function gameParts(): string[] {
  const keys = Object.keys(catalogue("en"));
  const parts = games().flatMap((name) => [
    `${name}.option`,
    `${name}.position`,
    ...Object.keys(LISTED).filter((part) => part.startsWith(`${name}.`)),
    name,
    `lesson.${name}`,
    `advice.${name}`,
    `coach.${name}`,
    `insights.${name}`,
  ]);
  return parts.filter((part) => keys.some((key) => isIn(key, part)));
}

/** The part that a key belongs to. */
export function partOf(key: string, parts: readonly string[]): string {
  return parts.find((part) => isIn(key, part)) ?? PAGE;
}

function isIn(key: string, part: string): boolean {
  return key.startsWith(`${part}.`) || LISTED[part]?.test(key) === true;
}

function games(): string[] {
  const entries = readdirSync(GAMES, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** By part, what the keys look like that a game lists for it: whole where a beginning does not end with a dot. */
function listed(): Record<string, RegExp> {
  const found = games().flatMap((name) => {
    const file = join(GAMES, name, "parts.json");
    if (!existsSync(file)) return [];
    const parts = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>);
    return parts.map(([part, keys]) => {
      const ways = keys.map((key) => key.replaceAll(".", "\\.") + (key.endsWith(".") ? "" : "$"));
      return [`${name}.${part}`, new RegExp(`^${name}\\.(${ways.join("|")})`)] as const;
    });
  });
  return Object.fromEntries(found);
}

export function catalogues(): Plugin {
  const parts = partsAside();
  return {
    name: "serai-catalogues",
    // Types of the sentences' values, for the compiler and the editor: they follow the catalogue by themselves.
    buildStart() {
      const types = valueTypes();
      if (readFileSync(VALUES, "utf8") !== types) writeFileSync(VALUES, types);
    },
    resolveId: (id) => (id.startsWith(INDEX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${INDEX}`)) return null;
      const [, language, part = PAGE] = id.split("/");
      if (language === undefined) return `export default { ${loaders(languages(), INDEX)} }`;
      this.addWatchFile(fileOf(language));
      const own = Object.entries(catalogue(language)).filter(([key]) => partOf(key, parts) === part);
      const words = `export default ${JSON.stringify(Object.fromEntries(own))};`;
      if (part !== PAGE) return words;
      return `${words}\nexport const parts = { ${loaders(parts, `${INDEX}/${language}`)} };`;
    },
  };
}

/** A type that says which values each sentence of the English catalogue has. */
function valueTypes(): string {
  const fields = Object.entries(catalogue("en")).flatMap(([key, sentence]) => {
    const forms = Object.values(typeof sentence === "string" ? [sentence] : sentence);
    const used = forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
    const names = [...new Set(typeof sentence === "string" ? used : ["count", ...used])].sort();
    const types = names.map(
      (name) => `${name}: ${forms.length > 1 && name === "count" ? "number" : "string | number"}`,
    );
    return types.length === 0 ? [] : [`  "${key}": { ${types.join("; ")} };`];
  });
  return `/** The values of each sentence that has some; made by \`tools/catalogues.ts\` from the English catalogue. */
export interface ValuesOf {
${fields.join("\n")}
}
`;
}

/** How each of these is loaded from below a folder. */
function loaders(names: readonly string[], folder: string): string {
  return names.map((name) => `"${name}": () => import("${folder}/${name}")`).join(", ");
}

function languages(): string[] {
  return readdirSync(LOCALES).map((name) => name.replace(/\.json$/, ""));
}

function fileOf(language: string): string {
  return join(LOCALES, `${language}.json`);
}

function catalogue(language: string): Record<string, string | Record<string, string>> {
  return JSON.parse(readFileSync(fileOf(language), "utf8")) as Record<string, string | Record<string, string>>;
}
