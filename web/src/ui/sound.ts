/** Lets sounds be heard, where they are wanted. Browsers stay silent until the visitor has touched the page. */
import { preferences } from "../preferences.svelte";
import { sound, type Sound } from "./instrument";

let context: AudioContext | null = null;

export function play(notes: Sound): void {
  if (!preferences.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  sound(context, notes);
}
