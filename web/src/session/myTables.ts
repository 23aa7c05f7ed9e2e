/** The tables this browser has sat at, newest first, so that a visitor can go on. */
import { at } from "../address";
import { keep, kept } from "../kept";

/** Named after its path too: another Serai on the same site has other tables. */
const STORE = `serai.tables${at("/").slice(0, -1)}`;
const MOST = 12;

export function myTables(): string[] {
  const stored = kept(STORE);
  return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === "string") : [];
}

export function rememberTable(id: string): void {
  keep(STORE, [id, ...myTables().filter((other) => other !== id)].slice(0, MOST));
}

export function forgetTable(id: string): void {
  keep(
    STORE,
    myTables().filter((other) => other !== id),
  );
}
