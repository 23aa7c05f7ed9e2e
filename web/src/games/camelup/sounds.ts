/** What is heard on the track: wood on wood, sand, coins, and those who look on. */
import { CLINK, noise, tone, type Sound } from "../../ui/synth";

/** So many clatters of dice in a wooden pyramid, within so many seconds. */
function clatter(count: number, within: number): Sound {
  return Array.from({ length: count }, (_, at) => noise(1400 + 90 * (at % 3), (at * within) / count, 0.05, 0.22));
}

export const SOUNDS = {
  rattle: clatter(6, 0.4),
  /** The last die of a leg lets itself be waited for. */
  roll: clatter(14, 0.9),
  /** A die flies out, falls and comes to rest. */
  die: [
    noise(600, 0, 0.16, 0.2, { to: 1800, rise: 0.08 }),
    ...[0.2, 0.3, 0.36].map((at) => noise(1000, at, 0.06, 0.3)),
  ],
  /** A wooden foot on a wooden board. */
  knock: [noise(900, 0, 0.07, 0.3)],
  /** Sand gives way. */
  slide: [noise(1600, 0, 0.35, 0.18, { to: 700, rise: 0.08 })],
  coin: CLINK,
  loss: [tone(247, 0, 0.14, 0.1, { to: 208 }), noise(300, 0, 0.12, 0.4)],
  podium: [392, 494, 587].map((pitch, at) => tone(pitch, at * 0.09, 0.5, 0.07)),
  card: [noise(2400, 0, 0.05, 0.16), noise(1200, 0.06, 0.04, 0.16)],
  /** Everybody who stands at the line. */
  cheer: [
    noise(900, 0, 1.3, 0.5, { to: 1500, rise: 0.35 }),
    noise(1700, 0.15, 1, 0.25, { to: 2200, rise: 0.4 }),
    tone(587, 0.1, 0.5, 0.06, { to: 784, rise: 0.15 }),
    tone(740, 0.3, 0.6, 0.06, { to: 988, rise: 0.15 }),
  ],
  fanfare: [523, 523, 659, 784, 1047].map((pitch, at) => tone(pitch, at * 0.12, at === 4 ? 0.8 : 0.25, 0.09)),
} satisfies Record<string, Sound>;

export type SoundName = keyof typeof SOUNDS;
