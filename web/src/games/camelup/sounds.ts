/** What is heard on the track: wood on wood, dice of bone, sand, coins, drums and those who look on. */
import { coins, note, several, type Ambience, type Note, type Sounds } from "../../ui/sound/notes";

/** A die that hits wood. */
function die(at: number, loud = 0, pitch = 2300): Note[] {
  return [note("bone", pitch, at, loud), note("wood", pitch / 4.1, at, loud - 7)];
}

/** Five dice in a pyramid of wood that somebody shakes. */
function rattle(seconds: number, each: number): Note[] {
  const count = Math.round(seconds / each);
  return several(count, (at) => {
    const swing = Math.abs(Math.sin((at * Math.PI) / 3.5));
    const late = 0.4 * ((at * 7) % 5) * 0.2 * each;
    return [
      ...die(at * each + late, -9 + 8 * swing, 1750 + 260 * ((at * 5) % 7)),
      note("wood", 410 + 35 * ((at * 3) % 4), at * each + late, -15 + 8 * swing),
    ];
  });
}

/** Figures of wood on boards: the lower the heavier. */
const knock = (pitch: number, at = 0, loud = 0): Note[] => [
  note("wood", pitch, at, loud),
  note("board", pitch / 3, at, loud - 1),
];

/** A melody on two drones: [pitch, beats]. */
function piped(beat: number, melody: readonly (readonly [number, number])[]): Note[] {
  let at = 0;
  return melody.flatMap(([pitch, beats]) => {
    const from = at;
    at += beats * beat;
    const length = beats * beat * 0.94;
    return [note("mizmar", pitch, from, 0, { length }), note("mizmar", pitch * 1.004, from + 0.01, -5, { length })];
  });
}

/** The rhythm of a wedding: doum, tek, tek, doum, tek. */
const maqsum = (beat: number, bars: number): Note[] =>
  several(bars, (bar) => {
    const from = bar * 4 * beat;
    return [
      note("doum", 112, from, 0),
      ...[0.5, 1.5, 3].map((at) => note("tek", 420, from + at * beat, -5)),
      note("doum", 112, from + 2 * beat, -1),
      ...[1, 2.5, 3.5].map((at) => note("tek", 450, from + at * beat, -13)),
    ];
  });

const BEAT = 0.19;

export const SOUNDS = {
  /** As long as a finger shakes it, ever harder. */
  shake: [
    {
      notes: rattle(3.4, 0.062).map((one) => ({ ...one, loud: one.loud - 15 * (1 - Math.min(1, one.at / 2.6)) })),
      level: 1,
      goesOn: true,
      buzz: several(24, (at) => [6 + at, Math.max(20, 90 - 4 * at)]),
    },
  ],
  rattle: [{ notes: rattle(3, 0.052), goesOn: true, buzz: [18, 40, 18, 40, 18, 40] }],
  /** The last die of a leg lets itself be waited for: somebody rolls a drum, too. */
  roll: [
    { notes: rattle(3, 0.043), level: -1, goesOn: true, buzz: [18, 30, 18, 30, 18, 30, 18, 30, 24] },
    {
      notes: several(60, (at) => note("tek", 380 + 16 * (at % 3), at * 0.05, -16 + 0.2 * at + 2 * (at % 2))),
      level: -5,
      room: "walls",
      goesOn: true,
    },
  ],
  /** A die shoots out, falls and bounces. */
  die: [
    { notes: [note("air", 500, 0, 0, { to: 1900, length: 0.24, rise: 0.4 })], level: -8, varied: 0.1 },
    { notes: [...die(0), note("board", 210, 0, -2)], when: [0.68], varied: 0.08, buzz: [20] },
  ],
  /** It comes to rest. */
  rest: [{ notes: [...die(0), ...die(0.07, -5, 2500), ...die(0.115, -10, 2420)], level: -2, varied: 0.08 }],
  /** A wooden foot on a wooden board. */
  knock: [{ notes: knock(880), level: -2, varied: 0.16 }],
  /** Onto a back. */
  land: [{ notes: [...knock(640), note("sand", 1500, 0.01, -9, { to: 900, length: 0.12, rise: 0.1 })], varied: 0.14 }],
  /** A camel tumbles onto the track. */
  tumble: [{ notes: [...knock(620), ...knock(790, 0.085, -5), ...knock(700, 0.14, -10)], varied: 0.12 }],
  /** Sand gives way. */
  slide: [
    {
      notes: [note("sand", 2300, 0, 0, { to: 800, length: 0.42, rise: 0.2 }), ...knock(540, 0.3, -12)],
      varied: 0.1,
    },
  ],
  /** Water, and a string that rises. */
  oasis: [
    {
      notes: [
        ...[294, 392, 494, 587].map((pitch, at) => note("oud", pitch, at * 0.07, -2)),
        ...[1300, 1750, 1500].map((pitch, at) => note("chirp", pitch, 0.05 + at * 0.09, -15, { to: pitch * 1.7 })),
      ],
      room: "walls",
      level: -2,
    },
  ],
  /** Hot air shimmers, and a string that sinks. */
  mirage: [
    {
      notes: [
        note("wind", 900, 0, -2, { to: 420, length: 0.5, rise: 0.35 }),
        ...[466, 370, 294].map((pitch, at) => note("oud", pitch, at * 0.09, -3)),
      ],
      room: "walls",
      level: -2,
      buzz: [40],
    },
  ],
  /** A tile of thick cardboard leaves its pile. */
  bet: [
    {
      notes: [
        note("paper", 3600, 0, -3, { to: 5200, length: 0.13, rise: 0.5 }),
        note("wood", 1250, 0.13, -4),
        note("board", 330, 0.13, -2),
        note("coin", 4100, 0.15, -24),
      ],
      varied: 0.06,
    },
  ],
  /** A tile is laid into the sand. */
  tile: [
    {
      notes: [
        note("paper", 1700, 0, -6, { to: 2600, length: 0.2, rise: 0.6 }),
        note("board", 190, 0.22, 0),
        note("sand", 1900, 0.22, -4, { to: 1100, length: 0.26, rise: 0.04 }),
      ],
      varied: 0.06,
    },
  ],
  /** A card slides over felt and is put down. */
  bury: [
    {
      notes: [
        note("paper", 2300, 0, 0, { to: 4200, length: 0.24, rise: 0.7 }),
        note("board", 240, 0.27, -5),
        note("clap", 1500, 0.27, -9, { length: 0.04, rise: 0.04 }),
      ],
      varied: 0.06,
    },
  ],
  /** A card is turned over. */
  card: [
    {
      notes: [
        note("paper", 4200, 0, -2, { to: 2600, length: 0.09, rise: 0.3 }),
        note("clap", 1900, 0.09, -4, { length: 0.035, rise: 0.04 }),
        note("board", 300, 0.09, -7),
      ],
      varied: 0.08,
      level: -2,
    },
  ],
  coin: [{ notes: coins(2), level: -2, varied: 0.06 }],
  gain: [{ notes: coins(5), varied: 0.05 }],
  /** Coins that one would rather keep are pushed away. */
  loss: [
    {
      notes: [
        note("doum", 112, 0, -7),
        note("sand", 1300, 0.02, -3, { to: 600, length: 0.2, rise: 0.1 }),
        note("oud", 247, 0.03, 0, { length: 0.6 }),
        note("oud", 220, 0.17, 0, { length: 0.8 }),
      ],
      level: -2,
    },
  ],
  /** The leg is over: drum and strings. */
  podium: [
    {
      notes: [
        note("doum", 112, 0, 0),
        ...[196, 247, 294, 392].map((pitch, at) => note("oud", pitch, at * 0.085, -2)),
        note("tek", 430, 0.34, -6),
        note("doum", 112, 0.34, -3),
      ],
      room: "walls",
      level: -1,
    },
  ],
  /** Everybody who stands at the line. */
  cheer: [
    { notes: [note("crowd", 150, 0, 0, { length: 2 })], room: "walls", level: 2, buzz: [60, 40, 60, 40, 160] },
    { notes: [note("bell", 392, 0, -8), ...maqsum(BEAT, 2)], room: "walls", level: -4 },
  ],
  fanfare: [
    {
      notes: [
        ...piped(BEAT, [
          [587, 1],
          [622, 0.5],
          [740, 0.5],
          [784, 1],
          [740, 0.5],
          [784, 0.5],
          [880, 1.5],
          [932, 0.5],
          [880, 3],
        ]),
        ...maqsum(BEAT, 2),
        note("doum", 112, 8 * BEAT, 1),
        note("crowd", 150, 6 * BEAT, -9, { length: 1.7 }),
      ],
      room: "walls",
      level: 1,
    },
  ],
} satisfies Sounds<string>;

export type SoundName = keyof typeof SOUNDS;

/** Where each of several begins, so that nothing comes at even times: by the golden ratio. */
const scattered = (count: number, seconds: number): number[] =>
  Array.from({ length: count }, (_, at) => seconds * ((0.31 + at * 0.618034) % 1));

export const AMBIENCE: Ambience = {
  /** The bazaar: people, sparrows, somebody who hammers copper, somebody who plays. */
  day: [
    {
      notes: [
        ...several(6, (at) => note("murmur", 105 + 31 * ((at * 5) % 4), 0, -4 - 1.5 * (at % 3), { length: 17 })),
        ...scattered(9, 15).map((at, which) => note("coin", 1150 + 60 * (which % 2), at, -12 - (which % 3) * 3)),
        ...scattered(7, 15).flatMap((at, which) =>
          several(3 + (which % 3), (beat) =>
            note("chirp", 3600 + 300 * (which % 3), at + beat * 0.13, -15, { to: 4700, length: 0.07 }),
          ),
        ),
      ],
      room: "walls",
      level: -15,
      round: 17,
    },
    {
      notes: [
        note("wind", 260, 0, -14, { to: 330, length: 23, rise: 0.5 }),
        ...[294, 311, 370, 392, 370, 311, 294].map((pitch, at) => note("oud", pitch / 2, 3 + at * 0.42, -6)),
        ...[220, 233, 294, 277, 233, 220].map((pitch, at) => note("oud", pitch / 2, 13 + at * 0.5, -8)),
        ...several(6, (at) => note("tek", 260, 8 + at * 0.42, -19)),
      ],
      room: "stone",
      level: -17,
      round: 23,
    },
  ],
  /** Wind over the sand, crickets, an oud far off. */
  night: [
    {
      notes: [
        note("wind", 230, 0, 0, { to: 420, length: 11, rise: 0.5 }),
        note("wind", 420, 8, -2, { to: 210, length: 11, rise: 0.4 }),
        ...several(17, (at) =>
          several(4, (beat) =>
            note("chirp", 4300 + 90 * (at % 2), at + beat * 0.055 + 0.11 * ((at * 3) % 4), 2 - 3 * (at % 3), {
              length: 0.04,
            }),
          ),
        ),
      ],
      level: -17,
      round: 17,
    },
    {
      notes: [
        ...[147, 156, 185, 196, 185, 156].map((pitch, at) => note("oud", pitch, 2 + at * 0.9, -3, { length: 2 })),
        ...[110, 147, 139].map((pitch, at) => note("oud", pitch, 15 + at * 1.1, -5, { length: 2.4 })),
      ],
      room: "stone",
      level: -19,
      round: 29,
    },
  ],
};
