/** What is heard in the pyramid: feet and tiles on stone, flames, gold, and what had better sleep on. */
import { CLINK, noise, tone, type Sound } from "../../ui/synth";

export const SOUNDS = {
  step: [noise(420, 0, 0.09, 0.7)],
  /** Three quick feet. */
  flight: [0, 0.08, 0.16].map((at) => noise(520, at, 0.07, 0.6)),
  /** A tile turned over, laid or turned: stone drags over stone and comes to rest. */
  stone: [noise(700, 0, 0.22, 0.45, { to: 340, rise: 0.05 }), noise(260, 0.2, 0.1, 1)],
  /** A wall slams. */
  shut: [noise(320, 0, 0.28, 0.9, { to: 150, rise: 0.1 }), noise(130, 0.26, 0.45, 2.4)],
  chamber: [tone(196, 0, 1, 0.1), tone(294, 0.12, 0.9, 0.08), tone(392, 0.24, 0.8, 0.07)],
  photo: [noise(2600, 0, 0.03, 0.3), noise(1700, 0.09, 0.05, 0.3)],
  lit: [noise(2400, 0, 0.04, 0.3), noise(1100, 0.05, 0.3, 0.2, { to: 1600, rise: 0.08 })],
  out: [noise(1500, 0, 0.24, 0.3, { to: 400, rise: 0.03 })],
  gold: CLINK,
  safe: [...CLINK, tone(3136, 0.16, 0.5, 0.05)],
  stolen: [tone(2637, 0, 0.2, 0.06), tone(1976, 0.07, 0.2, 0.06), tone(1319, 0.14, 0.35, 0.06)],
  /** Gold, and far below it the pyramid begins to rumble. */
  mask: [
    tone(98, 0, 1.2, 0.14),
    tone(147, 0, 1.2, 0.1),
    tone(1175, 0.1, 0.9, 0.04),
    tone(1760, 0.2, 0.9, 0.04),
    noise(110, 0.25, 1.1, 2.6, { to: 70, rise: 0.6 }),
  ],
  /** The mummy groans. */
  mummy: [tone(82, 0, 0.9, 0.16, { to: 58, rise: 0.25 }), noise(240, 0, 0.9, 1.6, { to: 130, rise: 0.3 })],
  /** The curse blows through the passages. */
  curse: [noise(500, 0, 1, 0.7, { to: 1300, rise: 0.4 }), noise(900, 0.2, 0.8, 0.3, { to: 400, rise: 0.3 })],
  /** Sand runs: time does. */
  clock: [noise(1900, 0, 0.04, 0.3), noise(1400, 0.16, 0.04, 0.3)],
  /** Deep below something moves. */
  rumble: [noise(90, 0, 1.4, 3, { to: 60, rise: 0.6 }), noise(160, 0.4, 1, 1, { to: 80, rise: 0.4 })],
  crack: [0, 0.11, 0.17, 0.31, 0.42].map((at) => noise(1300 - 900 * at, at, 0.06, 0.5)),
  fall: [noise(220, 0, 0.95, 3, { to: 90, rise: 0.12 }), noise(420, 0.3, 0.4, 1, { to: 160, rise: 0.05 })],
  lost: [tone(330, 0, 0.35, 0.12, { to: 294 }), tone(220, 0.25, 0.6, 0.12, { to: 165 })],
  fanfare: [523, 659, 784, 1047].map((pitch, at) => tone(pitch, at * 0.14, at === 3 ? 0.9 : 0.35, 0.1)),
} satisfies Record<string, Sound>;

export type SoundName = keyof typeof SOUNDS;
