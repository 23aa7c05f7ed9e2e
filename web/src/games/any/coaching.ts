/** The coach on a game that the page has no words for: keys, values and notation as they came. */
import { plain } from "../../i18n/plain";
import { decimal } from "../../i18n/figures";
import type { CoachWords } from "../game";

export const coachWords: CoachWords = {
  reason: ({ key, values }) => `${key} (${plain(values)})`,
  action: (notation) => notation,
  score: (value) => decimal(value, 1),
};
