/**
 * Instruments by synthesis. What is struck is a bundle of tones that die away (its modes), set off by a blow that is the
 * harder the shorter it is; strings are plucked as Karplus and Strong do it; noise goes through filters; voices are
 * pulses through the resonances of a mouth. Pure: a note is played into an array of samples, always the same.
 */
import type { Note } from "./notes";
import { RATE } from "./rate";

/** Plays a note into samples that begin with it. */
type Playing = (out: Float32Array, note: Note, random: () => number) => void;

/** A tone of something that is struck: how many times higher than the lowest, how loud, and seconds until it is gone. */
type Mode = readonly [ratio: number, loud: number, gone: number];

const TURN = 2 * Math.PI;

/** Numbers from 0 to 1 without order, the same ones every time. */
export function randomly(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The samples of a band of noise or tones: below, around and above a frequency that may move. */
class Filter {
  private low = 0;
  private band = 0;
  private speed = 0;
  private spread = 1;

  /** Around this frequency; `q` says how narrow. */
  tune(frequency: number, q: number): this {
    this.speed = Math.tan(Math.PI * Math.min(0.45, frequency / RATE));
    this.spread = 1 / q;
    return this;
  }

  /** What is left of a sample around the frequency. */
  around(sample: number): number {
    const { speed, spread } = this;
    const high = (sample - (spread + speed) * this.band - this.low) / (1 + speed * (speed + spread));
    const band = speed * high + this.band;
    const low = speed * band + this.low;
    this.band = speed * high + band;
    this.low = speed * band + low;
    return band * spread;
  }

  /** What is left of it below. */
  below(sample: number): number {
    this.around(sample);
    return this.low;
  }
}

/** A blow that lasts so many seconds: smooth, and a little rough. */
function blow(seconds: number, rough: number, random: () => number): Float32Array {
  const length = Math.max(1, Math.round(seconds * RATE));
  const push = Float32Array.from({ length }, (_, at) => 1 - Math.cos((TURN * (at + 0.5)) / length));
  const sum = push.reduce((all, one) => all + one, 0);
  return push.map((one) => (one / sum) * (1 + rough * (2 * random() - 1)));
}

/** Something that is struck, for so many seconds at a time, and rings in its modes. */
function struck(modes: readonly Mode[], seconds: number, rough: number): Playing {
  return (out, note, random) => {
    const push = blow(seconds, rough, random);
    for (const [ratio, loud, gone] of modes) {
      const frequency = note.pitch * ratio * (1 + 0.008 * (random() - 0.5));
      if (frequency > 0.42 * RATE) continue;
      const turn = (TURN * frequency) / RATE;
      const fade = 10 ** (-3 / (gone * RATE));
      const [one, two] = [2 * fade * Math.cos(turn), -fade * fade];
      const gain = loud * Math.sin(turn);
      const end = Math.min(out.length, Math.ceil(1.2 * gone * RATE));
      let [last, before] = [0, 0];
      for (let at = 0; at < end; at += 1) {
        const now = one * last + two * before + (at < push.length ? gain * push[at] : 0);
        before = last;
        last = now;
        out[at] += now;
      }
    }
  };
}

/** How loud something is that swells and dies away, `at` a part of its length. */
function swelling(at: number, rise: number): number {
  return at < rise ? (at / rise) ** 1.2 : ((1 - at) / (1 - rise)) ** 1.6;
}

/** Noise through a filter that may move; `grains` is the part of the samples that there is noise in: fewer crunch. */
function blown(q: number, grains = 1): Playing {
  return (out, { pitch, to = pitch, length = 0.3, rise = 0.2 }, random) => {
    const end = Math.min(out.length, Math.round(length * RATE));
    const filter = new Filter();
    const second = new Filter();
    const loud = Math.sqrt((q * 3000) / (grains * (pitch + to)));
    for (let at = 0; at < end; at += 1) {
      const part = at / end;
      if (at % 32 === 0) {
        const frequency = pitch * (to / pitch) ** part;
        filter.tune(frequency, q);
        second.tune(frequency * 1.6, q / 2);
      }
      const noise = grains === 1 || random() < grains ? 2 * random() - 1 : 0;
      out[at] += loud * swelling(part, rise) * (filter.around(noise) + 0.35 * second.around(noise));
    }
  };
}

/** Stone over stone: noise in so many short pushes a second. */
function dragged(pushes: number): Playing {
  const grit = blown(1.4, 0.25);
  return (out, note, random) => {
    const rubbed = new Float32Array(out.length);
    grit(rubbed, note, random);
    let [push, next] = [0, 0];
    for (let at = 0; at < out.length; at += 1) {
      if (at >= next) {
        push = 0.6 + 0.8 * random();
        next = at + ((0.5 + random()) * RATE) / pushes;
      }
      push *= 1 - (2.2 * pushes) / RATE;
      out[at] += rubbed[at] * (0.25 + 1.4 * push);
    }
  };
}

/** A skin that is struck: its modes, a tone that falls as it settles, and the slap of the hand. */
function drummed(modes: readonly Mode[], tone: number, falls: number, slap: number): Playing {
  const ring = struck(modes, 0.0016, 0.6);
  const hand = blown(0.9);
  return (out, note, random) => {
    ring(out, note, random);
    let turned = 0;
    for (let at = 0; at < Math.min(out.length, 0.5 * RATE); at += 1) {
      const time = at / RATE;
      turned += (TURN * note.pitch * (1 + falls * Math.exp(-time * 28))) / RATE;
      out[at] += tone * Math.exp(-time * 13) * Math.sin(turned) * Math.min(1, time * 900);
    }
    const palm = new Float32Array(Math.min(out.length, 0.05 * RATE));
    hand(palm, { ...note, pitch: 900 + 4 * note.pitch, length: 0.045, rise: 0.04 }, random);
    palm.forEach((one, at) => (out[at] += slap * one));
  };
}

/** A pair of strings of gut, plucked, on a body of wood. */
const plucked: Playing = (out, { pitch, length = 1.2 }, random) => {
  const strings = new Float32Array(out.length);
  for (const [detuned, late] of [
    [0.9985, 0],
    [1.0015, 0.006],
  ]) {
    const period = RATE / (pitch * detuned) - 0.5;
    const whole = Math.floor(period);
    const rest = period - whole;
    // Where it is plucked some tones are missing; the flesh of a finger takes the edge off.
    let soft = 0;
    const noise = Float32Array.from({ length: whole + 1 }, () => (soft += 0.45 * (2 * random() - 1 - soft)));
    const string = noise.map((one, at) => one - noise[(at + Math.floor(whole * 0.17)) % noise.length]);
    const fade = 10 ** (-3 / (length * pitch));
    let before = 0;
    for (let at = 0, from = Math.round(late * RATE); from < out.length; at += 1, from += 1) {
      const here = at % string.length;
      const now = string[here];
      const next = string[(here + 1) % string.length];
      strings[from] += now;
      const between = now + (1 - rest) * (next - now);
      string[here] = fade * 0.5 * (between + before);
      before = between;
    }
  }
  const bodies = [105, 215, 410].map((at) => new Filter().tune(at, 5));
  const dull = new Filter().tune(Math.min(6000, 9 * pitch), 0.7);
  const stop = Math.min(out.length, Math.round(length * RATE));
  for (let at = 0; at < stop; at += 1) {
    const string = dull.below(strings[at]);
    const fades = Math.min(1, (stop - at) / (0.05 * RATE));
    out[at] += fades * bodies.reduce((all, body) => all + 0.9 * body.around(string), 0.7 * string);
  }
};

/** Where a mouth resounds, by vowel: [a, e, i, o, u]. */
const VOWELS = [
  [750, 1250, 2600],
  [480, 1900, 2600],
  [320, 2300, 3000],
  [500, 900, 2500],
  [340, 750, 2400],
] as const;

/** A voice: pulses from a throat through a mouth, from one vowel to another. */
function sung(
  out: Float32Array,
  { pitch, to = pitch, length = 0.6, rise = 0.25 }: Note,
  [first, last]: readonly [number, number],
  breath: number,
  random: () => number,
): void {
  const end = Math.min(out.length, Math.round(length * RATE));
  const mouth = [0, 1, 2].map(() => new Filter());
  const trembling = 4.5 + 2 * random();
  const phase = TURN * random();
  let cycle = random();
  for (let at = 0; at < end; at += 1) {
    const part = at / end;
    if (at % 32 === 0) {
      mouth.forEach((one, which) => {
        one.tune(VOWELS[first][which] * (VOWELS[last][which] / VOWELS[first][which]) ** part, 7);
      });
    }
    const sway = 1 + 0.014 * Math.sin(phase + (TURN * trembling * at) / RATE);
    cycle += (pitch * (to / pitch) ** part * sway) / RATE;
    if (cycle >= 1) cycle -= 1;
    const throat = 2 * cycle ** 3 - 0.5 + breath * (2 * random() - 1);
    const said = mouth[0].around(throat) + 0.6 * mouth[1].around(throat) + 0.25 * mouth[2].around(throat);
    out[at] += said * Math.sqrt(swelling(part, rise));
  }
}

/** Many who shout at once, each when they feel like it, and clap. */
const shouted: Playing = (out, { pitch, length = 1.4 }, random) => {
  const people = 16;
  for (let person = 0; person < people; person += 1) {
    const late = Math.round(0.3 * random() ** 1.5 * length * RATE);
    const own = pitch * (random() < 0.5 ? 1 : 1.75) * (0.85 + 0.4 * random());
    const shout = { by: "crowd", at: 0, loud: 0, pitch: own, to: own * (1.05 + 0.35 * random()) } as const;
    const long = length * (0.4 + 0.3 * random());
    const vowels = [random() < 0.5 ? 1 : 0, random() < 0.6 ? 0 : 3] as const;
    sung(out.subarray(late), { ...shout, length: long, rise: 0.3 }, vowels, 0.25, random);
  }
  const hands = blown(1.6);
  for (let clap = 0; clap < 34 * length; clap += 1) {
    const from = Math.round((0.1 + 0.8 * random()) * length * RATE);
    const loud = 0.1 + 0.3 * random();
    const heard = new Float32Array(Math.min(out.length - from, 1200));
    const pair = { by: "clap", at: 0, loud: 0, pitch: 1000 + 700 * random(), length: 0.025, rise: 0.05 } as const;
    hands(heard, pair, random);
    heard.forEach((one, at) => (out[from + at] += loud * one));
  }
};

/** Somebody far away talks: syllables that nobody understands, with pauses. */
const murmured: Playing = (out, { pitch, length = 3 }, random) => {
  const far = new Float32Array(out.length);
  for (let time = 0.3 * random(); time < length - 0.5;) {
    const word = 0.09 + 0.16 * random();
    const own = pitch * (0.85 + 0.35 * random());
    const vowels = [Math.floor(5 * random()), Math.floor(5 * random())] as const;
    const syllable = { by: "murmur", at: 0, loud: 0, pitch: own, to: own * (0.85 + 0.25 * random()) } as const;
    sung(far.subarray(Math.round(time * RATE)), { ...syllable, length: word }, vowels, 0.3, random);
    time += word * (0.8 + 0.5 * random()) + (random() < 0.16 ? 0.4 + 0.9 * random() : 0);
  }
  const wall = new Filter().tune(900, 0.7);
  far.forEach((one, at) => (out[at] += wall.below(one)));
};

/** A reed that is blown, as at weddings. */
const piped: Playing = (out, { pitch, to = pitch, length = 0.4 }, random) => {
  const end = Math.min(out.length, Math.round(length * RATE));
  const bell = [new Filter().tune(1150, 2.2), new Filter().tune(2700, 3)];
  let cycle = 0;
  for (let at = 0; at < end; at += 1) {
    const time = at / RATE;
    const slide = 1 - 0.05 * Math.exp(-time * 40);
    const sway = 1 + 0.009 * Math.min(1, time * 4) * Math.sin(TURN * 5.6 * time);
    cycle += (pitch * (to / pitch) ** (at / end) * slide * sway) / RATE;
    if (cycle >= 1) cycle -= 1;
    const reed = Math.tanh(3 * Math.sin(TURN * cycle) + 1.1) - 0.4 + 0.08 * (2 * random() - 1);
    const told = bell[0].around(reed) + 0.8 * bell[1].around(reed) + 0.12 * reed;
    out[at] += 0.8 * told * Math.min(1, time * 45, (length - time) * 22);
  }
};

/** A whistling tone that glides: birds, crickets. */
const chirped: Playing = (out, { pitch, to = pitch, length = 0.08, rise = 0.3 }) => {
  const end = Math.min(out.length, Math.round(length * RATE));
  let turned = 0;
  for (let at = 0; at < end; at += 1) {
    turned += (TURN * pitch * (to / pitch) ** (at / end)) / RATE;
    out[at] += 0.6 * Math.sin(turned) * swelling(at / end, rise);
  }
};

/** A low voice without words. */
const groaned: Playing = (out, note, random) => {
  sung(out, note, [3, 4], 0.5, random);
  const throat = new Float32Array(out.length);
  sung(throat, { ...note, pitch: note.pitch * 0.502, to: (note.to ?? note.pitch) * 0.497 }, [4, 3], 0.2, random);
  throat.forEach((one, at) => (out[at] += 0.7 * one));
};

const SKIN: readonly Mode[] = [
  [1, 0.7, 0.4],
  [1.59, 0.5, 0.22],
  [2.14, 0.35, 0.16],
  [2.3, 0.25, 0.14],
  [2.65, 0.2, 0.12],
  [2.92, 0.15, 0.1],
];

/** Two modes for each, a little apart: that is why coins shimmer. */
const DISC: readonly Mode[] = (
  [
    [1, 1, 0.55],
    [1.73, 0.7, 0.4],
    [2.33, 0.6, 0.34],
    [3.91, 0.4, 0.2],
    [4.11, 0.35, 0.18],
    [6.3, 0.2, 0.1],
  ] as const
).flatMap(([ratio, loud, gone]) => [[ratio, loud, gone] as const, [ratio * 1.0055, 0.7 * loud, 0.9 * gone] as const]);

export const INSTRUMENTS = {
  /** A block of wood: a figure that is put down. */
  wood: struck(
    [
      [1, 1, 0.12],
      [2.27, 0.55, 0.08],
      [3.9, 0.35, 0.05],
      [5.6, 0.22, 0.035],
      [7.8, 0.14, 0.025],
    ],
    0.0005,
    0.8,
  ),
  /** The table below it. */
  board: struck(
    [
      [1, 1, 0.16],
      [1.83, 0.6, 0.1],
      [2.9, 0.3, 0.06],
      [4.3, 0.15, 0.04],
    ],
    0.003,
    0.5,
  ),
  /** A die. */
  bone: struck(
    [
      [1, 1, 0.035],
      [1.42, 0.8, 0.028],
      [2.11, 0.6, 0.02],
      [2.83, 0.45, 0.015],
      [3.7, 0.3, 0.011],
    ],
    0.0001,
    1,
  ),
  coin: struck(DISC, 0.00006, 0.5),
  /** Bronze that rings for long. */
  bell: struck(
    [
      [0.5, 0.6, 4.32],
      [1, 1, 3.6],
      [1.19, 0.55, 2.88],
      [1.5, 0.4, 2.34],
      [2, 0.6, 2.16],
      [2.51, 0.3, 1.62],
      [2.66, 0.3, 1.44],
      [3.01, 0.25, 1.26],
      [4.1, 0.18, 0.81],
      [5.4, 0.1, 0.54],
    ],
    0.0012,
    0.4,
  ),
  stone: struck(
    [
      [1, 1, 0.075],
      [1.7, 0.8, 0.06],
      [2.6, 0.55, 0.045],
      [3.3, 0.4, 0.035],
      [4.8, 0.3, 0.025],
      [7.1, 0.2, 0.015],
    ],
    0.0011,
    1,
  ),
  /** A drum of clay struck in the middle, and at its rim. */
  doum: drummed(SKIN, 0.45, 0.5, 0.3),
  tek: drummed(
    SKIN.map(([ratio, loud, gone]) => [ratio, loud, gone * 0.3] as const),
    0.1,
    0.05,
    0.7,
  ),
  oud: plucked,
  mizmar: piped,
  crowd: shouted,
  murmur: murmured,
  groan: groaned,
  chirp: chirped,
  /** Air that moves: what flies past, wind, flames. */
  air: blown(1.1),
  /** The same through a narrow gap. */
  wind: blown(5),
  /** Cloth and cards. */
  paper: blown(0.8, 0.35),
  sand: blown(0.7, 0.06),
  drag: dragged(70),
  clap: blown(1.6),
} satisfies Record<string, Playing>;

export type Instrument = keyof typeof INSTRUMENTS;
