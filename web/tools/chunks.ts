/**
 * Keeps what is needed at once in one file: a module that something loaded later needs, too, would become a file of its
 * own, and many small files weigh more than one.
 */
import { join, sep } from "node:path";

const SOURCE = join(import.meta.dirname, "../src") + sep;
const GAMES = join(SOURCE, "games") + sep;
const PAGES = join(SOURCE, "pages") + sep;
const SOUND = join(SOURCE, "ui/sound") + sep;
const TABLE = join(SOURCE, "table/TablePage.svelte");

/** What of Svelte the first screen has no use for: forms, parts that are waited for, measures of elements. */
const LATE_SVELTE =
  /svelte\/src\/internal\/client\/dom\/(blocks\/await|elements\/(attachments|bindings\/(input|props|select|size|this|universal)))\.js$/;

interface Modules {
  getModuleInfo(
    id: string,
  ): { isEntry?: boolean; importers: readonly string[]; dynamicImporters: readonly string[] } | null;
}

/**
 * The file that a module belongs to: that of the first page, of a game's table, of what a game has for its table and for
 * more (`NAME-parts`), of what the tables of several games are made of (`games`), of what lets sounds be heard, or of what
 * a table shares with other pages; null where it may be any.
 */
export function fileOf(id: string, modules: Modules): string | null {
  if (LATE_SVELTE.test(id.replaceAll(sep, "/"))) return "forms";
  const importers = spread(id, (one) => modules.getModuleInfo(one)?.importers ?? []);
  if ([...importers].some((one) => modules.getModuleInfo(one)?.isEntry)) return "index";
  const shared = importers.has(TABLE) && [...importers].some((one) => one.startsWith(PAGES));
  if (shared) return "shared";
  if (id.startsWith(GAMES)) return gameOf(id, modules);
  const atTable = importers.has(TABLE) || [...importers].some(isGame);
  if (id.startsWith(SOUND)) return atTable ? "sound" : null;
  if ([...importers].filter(isGame).length > 1) return "games";
  // What something at a table that is loaded later needs as well.
  const late = (one: string) => !spread(one, (next) => modules.getModuleInfo(next)?.importers ?? []).has(TABLE);
  return importers.has(TABLE) && [...importers].some(late) ? "shared" : null;
}

/** Where a game's table begins. */
function isGame(id: string): boolean {
  return id.startsWith(GAMES) && id.slice(GAMES.length).split(sep)[1] === "index.ts";
}

/** The file of the game that a module is a part of from the start; null for what is only loaded later. */
function gameOf(id: string, modules: Modules): string | null {
  const folder = GAMES + id.slice(GAMES.length).split(sep)[0] + sep;
  const table = `${folder}index.ts`;
  const own = (file: string) => file.startsWith(folder);
  const importers = spread(id, (one) =>
    one === table ? [] : (modules.getModuleInfo(one)?.importers ?? []).filter(own),
  );
  const everybody = spread(id, (one) => (one === table ? [] : importersOf(one, modules).filter(own)));
  const elsewhere = [...everybody].some((one) => one !== table && !importersOf(one, modules).every(own));
  if (!importers.has(table)) return null;
  const game = folder.slice(GAMES.length, -1);
  return elsewhere ? `${game}-parts` : game;
}

/** Who imports a module, from the start or later. */
function importersOf(id: string, modules: Modules): readonly string[] {
  const info = modules.getModuleInfo(id);
  return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
}

/** All that can be reached from one module. */
function spread(from: string, next: (id: string) => readonly string[]): Set<string> {
  const found = new Set([from]);
  for (const id of found) for (const one of next(id)) found.add(one);
  return found;
}
