/** Das Gold des Pharao on the page. */
import type { GameModule } from "../game";
import type { Event, PharaohState } from "./messages";
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
  tell: (event, names) => tell(event as Event, names),
};
