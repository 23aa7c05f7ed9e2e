/** Telling a player who looks elsewhere that it is their turn: a sound, a short buzz, a notification. */
import { preferences } from "../ui/preferences.svelte";
import { tone, type Sound } from "../ui/synth";
import { play } from "../ui/sound";

/** Two soft tones. */
const CHIME: Sound = [tone(523, 0, 0.45, 0.12), tone(784, 0.13, 0.45, 0.12)];

export function callToTurn(text: string): void {
  play(CHIME);
  if (document.visibilityState === "visible") return;
  navigator.vibrate?.(120);
  if (preferences.notify && "Notification" in globalThis && Notification.permission === "granted") {
    try {
      const notice = new Notification("Serai", { body: text, tag: "serai-turn" });
      notice.onclick = () => {
        focus();
        notice.close();
      };
    } catch {
      // Some phones let only service workers call.
    }
  }
}
