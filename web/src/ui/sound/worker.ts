/** Makes sounds where it costs nobody's patience: beside the page. */
import type { Sound } from "./notes";
import { render } from "./render";

/** A sound to be made, and its number. */
export interface Wanted {
  id: number;
  /** As tests and logs call it. */
  name: string;
  sound: Sound;
}

export interface Made {
  id: number;
  name: string;
  samples: Float32Array<ArrayBuffer>;
}

addEventListener("message", ({ data: { id, name, sound } }: MessageEvent<Wanted>) => {
  const samples = render(sound) as Float32Array<ArrayBuffer>;
  const made: Made = { id, name, samples };
  postMessage(made, { transfer: [samples.buffer] });
});
