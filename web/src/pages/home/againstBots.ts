/** A game with bots, begun at once: what one click on the first screen makes. */
import type { GameInfo } from "../../net/messages";
import { createTable, gamesWithBots, join } from "../../net/rest";
import { companyOf, usualBot } from "../../table/lobby/levels";

/** The table with that many bots of about the level last played against, at which one has a seat now. */
export async function againstBots(
  game: GameInfo,
  level: string | undefined,
  count: number,
  name: string,
): Promise<string> {
  const ready = (await gamesWithBots()).find((one) => one.name === game.name) ?? game;
  const bots = companyOf(ready, usualBot(ready, level), count);
  const { table } = await createTable({
    game: game.name,
    seats: count + 1,
    bots: Object.fromEntries(bots.map((one, at) => [at + 1, one])),
    options: game.against_bots,
    table_rules: { hints: game.hints },
  });
  await join(table.id, name, 0);
  return table.id;
}
