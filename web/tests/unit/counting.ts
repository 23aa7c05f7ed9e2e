/** A table at which a game is played that is on no shelf: everybody counts. */
import type { TableInfo } from "../../src/net/messages";

export const table: TableInfo = {
  id: "t",
  game: "counting",
  rules: "1",
  phase: "playing",
  table_rules: { clock: 0 },
  options: {},
  seats: [
    { kind: "person", name: "Ann" },
    { kind: "bot", bot: "random" },
  ],
  host: 0,
  commit: "",
};
