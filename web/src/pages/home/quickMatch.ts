/** A game with whoever is there: a seat at a public table that waits for players, or a new one for others to find. */
import type { GameInfo, TableInfo } from "../../net/messages";
import { createTable, join, publicTables, Refusal, seeTable } from "../../net/rest";

/** Seats of a table that is opened for strangers; who is there can begin without the others. */
const SEATS = 4;

/** The table at which one has a seat now. */
export async function quickMatch(game: GameInfo, name: string): Promise<string> {
  for (const table of await publicTables(game.name)) {
    if (table.phase !== "lobby") continue;
    const { yours } = await seeTable(table.id);
    if (yours.length > 0) return table.id;
    if (table.seats.some((seat) => seat.kind === "open") && (await seated(table, name))) return table.id;
  }
  const seats = Math.min(Math.max(SEATS, game.players[0]), game.players[1]);
  const { table } = await createTable({ game: game.name, seats, table_rules: { public: true } });
  await join(table.id, name);
  return table.id;
}

/** Whether there was a seat left: somebody else may have been faster, or have taken the name. */
async function seated(table: TableInfo, name: string): Promise<boolean> {
  const taken = new Set(table.seats.map((seat) => seat.name));
  let own = name;
  for (let number = 2; taken.has(own); number += 1) own = `${name} ${number}`;
  try {
    await join(table.id, own);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
