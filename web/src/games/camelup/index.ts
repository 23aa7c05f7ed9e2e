/** Camel Up on the page. */
import type { GameModule } from "../game";
import type { Event, CamelUpState } from "./messages";
import { moments, sceneOf, type Scene } from "./scene";
import Table from "./Table.svelte";
import { tell } from "./tell";

export const module: GameModule = {
  Table,
  sceneOf: (view) => sceneOf(view as CamelUpState),
  moments: (before, events, after) => moments(before as Scene, events as Event[], after as CamelUpState),
  tell: (event, names) => tell(event as Event, names),
};
