/** The pages of Camel Up besides its table. */
import type { GamePage } from "../game";

export const pages: Record<string, GamePage> = {
  odds: {
    offered: (game) => game.odds,
    load: () => import("./pages/odds.svelte"),
  },
};
