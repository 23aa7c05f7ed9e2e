/** Which bots are ready: a server that has just started offers more of them while its pages are open. */
import type { GameInfo } from "./messages";
import { gamesWithBots } from "./rest";

/** Tells the games at once, and again while bots are being tried, until nobody wants to know any more. */
export async function followBots(tell: (all: GameInfo[]) => void, wanted: () => boolean): Promise<void> {
  for (let all = await gamesWithBots(); wanted(); all = await gamesWithBots()) {
    tell(all);
    if (!all.some((game) => game.trying)) return;
  }
}
