/** Writes what messengers show of a link, in every language and for every game, for the server to put into the page. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const LOCALES = join(import.meta.dirname, "../../locales");
const GAMES = join(import.meta.dirname, "../src/games");
const PUBLIC = join(import.meta.dirname, "../public");

export function previews(): Plugin {
  return {
    name: "serai-previews",
    generateBundle() {
      const languages = readdirSync(LOCALES).map((name) => name.replace(/\.json$/, ""));
      const told = Object.fromEntries(languages.map((language) => [language, previewsIn(language)]));
      this.emitFile({ type: "asset", fileName: "previews.json", source: JSON.stringify(told) });
    },
  };
}

/** Of the house, of each game, and of tables by their phase. */
function previewsIn(language: string): object {
  const words = JSON.parse(readFileSync(join(LOCALES, `${language}.json`), "utf8")) as Record<string, string>;
  const games = readdirSync(GAMES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && `game.${entry.name}` in words)
    .map(({ name }) => name);
  const own = { title: "Serai", text: words["home.lead"], picture: picture("serai", language) };
  const told = games.map((game) => {
    const text = words[`preview.${game}`] ?? own.text;
    return [game, { title: words[`game.${game}`], text, picture: picture(game, language) }];
  });
  const invited = words["preview.invited"];
  const watch = words["preview.watch"];
  return { house: own, games: Object.fromEntries(told), tables: { lobby: invited, playing: watch } };
}

/** The address of its picture below Serai's own; that of all games where it has none. */
function picture(name: string, language: string): string {
  const path = `previews/${name}-${language}.jpg`;
  return existsSync(join(PUBLIC, path)) ? path : `previews/serai-${language}.jpg`;
}
