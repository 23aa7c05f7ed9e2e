/**
 * What is to be heard, written down: which instrument plays when. How instruments sound is in `instruments.ts`, which
 * is only brought where something is heard.
 */
import type { Instrument } from "./instruments";

export interface Note {
  by: Instrument;
  /** In hertz: of the lowest tone that is heard, or where noise is loudest. */
  pitch: number;
  /** Seconds after the sound begins. */
  at: number;
  /** Decibels below (or above) an ordinary blow. */
  loud: number;
  /** Seconds; what is struck rings for as long as it does. */
  length?: number;
  /** The pitch that it glides to. */
  to?: number;
  /** The part of its length after which it is loudest, for what swells. */
  rise?: number;
}

/** Something that is heard at one go. */
export interface Sound {
  notes: readonly Note[];
  /** Decibels over the loudness that all sounds have in common. */
  level?: number;
  /** Where it is heard: in the open, between walls, under stone. */
  room?: Room;
  /** How far each time differs from the last, as a part of its pitch: no two blows are the same. */
  varied?: number;
  /** Heard for as long as what is shown with it; then it dies away. */
  goesOn?: boolean;
  /** When it is heard, as parts of the time of what is shown with it; at once if nothing else is said. */
  when?: readonly number[];
  /** What a hand that holds the device feels: milliseconds on and off, in turn. */
  buzz?: readonly number[];
  /** Seconds after which it begins anew, without a seam: what is always there. */
  round?: number;
}

export type Room = "open" | "walls" | "stone";

/** By name, what is heard together. */
export type Sounds<Name extends string> = Record<Name, readonly Sound[]>;

/** What is always there where a game is played, by day and by night: each goes round in a time of its own. */
export type Ambience = Record<"day" | "night", readonly Sound[]>;

export type Shape = Pick<Note, "length" | "to" | "rise">;

export function note(by: Instrument, pitch: number, at = 0, loud = 0, shape: Shape = {}): Note {
  return { by, pitch, at, loud, ...shape };
}

/** The same one after the other, each with its number. */
export function several<One>(count: number, one: (at: number) => One | One[]): One[] {
  return Array.from({ length: count }, (_, at) => one(at)).flat() as One[];
}

/** Coins that fall onto coins. */
export function coins(count: number, pitch = 2900): Note[] {
  return several(count, (at) => note("coin", pitch * (1 + 0.13 * ((at * 7) % 4)), 0.075 * at ** 0.85, -2.5 * at));
}
