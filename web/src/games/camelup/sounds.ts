/** What is heard on the track: wood on wood, and a coin. */
import { CLINK, noise, type Sound } from "../../ui/instrument";
import type { Event } from "./messages";
import type { Scene } from "./scene";

/** Events in which money changes hands. */
const COINS: (Event["type"] | undefined)[] = ["pound_paid", "leg_scored"];

/** A wooden foot on a wooden board. */
export const KNOCK: Sound = [noise(900, 0, 0.07, 0.3)];

/** Dice in a wooden pyramid. */
export const RATTLE: Sound = [0, 0.07, 0.16, 0.23, 0.33].map((at) => noise(1500, at, 0.05, 0.22));

/** What is heard while a moment is shown. */
export function soundOf(scene: Scene): Sound | null {
  if (scene.shaking) return RATTLE;
  if (COINS.includes((scene.flight?.event as Event | undefined)?.type)) return CLINK;
  // A desert tile at work holds the camels in the air.
  if (scene.desert !== null) return null;
  if (scene.die || scene.camels.some((place) => place?.by === "hop" || place?.by === "land")) return KNOCK;
  return null;
}
