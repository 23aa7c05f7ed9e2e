/** A sound as samples: its notes, the room around them, and as loud as all others. Pure. */
import { INSTRUMENTS, randomly } from "./instruments";
import type { Note, Room, Sound } from "./notes";
import { RATE } from "./rate";

/** What every sound is brought to: its loudest eighth of a second, weighted as ears do it, in decibels below full. */
const COMMON = -22;
/** No sample is higher. */
const HIGHEST = 0.84;
/** Seconds over which an ear sums up. */
const HEARING = 0.125;
/** Seconds for which a struck thing may ring. */
const RINGS = 2.6;

/** By room: seconds until an echo is gone, how much there is of it, and how much further each of its ways is. */
const ROOMS: Record<Room, readonly [gone: number, much: number, far: number]> = {
  open: [0.22, 0.1, 0.45],
  walls: [0.5, 0.16, 0.8],
  stone: [1.5, 0.3, 1.25],
};

export function render({ notes, level = 0, room = "open", round }: Sound): Float32Array {
  const random = randomly(notes.length * 7919 + Math.round(notes[0].pitch));
  const [gone] = ROOMS[room];
  const last = Math.max(...notes.map(({ at, length = RINGS }) => at + length));
  const whole = new Float32Array(Math.ceil((last + gone) * RATE));
  for (const one of notes) add(whole, one, random);
  const heard = within(whole, room);
  const samples = round === undefined ? trimmed(heard) : wrapped(heard, Math.round(round * RATE));
  return levelled(samples, COMMON + level);
}

function add(whole: Float32Array, note: Note, random: () => number): void {
  const from = Math.round(note.at * RATE);
  const length = Math.min(whole.length - from, Math.ceil((note.length ?? RINGS) * RATE));
  const alone = new Float32Array(length);
  INSTRUMENTS[note.by](alone, note, random);
  const gain = 10 ** (note.loud / 20);
  for (let at = 0; at < length; at += 1) whole[from + at] += gain * alone[at];
}

/** Echoes that run round in four ways and mix. */
function within(dry: Float32Array, room: Room): Float32Array {
  const [gone, much, far] = ROOMS[room];
  const ways = [0.0297, 0.0371, 0.0411, 0.0437].map((seconds) => new Float32Array(Math.round(seconds * far * RATE)));
  const fades = ways.map((way) => 10 ** ((-3 * way.length) / (gone * RATE)));
  const dull = [0, 0, 0, 0];
  const wet = new Float32Array(dry.length);
  for (let at = 0; at < dry.length; at += 1) {
    let sum = 0;
    for (let way = 0; way < 4; way += 1) {
      const back = ways[way][at % ways[way].length];
      dull[way] += 0.55 * (back * fades[way] - dull[way]);
      sum += dull[way];
    }
    for (let way = 0; way < 4; way += 1) ways[way][at % ways[way].length] = dry[at] + dull[way] - sum / 2;
    wet[at] = dry[at] + much * sum;
  }
  return wet;
}

/** Without what cannot be heard at its end, which is faded out. */
function trimmed(samples: Float32Array): Float32Array {
  const audible = 0.002 * peak(samples);
  const end = samples.findLastIndex((one) => Math.abs(one) > audible) + 1;
  const kept = samples.slice(0, end);
  const fade = Math.min(end, Math.round(0.02 * RATE));
  for (let at = 0; at < fade; at += 1) kept[end - 1 - at] *= at / fade;
  return kept;
}

/** What goes beyond its end sounds at its beginning again. */
function wrapped(samples: Float32Array, length: number): Float32Array {
  const round = new Float32Array(length);
  samples.forEach((one, at) => (round[at % length] += one));
  return round;
}

function levelled(samples: Float32Array, wanted: number): Float32Array {
  const gain = 10 ** ((wanted - loudness(samples)) / 20);
  // What would be too high is rounded off.
  const knee = 0.6 * HIGHEST;
  const rest = HIGHEST - knee;
  return samples.map((one) => {
    const size = Math.abs(one * gain);
    return Math.sign(one) * (size < knee ? size : knee + rest * Math.tanh((size - knee) / rest));
  });
}

function peak(samples: Float32Array): number {
  return samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
}

/** Decibels of the loudest moment. Low tones count for less, as ears have it (the K weighting of ITU-R BS.1770). */
function loudness(samples: Float32Array): number {
  const length = Math.round(HEARING * RATE);
  const shelf = biquad([1.53084123, -2.65098, 1.16907908], [-1.66365511, 0.71259543]);
  const pass = biquad([1, -2, 1], [-1.98916967, 0.98919904]);
  const squares = new Float32Array(samples.length);
  let [sum, most] = [0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    squares[at] = pass(shelf(samples[at])) ** 2;
    sum += squares[at] - (at >= length ? squares[at - length] : 0);
    most = Math.max(most, sum);
  }
  return 10 * Math.log10(most / length + 1e-12);
}

function biquad([b0, b1, b2]: number[], [a1, a2]: number[]): (sample: number) => number {
  let [one, two] = [0, 0];
  return (sample) => {
    const out = b0 * sample + one;
    one = b1 * sample - a1 * out + two;
    two = b2 * sample - a2 * out;
    return out;
  };
}
