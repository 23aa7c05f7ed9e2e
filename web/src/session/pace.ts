/** How fast a table is shown: as the visitor prefers, and not at all while nobody sees the page. */
import { moving, preferences, type PaceName } from "../ui/preferences.svelte";

export interface Pace {
  /** Whether things move; otherwise each is shown as it comes to rest. */
  moving: boolean;
  /** How long everything takes, as a part of its own time; 0 shows everything at once. */
  scale: number;
  /** Milliseconds between what two others do, so that each is seen. */
  between: number;
  /** Whether the page can be seen at all. */
  visible: boolean;
}

const SCALES: Record<PaceName, number> = { calm: 1, brisk: 0.5, instant: 0 };
/** Milliseconds between what two others do; longer where no motion leads from one to the next. */
const BETWEEN = { moving: 450, still: 1500 };

/** The pace here and now. */
export function pace(): Pace {
  const moves = moving();
  const visible = document.visibilityState === "visible";
  const between = moves ? BETWEEN.moving : BETWEEN.still;
  return { moving: moves, scale: visible ? SCALES[preferences.pace] : 0, between, visible };
}
