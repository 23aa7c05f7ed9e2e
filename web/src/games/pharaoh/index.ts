/** Das Gold des Pharao on the page. */
import type { GameModule } from "../game";
import type { Event, PharaohState, TurnBegan } from "./messages";
import { sceneOf, steps, type Scene } from "./scene";
import Piece from "./Piece.svelte";
import Table from "./Table.svelte";
import { tell } from "./tell";

export const module: GameModule = {
  Table,
  Piece,
  breakdown: () => import("./Breakdown.svelte"),
  sceneOf: (view) => sceneOf(view as PharaohState),
  steps: (before, event) => steps(before as Scene, event as Event),
  about: (event) => ((event as Event).type === "turn_began" ? (event as TurnBegan).seat : null),
  tell: (event, names, you) => tell(event as Event, names, you),
};
