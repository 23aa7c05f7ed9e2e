/** What marks look like besides their colour, and how the lines of seats are dashed. */
import type { Decision } from "../net/messages";
import type { Mark } from "./timeline";

export const SIGNS: Record<Mark["sort"], string> = { doubtful: "?!", bad: "?", "very bad": "??", luck: "◆" };

/** The verdict as the last part of a key. */
export const VERDICTS = { fine: "fine", doubtful: "doubtful", bad: "bad", "very bad": "very_bad" } as const satisfies Record<
  Decision["verdict"],
  string
>;

export const DASHES = ["none", "7 3", "2 3", "10 3 2 3", "4 2", "12 4", "1 4", "8 2 2 2 2 2"];
