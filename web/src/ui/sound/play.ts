/** Plays sounds. They are made once, beside the page (`worker.ts`). Brought by `hearing.ts` when one is wanted. */
import { preferences } from "../preferences.svelte";
import { RATE } from "./rate";
import type { Sound } from "./notes";
import type { Made, Wanted } from "./worker";

/** Seconds in which what goes on dies away. */
const DYING = 0.09;

let context: AudioContext | null = null;
let master: GainNode | null = null;
let worker: Worker | null = null;
/** What has been made, and who waits for what is being made. */
const made = new Map<Sound, AudioBuffer | Waiting[]>();
/** By number, the sounds that were asked for. */
const asked: Sound[] = [];

type Waiting = (buffer: AudioBuffer) => void;

/** Where all that is heard comes together. */
export function outlet(): { context: AudioContext; out: GainNode } {
  context ??= new AudioContext();
  if (context.state !== "running") void context.resume();
  if (master === null) {
    master = new GainNode(context);
    // Where much is heard at once it is held back, so that nothing clips.
    master.connect(new DynamicsCompressorNode(context, { threshold: -9, ratio: 12 })).connect(context.destination);
  }
  // What is twice as far along sounds twice as loud only if its power is more than that.
  master.gain.value = preferences.volume ** 2;
  return { context, out: master };
}

/** Have a sound made, if it has not been yet. */
export function make(name: string, sound: Sound, then: Waiting = () => undefined): void {
  const found = made.get(sound);
  if (found instanceof AudioBuffer) return then(found);
  if (found !== undefined) return void found.push(then);
  made.set(sound, [then]);
  if (worker === null) {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Made>) => keep(data));
  }
  const wanted: Wanted = { id: asked.push(sound) - 1, name, sound };
  worker.postMessage(wanted);
}

function keep({ id, samples }: Made): void {
  const buffer = new AudioBuffer({ length: samples.length, sampleRate: RATE });
  buffer.copyToChannel(samples, 0);
  const waiting = made.get(asked[id]) as Waiting[];
  made.set(asked[id], buffer);
  for (const then of waiting) then(buffer);
}

export function start({ when = [0], varied = 0, goesOn = false }: Sound, buffer: AudioBuffer, ms: number): () => void {
  const { context, out } = outlet();
  const gain = new GainNode(context);
  gain.connect(out);
  const sources = when.map((part) => {
    const at = context.currentTime + (part * ms) / 1000;
    const source = new AudioBufferSourceNode(context, { buffer, playbackRate: 1 + varied * (Math.random() - 0.5) });
    source.connect(gain);
    source.start(at);
    return { source, at };
  });
  return () => {
    const now = context.currentTime;
    if (goesOn) gain.gain.setTargetAtTime(0, now, DYING / 3);
    for (const { source, at } of sources) if (goesOn || at > now) source.stop(goesOn ? now + DYING : now);
  };
}

/** A hand feels it when it is first heard. */
export function buzz({ buzz = [], when = [0], goesOn = false }: Sound, ms: number): () => void {
  const timer = setTimeout(() => navigator.vibrate([...buzz]), when[0] * ms);
  return () => {
    clearTimeout(timer);
    if (goesOn) navigator.vibrate(0);
  };
}
