/** Lets sounds be heard, where they are wanted. Browsers stay silent until the visitor has touched the page. */
import { preferences } from "./preferences.svelte";
import { sound, type Sound } from "./synth";

let context: AudioContext | null = null;
let master: GainNode | null = null;

export function play(notes: Sound): void {
  if (!preferences.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (master === null) {
    master = new GainNode(context);
    master.connect(context.destination);
  }
  // What is twice as far along sounds twice as loud only if its power is more than that.
  master.gain.value = preferences.volume ** 2;
  sound(context, notes, master);
}
