/** Das Gold des Pharao on the page. */
import type { GameModule } from "../game";
import type { Event, PharaohState } from "./messages";
import { moments, sceneOf, type Scene } from "./scene";
import Table from "./Table.svelte";
import { tell } from "./tell";

export const module: GameModule = {
  Table,
  sceneOf: (view) => sceneOf(view as PharaohState),
  moments: (before, events, after) => moments(before as Scene, events as Event[], after as PharaohState),
  tell: (event, names) => tell(event as Event, names),
};
