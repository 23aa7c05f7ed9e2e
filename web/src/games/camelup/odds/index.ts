/** What the server tells of a Camel Up position, as far as the page shows it. */
import { language } from "../../../i18n/language.svelte";
import { CAMELS } from "../art/camels";
import type { Action } from "../messages";

export interface Odds {
  /** By the camel's name. */
  leg: Record<string, { first: number; second: number; last: number }>;
  race: Record<string, { winner: number; loser: number }>;
  /** The expected pounds of every action on offer, by its notation. */
  actions?: Record<string, number>;
}

/** An action as it is written down. */
export function notation(action: Action): string {
  if (action.type === "roll") return "roll";
  if (action.type === "oasis" || action.type === "mirage") return `${action.type} ${action.space}`;
  return `${action.type} ${action.camel === null ? "?" : CAMELS[action.camel].name}`;
}

export function percent(chance: number, digits = 0): string {
  const format = { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language(), format).format(chance);
}

/** Expected pounds, with a sign. */
export function pounds(value: number, digits = 1): string {
  const format = { signDisplay: "exceptZero", minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language(), format).format(value).replace("-", "−");
}
