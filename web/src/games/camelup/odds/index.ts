/** What the page says of the odds of a Camel Up position. */
import { gain } from "../../../i18n/figures";
import { CAMELS } from "../art/camels";
import type { Action } from "../messages";

/** An action as it is written down. */
export function notation(action: Action): string {
  if (action.type === "roll") return "roll";
  if (action.type === "oasis" || action.type === "mirage") return `${action.type} ${action.space}`;
  return `${action.type} ${action.camel === null ? "?" : CAMELS[action.camel].name}`;
}

/** Expected pounds, with a sign. */
export function pounds(value: number, digits = 1): string {
  return gain(value, digits);
}
