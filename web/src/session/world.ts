/** What a live table needs of the browser and the server: real on the page, made by hand in tests. */
import { wallClock, type Clock } from "../clock";
import type { Wire } from "../net/connection";
import { rememberFingerprint } from "../net/fingerprints";
import type { Advice, Odds, Reply, TableInfo } from "../net/messages";
import { frames, socketAddress, tableAdvice, tableOdds } from "../net/rest";
import { forgetTable, rememberTable } from "./myTables";
import { pace, type Pace } from "./pace";
import { writing } from "./renewal";

export interface World {
  clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  pace(): Pace;
  /** Whether anything is half written on the page. */
  writing(): boolean;
  /** Opens a line to a table, given the number of the last frame heard and the seat. */
  dial(table: string, seen: number | null, seat: number | null | undefined): Wire;
  /** All frames of a table so far. */
  frames(table: string, seat: number | null): Promise<Reply[]>;
  odds(table: string, seat: number | null): Promise<Odds>;
  advice(table: string, seat: number | null): Promise<Advice>;
  rememberTable(id: string): void;
  forgetTable(id: string): void;
  rememberFingerprint(table: TableInfo): void;
}

export const realWorld: World = {
  clock: wallClock,
  random: Math.random,
  pace,
  writing,
  dial: (table, seen, seat) => new WebSocket(socketAddress(table, seen, seat)) as never,
  frames,
  odds: tableOdds,
  advice: tableAdvice,
  rememberTable,
  forgetTable,
  rememberFingerprint,
};
