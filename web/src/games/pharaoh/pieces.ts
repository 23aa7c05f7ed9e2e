/** How the wire writes what lies in the box: the numbers of cells, tiles and treasures, and their names. */

export const SIZE = 6;
export const CELLS = Array.from({ length: SIZE * SIZE }, (_, cell) => cell);
/** Top row first, from west to east: the order in which a person reads the board. */
export const READING_ORDER = CELLS.toSorted((a, b) => Math.floor(b / SIZE) - Math.floor(a / SIZE) || a - b);

export const FACE_DOWN = 0;
export const FIRST_CHAMBER = 16;
export const START = 21;
export const FALLEN = 22;
export const NOWHERE = -1;
export const MASK = 5;
/** The finder's turns that are left when the mask is found. */
export const COUNTDOWN = 3;

export const PASSAGES = ["tee", "corner", "straight"] as const;
export const CHAMBERS = ["lotus", "eye", "falcon", "ibis", "crown"] as const;
export type Passage = (typeof PASSAGES)[number];
export type Chamber = (typeof CHAMBERS)[number];
export type Figure = "archaeologist" | "helper";

export const SIDES = ["north", "east", "south", "west"] as const;
export type Side = (typeof SIDES)[number];

/** As cells are written: a1 is the south-west corner. */
export function cellName(cell: number): string {
  return `${"abcdef"[cell % SIZE]}${Math.floor(cell / SIZE) + 1}`;
}

export function chamberOf(code: number): Chamber | null {
  return code >= FIRST_CHAMBER && code < START ? CHAMBERS[code - FIRST_CHAMBER] : null;
}

export function isPassage(code: number): boolean {
  return code > FACE_DOWN && code < FIRST_CHAMBER;
}

export function sidesOf(openings: number): Side[] {
  return SIDES.filter((_, bit) => (openings >> bit) & 1);
}

/** The drawing of each passage lies like this before it is turned. */
const BASE: Record<Passage, number> = { tee: 0b0111, corner: 0b0011, straight: 0b0101 };

/** The openings after a quarter turn clockwise. */
export function quarterTurn(openings: number): number {
  return ((openings << 1) | (openings >> 3)) & 0b1111;
}

/** Which drawing shows these openings, and by how many degrees clockwise it is turned. */
export function drawingOf(openings: number): { passage: Passage; angle: number } {
  for (const passage of PASSAGES) {
    let way = BASE[passage];
    for (let angle = 0; angle < 360; angle += 90) {
      if (way === openings) return { passage, angle };
      way = quarterTurn(way);
    }
  }
  throw new Error(`no passage has the openings ${openings}`);
}

/** One way in which a passage that nobody has laid yet can be shown. */
export function baseOpenings(kind: number): number {
  return BASE[PASSAGES[kind]];
}
