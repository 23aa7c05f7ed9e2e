/** What sounds the same wherever one is. */
import { coins, note, type Sounds } from "./notes";

export const COMMON = {
  /** It is your turn: two strings. */
  call: [{ notes: [note("oud", 294), note("oud", 440, 0.14)], room: "walls", buzz: [120] }],
  /** How loud everything is. */
  coins: [{ notes: coins(3) }],
} satisfies Sounds<string>;
