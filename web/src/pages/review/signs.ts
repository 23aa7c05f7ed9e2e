/** What marks look like besides their colour. */
import type { Decision } from "../../net/messages";
import type { Mark } from "./timeline";

export const SIGNS: Record<Mark["sort"], string> = { doubtful: "?!", bad: "?", "very bad": "??", luck: "◆" };

/** The verdict as the last part of a key. */
export const VERDICTS = {
  fine: "fine",
  doubtful: "doubtful",
  bad: "bad",
  "very bad": "very_bad",
} as const satisfies Record<Decision["verdict"], string>;
