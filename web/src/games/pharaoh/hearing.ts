/** Which sound is heard when; how it sounds is brought only where something is heard. */
import type { Event } from "./messages";
import { PASSAGES } from "./pieces";
import type { Scene } from "./scene";
import type { SoundName } from "./sounds";

/** By which sound an event begins; an event that is missing here makes none, or one that depends. */
const HEARD: Partial<Record<Event["type"], SoundName>> = {
  tile_opened: "stone",
  tile_laid: "slab",
  tile_turned: "turn",
  figure_shut_in: "shut",
  lamp_put_up: "lit",
  lamp_taken_down: "unhung",
  lamp_blown_out: "out",
  photo_taken: "photo",
  treasure_laid_out: "drop",
  treasure_taken: "gold",
  treasure_dropped: "drop",
  treasure_stolen: "stolen",
  treasure_banked: "safe",
  mummy_woke: "mummy",
  curse_spread: "curse",
  figure_fled: "flight",
  countdown_went: "clock",
  mask_carried_out: "safe",
  clock_moved: "clock",
  rumbled: "rumble",
  turn_ended: "ended",
  figure_lost: "lost",
  treasure_lost: "lost",
};

/** What is heard as one of the steps of an event begins; `at` counts them from 0, `scene` is what it shows. */
export function soundOf(event: Event, at: number, scene: Scene): SoundName | null {
  switch (event.type) {
    case "walked":
      return at > 0 && scene.walker !== null ? "step" : null;
    case "tile_drawn":
      return event.tile < PASSAGES.length ? null : "chamber";
    case "mask_found":
      // First it is silent.
      return ([null, "mask", "crack"] as const)[at] ?? null;
    case "chamber_fell":
    case "ring_fell":
    case "collapse_began":
      return (["crack", "fall"] as const)[at] ?? null;
    case "score_counted":
      return scene.counted.length === scene.view.points.length ? "fanfare" : null;
    default:
      return at === 0 ? (HEARD[event.type] ?? null) : null;
  }
}
