/** A game with bots, begun at once: what one click on the first screen makes. */
import { whenReady } from "../../net/followBots";
import type { GameInfo, WarmingBot } from "../../net/messages";
import { createTable, join } from "../../net/rest";
import { companyOf, usualBot } from "../../table/lobby/levels";

/**
 * The table with that many bots of about the level last played against, at which one has a seat now; it is made once
 * they are ready. Null where nobody wants it any more.
 */
export async function againstBots(
  game: GameInfo,
  level: () => string | undefined,
  opponents: () => number,
  name: string,
  tell: (bot: WarmingBot | null) => void,
  wanted: () => boolean,
): Promise<string | null> {
  const chosen = (info: GameInfo) => companyOf(info, usualBot(info, level()), opponents());
  const ready = await whenReady(game, chosen, tell, wanted);
  if (ready === null) return null;
  const bots = chosen(ready);
  const { table } = await createTable({
    game: game.name,
    seats: bots.length + 1,
    bots: Object.fromEntries(bots.map((one, at) => [at + 1, one])),
    options: game.against_bots,
    table_rules: { hints: game.hints },
  });
  await join(table.id, name, 0);
  return table.id;
}
