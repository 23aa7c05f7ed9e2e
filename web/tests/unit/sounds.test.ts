/**
 * Every sound of every game, made as the page makes it. With SERAI_SOUNDS=FOLDER they are written there as files to
 * listen to and to look at.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMON } from "../../src/ui/sound/commonSounds";
import type { Ambience, Sound, Sounds } from "../../src/ui/sound/notes";
import { RATE } from "../../src/ui/sound/rate";
import { render } from "../../src/ui/sound/render";
import { games } from "./games";

/** What a loudest eighth of a second comes to, in decibels as ears weigh them, and how far any sound may be from it. */
const LOUDNESS = -25;
const APART = 4.5;
/** Seconds: what goes on as long as a finger shakes is the longest. */
const LONGEST = 4;
const WHOLE = process.env.SERAI_SOAK === "1" || process.env.SERAI_SOUNDS !== undefined;

interface Heard {
  name: string;
  sound: Sound;
  samples: Float32Array;
}

const brought = await Promise.all(
  games.map(async (game) => {
    const path = `../../src/games/${game}/sounds.ts`;
    const module = (await import(path)) as { SOUNDS: Sounds<string>; AMBIENCE: Ambience };
    return { game, ...module };
  }),
);

function made(group: string, sounds: Sounds<string>): Heard[] {
  return Object.entries(sounds).flatMap(([name, parts]) =>
    parts.map((sound, at) => ({ name: `${group}-${name}-${at}`, sound, samples: render(sound) })),
  );
}

const sounds = [...made("common", COMMON), ...brought.flatMap(({ game, SOUNDS }) => made(game, SOUNDS))];
/** What is always there takes long to make: the short form does with one. */
const surroundings = brought
  .flatMap(({ game, AMBIENCE }) => made(`${game}-surroundings`, AMBIENCE))
  .slice(0, WHOLE ? undefined : 0);

const folder = process.env.SERAI_SOUNDS;
if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  for (const { name, samples } of [...sounds, ...surroundings])
    writeFileSync(join(folder, `${name}.wav`), wave(samples));
}

describe.each(sounds)("$name", ({ sound, samples }) => {
  it("is as loud as all others, give or take what is meant", () => {
    const { level = 0 } = sound;
    expect(Math.abs(loudest(samples) - level - LOUDNESS), `${loudest(samples)}`).toBeLessThan(APART);
  });

  it("never clips, and fades out", () => {
    expect(highest(samples)).toBeLessThan(0.85);
    expect(highest(samples)).toBeGreaterThan(0.05);
    expect(highest(samples.slice(-40))).toBeLessThan(0.01);
  });

  it("is to be heard at once, and short", () => {
    expect(samples.length / RATE).toBeLessThan(LONGEST);
    // What swells is to be heard before it is at its loudest.
    expect(highest(samples.slice(0, 0.08 * RATE))).toBeGreaterThan(0.03 * highest(samples));
  });
});

it.each(surroundings)("$name goes round without a seam", ({ sound, samples }) => {
  expect(samples.length).toBe(Math.round((sound.round ?? 0) * RATE));
  const steps = samples.map((one, at) => Math.abs(one - samples[(at + 1) % samples.length]));
  expect(steps[samples.length - 1]).toBeLessThanOrEqual(highest(steps));
  expect(loudest(samples)).toBeLessThan(LOUDNESS - 10);
});

it("is another for every name", () => {
  const known = new Set(sounds.map(({ samples }) => `${samples.length} ${samples[1000]} ${samples[3000]}`));
  expect(known.size).toBe(sounds.length);
  for (const { game, SOUNDS } of brought) expect(Object.keys(SOUNDS).length, game).toBeGreaterThan(15);
});

it("is always made the same way", () => {
  const [{ sound, samples }] = sounds;
  expect(render(sound)).toEqual(samples);
});

function highest(samples: Float32Array): number {
  return samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
}

/** The loudest eighth of a second, in decibels, each frequency weighted as in IEC 61672 (A). */
function loudest(samples: Float32Array): number {
  const length = 8192;
  const window = Math.round(RATE / 8);
  let most = 0;
  for (let from = 0; from === 0 || from + window / 2 < samples.length; from += window / 2) {
    const real = new Float64Array(length);
    real.set(samples.subarray(from, from + window));
    const power = spectrum(real);
    const sum = power.reduce((all, one, at) => all + one * weight((at * RATE) / length) ** 2, 0);
    most = Math.max(most, (2 * sum) / length / window);
  }
  return 10 * Math.log10(most);
}

/** How much of a tone an ear hears. */
function weight(frequency: number): number {
  const f = frequency ** 2;
  const [a, b, c, d] = [20.6, 107.7, 737.9, 12194].map((one) => one ** 2);
  return (1.259 * d * f ** 2) / ((f + a) * Math.sqrt((f + b) * (f + c)) * (f + d));
}

/** Power by frequency (a fast Fourier transform). */
function spectrum(real: Float64Array): Float64Array {
  const { length } = real;
  const imaginary = new Float64Array(length);
  for (let at = 1, back = 0; at < length; at += 1) {
    let bit = length >> 1;
    for (; back & bit; bit >>= 1) back ^= bit;
    back ^= bit;
    if (at < back) [real[at], real[back]] = [real[back], real[at]];
  }
  for (let size = 2; size <= length; size *= 2) {
    for (let half = 0; half < size / 2; half += 1) {
      const [cos, sin] = [Math.cos((-2 * Math.PI * half) / size), Math.sin((-2 * Math.PI * half) / size)];
      for (let one = half; one < length; one += size) {
        const two = one + size / 2;
        const x = real[two] * cos - imaginary[two] * sin;
        const y = real[two] * sin + imaginary[two] * cos;
        real[two] = real[one] - x;
        imaginary[two] = imaginary[one] - y;
        real[one] += x;
        imaginary[one] += y;
      }
    }
  }
  return real.slice(0, length / 2).map((one, at) => one ** 2 + imaginary[at] ** 2);
}

/** A file of 16-bit samples. */
function wave(samples: Float32Array): Buffer {
  const file = Buffer.alloc(44 + 2 * samples.length);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + 2 * samples.length, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(2 * RATE, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(2 * samples.length, 40);
  samples.forEach((one, at) => file.writeInt16LE(Math.round(32767 * one), 44 + 2 * at));
  return file;
}
