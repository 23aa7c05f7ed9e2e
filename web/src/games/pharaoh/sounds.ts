/** What is heard in the pyramid: feet and tiles on stone, flames, gold, and what had better sleep on. */
import { coins, note, several, type Ambience, type Note, type Sounds } from "../../ui/sound/notes";

/** Stones that break and tumble, ever lower. */
const rubble = (count: number, over: number, from = 0, loud = 0): Note[] =>
  several(count, (at) =>
    note(
      "stone",
      620 - 380 * (at / count) + 90 * ((at * 5) % 3),
      from + over * (at / count) ** 1.3,
      loud - ((at * 7) % 5),
    ),
  );

/** A slab that comes to rest. */
const slab = (at: number, loud = 0): Note[] => [note("stone", 250, at, loud), note("board", 120, at, loud - 2)];

export const SOUNDS = {
  step: [
    {
      notes: [note("stone", 400), note("board", 150, 0, -8), note("sand", 2600, 0.01, -13, { length: 0.1, rise: 0.1 })],
      room: "stone",
      level: -3,
      varied: 0.16,
    },
  ],
  /** Three quick feet. */
  flight: [
    {
      notes: several(3, (at) => [note("stone", 380 + 25 * at, at * 0.09, -at), note("board", 170, at * 0.09, -8 - at)]),
      room: "stone",
      level: -2,
      varied: 0.1,
    },
  ],
  /** A tile turned over, laid or turned: stone drags over stone and comes to rest. */
  stone: [
    {
      notes: [note("drag", 900, 0, -2, { to: 420, length: 0.3, rise: 0.25 }), ...slab(0.27)],
      room: "stone",
      varied: 0.1,
    },
  ],
  /** A tile is laid. */
  slab: [
    {
      notes: [
        note("sand", 1500, 0, -8, { to: 900, length: 0.16, rise: 0.6 }),
        ...slab(0.14),
        note("sand", 2600, 0.15, -8, { to: 1400, length: 0.2, rise: 0.05 }),
      ],
      room: "stone",
      varied: 0.1,
    },
  ],
  /** A tile is turned where it lies. */
  turn: [
    {
      notes: [note("drag", 1100, 0, 0, { to: 640, length: 0.4, rise: 0.4 }), note("stone", 340, 0.36, -1)],
      room: "stone",
      level: -1,
      varied: 0.1,
    },
  ],
  /** A figure sits down on stone: the next one goes on. */
  ended: [
    {
      notes: [
        note("sand", 1900, 0, -7, { to: 1000, length: 0.16, rise: 0.4 }),
        note("stone", 290, 0.11, -3),
        note("board", 130, 0.11, -6),
      ],
      room: "stone",
      level: -4,
      varied: 0.12,
    },
  ],
  /** A wall slams. */
  shut: [
    {
      notes: [
        note("drag", 620, 0, 0, { to: 340, length: 0.36, rise: 0.5 }),
        ...slab(0.34, 2),
        note("stone", 420, 0.34, 4),
        note("stone", 610, 0.36, 0),
        note("doum", 96, 0.34, -5),
        ...rubble(5, 0.3, 0.4, -10),
      ],
      room: "stone",
      level: 2,
      buzz: [30, 200, 70],
    },
  ],
  /** A door to somewhere rich. */
  chamber: [
    {
      notes: [
        note("bell", 294, 0, -6),
        ...[196, 294, 392, 466].map((pitch, at) => note("oud", pitch, 0.1 + at * 0.13, -2, { length: 1.6 })),
      ],
      room: "stone",
    },
  ],
  /** A shutter. */
  photo: [
    {
      notes: [
        note("bone", 3100),
        note("clap", 2600, 0.004, -3, { length: 0.03, rise: 0.03 }),
        note("bone", 2500, 0.085, -3),
        note("clap", 1800, 0.09, -5, { length: 0.05, rise: 0.03 }),
      ],
      level: -2,
    },
  ],
  /** A flint, and a flame takes. */
  lit: [
    {
      notes: [
        note("bone", 3800, 0, -4),
        note("sand", 5200, 0.01, -3, { length: 0.08, rise: 0.1 }),
        note("air", 380, 0.07, -2, { to: 900, length: 0.5, rise: 0.25 }),
        ...several(6, (at) => note("bone", 2900 + 310 * (at % 3), 0.2 + at * 0.06, -21)),
      ],
      room: "stone",
      level: -2,
    },
  ],
  /** It is blown out. */
  out: [
    {
      notes: [
        note("air", 1700, 0, 0, { to: 360, length: 0.34, rise: 0.12 }),
        note("sand", 4200, 0.1, -12, { to: 2500, length: 0.4, rise: 0.1 }),
      ],
      room: "stone",
      level: -3,
    },
  ],
  /** A lamp of brass is taken from its hook. */
  unhung: [
    {
      notes: [
        note("coin", 1350, 0, -6),
        note("coin", 1510, 0.11, -12),
        note("air", 1500, 0.05, -6, { to: 420, length: 0.26, rise: 0.15 }),
      ],
      room: "stone",
      level: -3,
      varied: 0.06,
    },
  ],
  /** Gold is put down on stone. */
  drop: [
    {
      notes: [note("stone", 420, 0, -3), ...coins(2, 2100), note("board", 210, 0, -8)],
      room: "stone",
      level: -1,
      varied: 0.06,
    },
  ],
  /** Gold is taken up. */
  gold: [{ notes: [...coins(3, 2100), note("bell", 1050, 0, -14)], room: "stone", level: -1, varied: 0.05 }],
  safe: [
    {
      notes: [
        ...coins(5, 2300),
        ...[392, 494, 587].map((pitch, at) => note("oud", pitch, 0.12 + at * 0.1, -3)),
        note("bell", 1175, 0.34, -12),
      ],
      room: "walls",
      buzz: [30, 60, 30],
    },
  ],
  /** A hand snatches it. */
  stolen: [
    {
      notes: [
        note("air", 700, 0, -3, { to: 2600, length: 0.16, rise: 0.7 }),
        ...coins(2, 2600).map((one) => ({ ...one, at: one.at + 0.12 })),
        ...[370, 311, 294].map((pitch, at) => note("oud", pitch, 0.2 + at * 0.1, -1)),
      ],
      room: "stone",
      buzz: [80],
    },
  ],
  /** Gold, and far below it the pyramid begins to rumble. */
  mask: [
    {
      notes: [
        note("bell", 220, 0, 0),
        note("bell", 330, 0.05, -2),
        note("bell", 587, 0.2, -5),
        note("bell", 880, 0.34, -8),
        note("air", 130, 0.5, -2, { to: 80, length: 1.9, rise: 0.6 }),
      ],
      room: "stone",
      level: 2,
      buzz: [200],
    },
  ],
  /** The mummy groans. */
  mummy: [
    {
      notes: [
        note("groan", 96, 0, 3, { to: 62, length: 1.3, rise: 0.4 }),
        note("drag", 300, 0.2, -12, { to: 180, length: 0.9, rise: 0.5 }),
      ],
      room: "stone",
      level: 1,
      buzz: [30, 50, 60, 50, 120],
    },
  ],
  /** The curse blows through the passages. */
  curse: [
    {
      notes: [
        note("wind", 420, 0, 0, { to: 1250, length: 1.1, rise: 0.3 }),
        note("wind", 760, 0.25, -3, { to: 330, length: 1.1, rise: 0.35 }),
        note("groan", 190, 0.2, -10, { to: 130, length: 0.9, rise: 0.5 }),
      ],
      room: "stone",
    },
  ],
  /** Sand runs: time does. */
  clock: [
    {
      notes: [
        note("wood", 1500),
        note("wood", 1120, 0.24, -2),
        note("sand", 3800, 0.02, -6, { to: 3000, length: 0.4, rise: 0.2 }),
      ],
      level: -2,
    },
  ],
  /** Deep below something moves. */
  rumble: [
    {
      notes: [
        note("air", 150, 0, 1, { to: 80, length: 1.8, rise: 0.25 }),
        note("drag", 170, 0.2, 0, { to: 90, length: 1.4, rise: 0.5 }),
        ...rubble(7, 1, 0.5, -8),
      ],
      room: "stone",
      level: 1,
      buzz: [40, 30, 60, 30, 90, 30, 60, 30, 40],
    },
  ],
  crack: [
    {
      notes: [0, 0.1, 0.16, 0.29, 0.41].flatMap((at, which) => [
        note("stone", 1250 - 170 * which, at, -which),
        note("sand", 3400 - 400 * which, at, -8, { length: 0.09, rise: 0.03 }),
      ]),
      room: "stone",
      buzz: [20, 60, 20, 40, 30],
    },
  ],
  fall: [
    {
      notes: [
        ...rubble(16, 1.1, 0, 0),
        note("drag", 240, 0, 2, { to: 90, length: 1.1, rise: 0.2 }),
        note("doum", 78, 0.55, 0),
        note("air", 110, 0.4, 2, { to: 60, length: 1.2, rise: 0.2 }),
      ],
      room: "stone",
      level: 3,
      buzz: [60, 30, 120, 30, 200],
    },
  ],
  lost: [
    {
      notes: [
        ...[294, 277, 220, 147].map((pitch, at) => note("oud", pitch, at * 0.2, -1, { length: 1.6 })),
        note("wind", 600, 0, -9, { to: 210, length: 1, rise: 0.2 }),
      ],
      room: "stone",
    },
  ],
  fanfare: [
    {
      notes: [
        ...[294, 370, 392, 440, 587].map((pitch, at) =>
          note("mizmar", pitch, at * 0.17, -3, { length: at === 4 ? 0.9 : 0.16 }),
        ),
        note("bell", 294, 0.68, -2),
        ...[0, 0.34, 0.68].map((at) => note("doum", 100, at, -4)),
        ...coins(5).map((one) => ({ ...one, at: one.at + 0.7, loud: one.loud - 8 })),
      ],
      room: "stone",
      level: 1,
    },
  ],
} satisfies Sounds<string>;

export type SoundName = keyof typeof SOUNDS;

/** Air in long passages, drops that fall, and now and then a stone; by night there is more of it. */
const passages = (drops: number, loud: number): Ambience["day"] => [
  {
    notes: [
      note("wind", 120, 0, loud, { to: 190, length: 12, rise: 0.5 }),
      note("wind", 200, 9, loud - 2, { to: 110, length: 12, rise: 0.5 }),
      note("wind", 640, 4, loud - 16, { to: 820, length: 8, rise: 0.5 }),
    ],
    room: "stone",
    level: -17,
    round: 19,
  },
  {
    notes: several(drops, (at) => {
      const from = (31 * ((0.2 + at * 0.618034) % 1) + 0.5) % 30;
      const pitch = 1250 + 330 * ((at * 3) % 4);
      return at % 5 === 4
        ? rubble(3, 0.3, from, -6)
        : [note("chirp", pitch, from, -4 - 3 * (at % 3), { to: pitch * 1.35, length: 0.05, rise: 0.1 })];
    }),
    room: "stone",
    level: -20,
    round: 31,
  },
];

export const AMBIENCE: Ambience = { day: passages(9, 0), night: passages(14, 2) };
