/** What is told of a game that the page has no words for: keys, values and notation as they came. */
import { plain } from "../games/any/plain";
import { decimal } from "../i18n/figures";
import type { CoachWords } from "./words";

export const coachWords: CoachWords = {
  reason: ({ key, values }) => `${key} (${plain(values)})`,
  action: (notation) => notation,
  score: (value) => decimal(value, 1),
};
