/** The games that have a folder of their own: what holds for every game is tested with each of these. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../../..");
export const GAMES = join(ROOT, "web/src/games");
/** The folder that serves games without one. */
const ANY = "any";

export const games = readdirSync(GAMES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== ANY)
  .map((entry) => entry.name);

/** The files below a folder whose names end so: path and text. */
export function filesBelow(folder: string, endings: string[]): { path: string; text: string }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}
