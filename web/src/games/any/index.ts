/** A game that has no folder of its own: its view as it came, its actions as buttons. */
import type { GameModule } from "../game";
import { tell } from "../../i18n/plain";
import Table from "./Table.svelte";

export const module: GameModule = {
  Table,
  sceneOf: (view) => view,
  steps: () => [],
  tell,
};
