/** Which bots are ready: a server that has just started has more of them while its pages are open. */
import { games, gamesWithBots } from "./call";
import type { GameInfo, WarmingBot } from "./messages";

/** Milliseconds between an answer and the next question. */
const PAUSE = 1000;

/** Tells the games at once, and again while bots get ready, until nobody wants to know any more. */
export async function followBots(tell: (all: GameInfo[]) => void, wanted: () => boolean): Promise<void> {
  for (let all = await games(); wanted(); all = await gamesWithBots()) {
    tell(all);
    if (!wanted() || !all.some((game) => game.warming.length > 0)) return;
    await new Promise((next) => setTimeout(next, PAUSE));
    if (!wanted()) return;
  }
}

/**
 * The game once these of its bots are ready; meanwhile tells the one that takes longest. They are asked for anew each
 * time, since others may be chosen while one waits. Null where nobody wants to go on any more.
 */
export async function whenReady(
  game: GameInfo,
  bots: (game: GameInfo) => string[],
  tell: (bot: WarmingBot | null) => void,
  wanted: () => boolean,
): Promise<GameInfo | null> {
  let info = game;
  await followBots(
    (all) => {
      info = all.find((one) => one.name === game.name) ?? info;
      tell(awaited(info));
    },
    () => wanted() && (info === game || awaited(info) !== null),
  );
  return wanted() ? info : null;

  function awaited(known: GameInfo): WarmingBot | null {
    const needed = bots(known);
    const left = known.warming.filter(({ bot }) => needed.includes(bot));
    return left.length > 0 ? left.reduce((last, one) => (one.seconds > last.seconds ? one : last)) : null;
  }
}
