/** Telling a player who looks elsewhere that it is their turn: a sound, a short buzz, a notification. */
import { preferences } from "../ui/preferences.svelte";
import { common } from "../ui/sound/common";

/** Have the sound made: somebody plays, and will be called. */
export function prepareCall(): void {
  common.prepare();
}

export function callToTurn(text: string): void {
  common.play("call");
  if (document.visibilityState === "visible") return;
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
