/** A game that has no folder of its own: its view as it came, its actions as buttons. */
import type { GameModule } from "../game";
import Table from "./Table.svelte";

interface View {
  money?: number[];
}

export const module: GameModule = {
  Table,
  sceneOf: (view) => view,
  moments: (_before, _events, after) => [{ scene: after, ms: 0 }],
  tell: (event) => Object.entries(event).map(([name, value]) => (name === "type" ? value : `${name} ${JSON.stringify(value)}`)).join(" "),
  scores: (view) => (view as View).money ?? [],
};
