/** Telling a player who looks elsewhere that it is their turn: a sound, a short buzz, a notification. */
import { settings } from "../settings.svelte";
import { chime } from "../ui/sound";

export function callToTurn(text: string): void {
  chime();
  if (document.visibilityState === "visible") return;
  navigator.vibrate?.(120);
  if (settings.notify && "Notification" in globalThis && Notification.permission === "granted") {
    new Notification("Serai", { body: text, tag: "serai-turn" });
  }
}
