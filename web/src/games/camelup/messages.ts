/* Generated from `serai schema` by `make messages`: do not edit. */

/**
 * The actor where no player decides. Its only member is :data:`CHANCE`.
 */
export type Chance = "chance";
export type Action = Leg | Oasis | Mirage | Roll | Winner | Loser | Die;
export type Event =
  | CamelPlaced
  | LegBegan
  | LegTileTaken
  | DesertPlaced
  | CardLaid
  | PyramidTileTaken
  | DieDrawn
  | UnitLifted
  | UnitHopped
  | DesertMet
  | PoundPaid
  | UnitLanded
  | UnitSlidUnder
  | FinishCrossed
  | LegEnded
  | LegScored
  | RaceEnded
  | CardScored
  | GameEnded;

/**
 * A position of Camel Up. Tuples are by seat or by camel; ``None`` means hidden and nothing else.
 */
export interface CamelUpState {
  actor: number | Chance | null;
  options: Options;
  leg: number;
  turn: number;
  marker: number;
  track: number[][];
  tents: number[];
  pyramid_tiles: number[];
  leg_bets: number[][];
  deserts: number[];
  money: number[];
  hands: (number | null)[][];
  winner_deck: [number, number | null][];
  loser_deck: [number, number | null][];
}
/**
 * The choices of the set-up.
 */
export interface Options {
  first?: number;
  hide_money?: boolean;
}
/**
 * Take the top leg tile of a colour (rule 3.2).
 */
export interface Leg {
  type: "leg";
  camel: number;
}
/**
 * Put or move the own desert tile, oasis up (rule 3.3).
 */
export interface Oasis {
  type: "oasis";
  space: number;
}
/**
 * Put or move the own desert tile, mirage up (rule 3.3).
 */
export interface Mirage {
  type: "mirage";
  space: number;
}
/**
 * Take a pyramid tile and let a die move its camel (rule 3.4).
 *
 *     The die is a chance action of its own.
 */
export interface Roll {
  type: "roll";
}
/**
 * Lay a race card on the deck for the overall winner.
 */
export interface Winner {
  type: "winner";
  camel: number | null;
}
/**
 * Lay a race card on the deck for the overall loser.
 */
export interface Loser {
  type: "loser";
  camel: number | null;
}
/**
 * A die comes out of the pyramid (chance).
 */
export interface Die {
  type: "die";
  camel: number;
  pips: number;
}
/**
 * Set-up: a camel came to its first space, on top of ``stack`` (rule 2.3).
 */
export interface CamelPlaced {
  type: "camel_placed";
  camel: number;
  space: number;
  stack: number[];
}
/**
 * All dice are in the pyramid; the marker's holder begins (rules 2.4, 6.4, 6.5).
 */
export interface LegBegan {
  type: "leg_began";
  leg: number;
  marker: number;
}
/**
 * A player took the top leg tile of a colour.
 */
export interface LegTileTaken {
  type: "leg_tile_taken";
  seat: number;
  camel: number;
  value: number;
}
/**
 * A player put their desert tile on a space; ``moved_from`` is 0 when it lay in front of them.
 */
export interface DesertPlaced {
  type: "desert_placed";
  seat: number;
  space: number;
  side: number;
  moved_from: number;
}
/**
 * A player laid a race card, the ``place``-th of its deck (from 1); only they know its colour.
 */
export interface CardLaid {
  type: "card_laid";
  seat: number;
  deck: "loser" | "winner";
  camel: number | null;
  place: number;
}
/**
 * A player took a pyramid tile and shakes the pyramid.
 */
export interface PyramidTileTaken {
  type: "pyramid_tile_taken";
  seat: number;
}
/**
 * A die fell out and lies on its tent.
 */
export interface DieDrawn {
  type: "die_drawn";
  seat: number;
  camel: number;
  pips: number;
}
/**
 * The moving camel and its riders, bottom to top, leave ``space``; ``left`` stay there.
 */
export interface UnitLifted {
  type: "unit_lifted";
  space: number;
  unit: number[];
  left: number[];
}
/**
 * The unit hopped over these spaces, one by one; the last is where it ends for now.
 */
export interface UnitHopped {
  type: "unit_hopped";
  unit: number[];
  spaces: number[];
}
/**
 * The unit ended on a desert tile (rule 4.3).
 */
export interface DesertMet {
  type: "desert_met";
  space: number;
  side: number;
  owner: number;
}
/**
 * The owner of that tile got a pound and now has ``money``.
 */
export interface PoundPaid {
  type: "pound_paid";
  seat: number;
  amount: number;
  money: number;
}
/**
 * The unit stands on top of ``stack`` (rules 4.2, 4.4).
 */
export interface UnitLanded {
  type: "unit_landed";
  unit: number[];
  space: number;
  stack: number[];
}
/**
 * After a mirage the unit stands underneath ``stack`` (rule 4.4).
 */
export interface UnitSlidUnder {
  type: "unit_slid_under";
  unit: number[];
  space: number;
  stack: number[];
}
/**
 * The unit went over the finish line: the race is over (rule 7.1).
 */
export interface FinishCrossed {
  type: "finish_crossed";
  unit: number[];
  space: number;
}
/**
 * A leg is about to be scored; camels from first to last.
 */
export interface LegEnded {
  type: "leg_ended";
  leg: number;
  ranking: number[];
}
/**
 * One player's leg: tile by tile, the sum, what was really paid (rule 6.3) and the money after.
 */
export interface LegScored {
  type: "leg_scored";
  seat: number;
  tiles: TileScore[];
  pyramid_tiles: number;
  total: number;
  paid: number;
  money: number;
}
/**
 * What one leg tile brings.
 */
export interface TileScore {
  camel: number;
  value: number;
  amount: number;
}
/**
 * The race cards are about to be turned over: who won and who came last.
 */
export interface RaceEnded {
  type: "race_ended";
  winner: number;
  loser: number;
}
/**
 * One race card: ``amount`` by the table, ``paid`` what was really paid (rule 7.3), the money after.
 */
export interface CardScored {
  type: "card_scored";
  deck: "loser" | "winner";
  place: number;
  seat: number;
  camel: number;
  right: boolean;
  amount: number;
  paid: number;
  money: number;
}
/**
 * Final money by seat, and who won.
 */
export interface GameEnded {
  type: "game_ended";
  money: number[];
  winners: number[];
}
/**
 * The odds of a position; camels by name, actions by their notation.
 */
export interface Odds {
  position: string;
  sequences: number;
  leg: {
    [k: string]: LegChances;
  };
  counts: {
    [k: string]: LegCounts;
  };
  race: {
    [k: string]: RaceChances;
  };
  joint: {
    [k: string]: {
      [k: string]: number;
    };
  };
  ends: number;
  stops: {
    [k: string]: number;
  };
  assumes: string[];
  deserts?: {
    [k: string]: Placement;
  };
  actions?: {
    [k: string]: number;
  };
  best?: string | null;
}
/**
 * A camel's chances in this leg.
 */
export interface LegChances {
  first: number;
  second: number;
  last: number;
}
/**
 * The same as exact counts out of ``Odds.sequences``.
 */
export interface LegCounts {
  first: number;
  second: number;
  last: number;
}
/**
 * A camel's chances in the race.
 */
export interface RaceChances {
  winner: number;
  loser: number;
}
/**
 * A desert tile that the actor could put there: what it earns, and everybody's chances with it.
 */
export interface Placement {
  earns: number;
  leg: {
    [k: string]: LegChances;
  };
  race: {
    [k: string]: RaceChances;
  };
}
