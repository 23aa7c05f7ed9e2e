/** The tables this browser has sat at, newest first, so that a visitor can go on. */
import { at } from "../address";

/** Named after its path too: another Serai on the same site has other tables. */
const STORE = `serai.tables${at("/").slice(0, -1)}`;
const MOST = 12;

export function myTables(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function rememberTable(id: string): void {
  write([id, ...myTables().filter((other) => other !== id)].slice(0, MOST));
}

export function forgetTable(id: string): void {
  write(myTables().filter((other) => other !== id));
}

function write(tables: string[]): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(tables));
  } catch {
    // Nothing is remembered where nothing can be stored.
  }
}
