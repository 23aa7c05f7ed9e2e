/** Times of a table's clock in words and figures. */
import { t } from "../i18n/language.svelte";
import type { TurnClock } from "./turnClock";

export function clockName(clock: TurnClock): string {
  return t(`clock.${clock}`);
}

/** The time as on a clock: 2:05, or 7 h where minutes do not matter. */
export function timeLeft(seconds: number): string {
  if (seconds >= 3600) return t("clock.hours", { count: Math.round(seconds / 3600) });
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
