/** Camel Up on the page. */
import type { GameModule } from "../game";
import type { Event, CamelUpState } from "./messages";
import { feelings, remark } from "./feelings";
import { openingOf, sceneOf, steps, type Scene } from "./scene";
import Piece from "./Piece.svelte";
import Table from "./Table.svelte";
import { about, tell } from "./tell";

export const module: GameModule = {
  Table,
  Piece,
  finale: () => import("./Finale.svelte"),
  sceneOf: (view) => sceneOf(view as CamelUpState),
  opening: (view) => openingOf(view as CamelUpState),
  steps: (before, event) => steps(before as Scene, event as Event),
  feels: (event) => feelings(event as Event),
  remark,
  about: (event) => about(event as Event),
  tell: (event, names, you) => tell(event as Event, names, you),
};
