/** Figures as they are written in the language on screen. */
import { language } from "./language.svelte";

export function percent(share: number, digits = 0): string {
  return figure(share, digits, { style: "percent" });
}

/** An amount with so many digits. */
export function decimal(value: number, digits: number): string {
  return figure(value, digits, {});
}

/** What is won or lost, with a sign. */
export function gain(value: number, digits: number): string {
  return figure(value, digits, { signDisplay: "exceptZero" });
}

/** Parts of a hundred that are won or lost, with a sign. */
export function percentGain(share: number, digits = 1): string {
  return figure(share, digits, { style: "percent", signDisplay: "exceptZero" });
}

function figure(value: number, digits: number, format: Intl.NumberFormatOptions): string {
  const whole = { ...format, minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language(), whole).format(value).replace("-", "−");
}
