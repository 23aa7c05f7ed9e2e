/** What the page says of the odds of a Camel Up position. */
import { language } from "../../../i18n/language.svelte";
import { CAMELS } from "../art/camels";
import type { Action } from "../messages";

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
