/**
 * Lets sounds be heard, and felt, where they are wanted: all that it takes is brought when the first of them is. Browsers
 * stay silent until the visitor has touched the page.
 */
import { moving, preferences } from "../preferences.svelte";
import type { Sounds } from "./notes";

/** Milliseconds after which what should have been heard is not heard any more. */
const TOO_LATE = 250;

/** Whether the visitor wants to hear anything, and the browser lets them. */
export function audible(): boolean {
  return preferences.sound && navigator.userActivation?.hasBeenActive === true;
}

/** Whether this is held in a hand that wants to feel something. */
function palpable(): boolean {
  const held = "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
  return held && preferences.vibration && moving() && navigator.userActivation?.hasBeenActive === true;
}

/** The sounds of a game, or others that belong together. */
export class Hearing<Name extends string> {
  private brought: Brought<Name> | null = null;

  constructor(private readonly bring: () => Promise<Sounds<Name>>) {}

  /** Have everything made that may be heard soon. */
  prepare(): void {
    if (this.brought !== null || !wanted()) return;
    void this.fetch().then(makeAll, () => undefined);
  }

  /**
   * Play what has this name, with something that is shown for so many milliseconds; what is returned ends it. The first
   * that goes with something shown is heard once it can be, however late, as long as that has not ended.
   */
  play(name: Name, ms = 0): () => void {
    if (!wanted()) return () => undefined;
    const ends: (() => void)[] = [];
    const latest = this.brought === null && ms > 0 ? Infinity : performance.now() + TOO_LATE;
    let ended = false;
    const begin = ({ player, sounds }: Brought<Name>) => {
      if (ended) return;
      for (const sound of sounds[name]) {
        if (sound.buzz && palpable() && performance.now() < latest) ends.push(player.buzz(sound, ms));
        if (!audible()) continue;
        player.make(name, sound, (buffer) => {
          if (!ended && performance.now() < latest) ends.push(player.start(sound, buffer, ms));
        });
      }
    };
    if (this.brought !== null) begin(this.brought);
    else
      void this.fetch().then(
        (brought) => {
          begin(brought);
          makeAll(brought);
        },
        () => undefined,
      );
    return () => {
      ended = true;
      for (const end of ends) end();
    };
  }

  private async fetch(): Promise<Brought<Name>> {
    const [player, sounds] = await Promise.all([import("./play"), this.bring()]);
    return (this.brought ??= { player, sounds });
  }
}

interface Brought<Name extends string> {
  player: typeof import("./play");
  sounds: Sounds<Name>;
}

function wanted(): boolean {
  return audible() || palpable();
}

function makeAll<Name extends string>({ player, sounds }: Brought<Name>): void {
  if (audible()) for (const name in sounds) for (const sound of sounds[name]) player.make(name, sound);
}
