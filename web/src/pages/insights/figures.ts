/** Figures of insights as they are written and drawn. */
import { decimal, gain, percent } from "../../i18n/figures";
import type { Insight, InsightBar } from "../../net/messages";

/** Room beyond the longest bar, as a share of the whole. */
const ROOM = 0.04;

export function figure(unit: string, value: number): string {
  switch (unit) {
    case "share":
      return percent(value / 100, 1);
    case "lead":
      return gain(value, 1);
    default:
      return decimal(value, Math.abs(value) < 10 ? 2 : 1);
  }
}

/** The same within a sentence, which says itself whether a lead is won or lost. */
export function within(unit: string, value: number): string {
  return unit === "lead" ? decimal(Math.abs(value), 1) : figure(unit, value);
}

/** Half the width of the interval. */
export function margin(unit: string, { low, high }: InsightBar): string {
  const half = (high - low) / 2;
  return `± ${unit === "share" || unit === "lead" ? decimal(half, half < 0.1 ? 2 : 1) : decimal(half, 2)}`;
}

/** From where to where the bars are drawn: zero is always on it. */
export function scaleOf({ bars, mark }: Insight): { low: number; high: number } {
  const ends = [0, mark ?? 0, ...bars.flatMap(({ low, high }) => [low, high])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = ROOM * (high - low || 1);
  return { low: low < 0 ? low - room : 0, high: high + room };
}
