/** Faces that say more than words: phrases with a drawing. */
import type { Chat } from "../../net/messages";

const FACE = "M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19";

/** Strokes within 0 … 24 in both directions. */
export const REACTIONS = {
  joy: `${FACE}M7 10q1.5-2 3 0M14 10q1.5-2 3 0M7 13.5h10q-.6 4.5-5 4.5t-5-4.5z`,
  wow: `${FACE}M8.5 8.7v1.2M15.5 8.7v1.2M12 13.4a2.2 2.6 0 1 0 0 5.2a2.2 2.6 0 1 0 0-5.2`,
  sorrow: `${FACE}M8.5 9.3v1.2M15.5 9.3v1.2M8 17q4-4 8 0M17.2 12.5q1.4 2 .1 3`,
  bravo:
    "M7 21c-3-3-4-7-3-10l3 3V5.5a1.4 1.4 0 0 1 2.8 0V11V3.9a1.4 1.4 0 0 1 2.8 0V11V5a1.4 1.4 0 0 1 2.8 0v8l2.2-3.5a1.5 1.5 0 0 1 2.6 1.4C18.5 16 17 21 13 21zM19 3l2-1.5M20 6h2.3M16.5 1.8V.5",
} as const;

export type Reaction = keyof typeof REACTIONS;

export function reactionOf({ phrase = "" }: Chat): Reaction | null {
  return phrase in REACTIONS ? (phrase as Reaction) : null;
}
