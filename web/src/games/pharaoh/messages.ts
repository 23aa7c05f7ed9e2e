/* Generated from `serai schema` by `make messages`: do not edit. */

/**
 * The actor where no player decides. Its only member is :data:`CHANCE`.
 */
export type Chance = "chance";
export type Action =
  Archaeologist | Helper | Reveal | Lay | Turn | Lamp | Unlamp | Take | Drop | Steal | End | Tile | Photo | Treasure;
export type Event =
  | TurnBegan
  | Walked
  | TileOpened
  | TileDrawn
  | TileLaid
  | TileTurned
  | FigureShutIn
  | LampPutUp
  | LampTakenDown
  | TreasureTaken
  | TreasureDropped
  | TreasureStolen
  | TreasureBanked
  | PhotoTaken
  | TreasureLaidOut
  | MaskFound
  | MummyWoke
  | FigureFled
  | CurseSpread
  | LampBlownOut
  | OmenSlept
  | CountdownWent
  | MaskCarriedOut
  | ClockMoved
  | ChamberFell
  | RingFell
  | Rumbled
  | Calmed
  | CollapseBegan
  | FigureLost
  | TreasureLost
  | LampLost
  | TurnEnded
  | ScoreCounted
  | GameEnded;

/**
 * A position. Tuples are by cell, seat or kind; cells and seats are numbers, -1 is nowhere or nobody.
 */
export interface PharaohState {
  actor: number | Chance | null;
  options: Options;
  round: number;
  turn: number;
  moves_left: number;
  acts_left: number;
  plies: number;
  tiles: number[];
  unseen: number[];
  site: number;
  drawn: number;
  photo: number;
  due: number;
  photos: number[];
  stack: number[];
  lying: [number, number][];
  lost: number[];
  archaeologists: number[];
  helpers: number[];
  carried: number[];
  lamps: number[][];
  supplies: number[];
  museums: number[][];
  points: number[];
  changed: number[];
  mask_chamber: number;
  finder: number;
  countdown: number;
  clock: number;
  ring: number;
  falls: number[];
  stirred?: number;
}
/**
 * The choices of the set-up, and where the printed rules can be read in two ways.
 */
export interface Options {
  first?: number;
  entrance?: string;
  no_sealed_tiles?: boolean;
  turn_reach?: "linked" | "opening";
  hide_scores?: boolean;
  frightened_drop?: boolean;
  event_without_way_ends_turn?: boolean;
  mask_exit_ends_turn?: boolean;
  ring?: "king" | "rook";
  max_rounds?: number | null;
  restless?: number | null;
}
/**
 * The archaeologist walks to a cell (rules 4.2, 4.3).
 */
export interface Archaeologist {
  type: "archaeologist";
  cell: number;
}
/**
 * The helper walks to a cell (rules 4.2, 4.3).
 */
export interface Helper {
  type: "helper";
  cell: number;
}
/**
 * The archaeologist turns over a neighbouring tile (rule 5.1); which tile it is, is a chance action of its own.
 */
export interface Reveal {
  type: "reveal";
  cell: number;
}
/**
 * Lay the passage tile just revealed, with these openings (rule 5.2).
 */
export interface Lay {
  type: "lay";
  openings: number;
}
/**
 * The helper turns a passage tile so that it has these openings (rule 6.1).
 */
export interface Turn {
  type: "turn";
  cell: number;
  openings: number;
}
/**
 * The helper puts up a lamp where it stands (rule 7.1).
 */
export interface Lamp {
  type: "lamp";
}
/**
 * The helper takes down the own lamp where it stands (rule 7.2).
 */
export interface Unlamp {
  type: "unlamp";
}
/**
 * The archaeologist picks up a treasure of this value, 5 being the mask (rule 8.1).
 */
export interface Take {
  type: "take";
  value: number;
}
/**
 * The archaeologist leaves its treasure lying (rule 8.1).
 */
export interface Drop {
  type: "drop";
}
/**
 * The archaeologist takes what that seat's archaeologist carries (rule 8.2).
 */
export interface Steal {
  type: "steal";
  seat: number;
}
/**
 * End the turn (rule 3.1).
 */
export interface End {
  type: "end";
}
/**
 * The tile that was turned over is of this kind (chance).
 */
export interface Tile {
  type: "tile";
  tile: number;
}
/**
 * The photo of this number, from 1, comes out of the camera (chance).
 */
export interface Photo {
  type: "photo";
  number: number;
}
/**
 * A treasure of this value is drawn from the stack (chance).
 */
export interface Treasure {
  type: "treasure";
  value: number;
}
/**
 * A seat has its three moves.
 */
export interface TurnBegan {
  type: "turn_began";
  seat: number;
  round: number;
}
/**
 * A figure walked over these cells in one move, from the first to the last.
 */
export interface Walked {
  type: "walked";
  seat: number;
  figure: "archaeologist" | "helper";
  way: number[];
}
/**
 * An archaeologist standing on ``stands`` turns over the tile on ``cell``.
 */
export interface TileOpened {
  type: "tile_opened";
  seat: number;
  cell: number;
  stands: number;
}
/**
 * The tile on that cell turned out to be of this kind; a chamber lies at once.
 */
export interface TileDrawn {
  type: "tile_drawn";
  seat: number;
  cell: number;
  tile: number;
}
/**
 * A passage tile was laid with these openings.
 */
export interface TileLaid {
  type: "tile_laid";
  seat: number;
  cell: number;
  openings: number;
}
/**
 * A helper turned a tile.
 */
export interface TileTurned {
  type: "tile_turned";
  seat: number;
  cell: number;
  before: number;
  openings: number;
}
/**
 * A tile was laid or turned so that a figure has no way home (5.2).
 */
export interface FigureShutIn {
  type: "figure_shut_in";
  seat: number;
  figure: "archaeologist" | "helper";
  cell: number;
  by: number;
  alone: boolean;
}
/**
 * A lamp lights a cell; ``supply`` are left.
 */
export interface LampPutUp {
  type: "lamp_put_up";
  seat: number;
  cell: number;
  supply: number;
}
/**
 * A lamp went back to the supply.
 */
export interface LampTakenDown {
  type: "lamp_taken_down";
  seat: number;
  cell: number;
  supply: number;
}
/**
 * An archaeologist picked a treasure up.
 */
export interface TreasureTaken {
  type: "treasure_taken";
  seat: number;
  cell: number;
  value: number;
}
/**
 * An archaeologist left its treasure lying, of its own will or ``frightened`` (rules 8.1, 9.3).
 */
export interface TreasureDropped {
  type: "treasure_dropped";
  seat: number;
  cell: number;
  value: number;
  frightened?: boolean;
}
/**
 * An archaeologist took another's treasure.
 */
export interface TreasureStolen {
  type: "treasure_stolen";
  seat: number;
  victim: number;
  cell: number;
  value: number;
}
/**
 * A treasure was brought to safety; the player now has ``score``.
 */
export interface TreasureBanked {
  type: "treasure_banked";
  seat: number;
  value: number;
  score: number;
}
/**
 * The finder of a chamber drew a photo that shows treasures and perhaps an omen; the player now has ``score``.
 */
export interface PhotoTaken {
  type: "photo_taken";
  seat: number;
  cell: number;
  photo: number;
  treasures: number;
  omen: "" | "curse" | "mummy";
  score: number;
}
/**
 * A treasure was drawn and lies in the chamber.
 */
export interface TreasureLaidOut {
  type: "treasure_laid_out";
  cell: number;
  value: number;
}
/**
 * The death mask lies in the chamber, which falls after ``turns`` more turns of the finder (rule 10.1); 0 where the
 *     pyramid falls by itself already, and no countdown begins (rule 11.5.6).
 */
export interface MaskFound {
  type: "mask_found";
  seat: number;
  cell: number;
  turns: number;
}
/**
 * The mummy walks out over all shortest ways: these cells, chamber first, start last (rule 9.3).
 */
export interface MummyWoke {
  type: "mummy_woke";
  seat: number;
  way: number[];
}
/**
 * A figure met the mummy and now stands on the start tile.
 */
export interface FigureFled {
  type: "figure_fled";
  seat: number;
  figure: "archaeologist" | "helper";
  cell: number;
}
/**
 * The curse blows out over all shortest ways: these cells, chamber first, start last (rule 9.4).
 */
export interface CurseSpread {
  type: "curse_spread";
  seat: number;
  way: number[];
}
/**
 * The curse put a lamp out; its owner has it back.
 */
export interface LampBlownOut {
  type: "lamp_blown_out";
  seat: number;
  cell: number;
}
/**
 * No way leads from the chamber to the start: mummy or curse stay where they are (rule 9.5).
 */
export interface OmenSlept {
  type: "omen_slept";
  seat: number;
  omen: "" | "curse" | "mummy";
}
/**
 * The finder's turn ended: the chamber of the mask falls after ``turns`` more of them.
 */
export interface CountdownWent {
  type: "countdown_went";
  seat: number;
  turns: number;
}
/**
 * The mask left its chamber: the countdown is void (rule 10.2).
 */
export interface MaskCarriedOut {
  type: "mask_carried_out";
  seat: number;
  cell: number;
}
/**
 * From now on rings fall at the end of this seat's turns (rules 10.1 to 10.3).
 */
export interface ClockMoved {
  type: "clock_moved";
  seat: number;
}
/**
 * The chamber of the mask fell; the next events say what it took.
 */
export interface ChamberFell {
  type: "chamber_fell";
  cell: number;
}
/**
 * These cells fell, at distance ``ring`` from the chamber; ``unseen`` of them were face down (rule 10.4).
 */
export interface RingFell {
  type: "ring_fell";
  ring: number;
  cells: number[];
  unseen: number;
}
/**
 * After one more quiet round the pyramid begins to fall by itself, from this cell (rule 11.5.2).
 */
export interface Rumbled {
  type: "rumbled";
  cell: number;
}
/**
 * A tile was revealed or points rose: the fall that was announced is called off (rule 11.5.2).
 */
export interface Calmed {
  type: "calmed";
}
/**
 * The pyramid falls by itself: this cell now, then a ring about it at the end of each round (rule 11.5).
 */
export interface CollapseBegan {
  type: "collapse_began";
  cell: number;
}
/**
 * A figure fell with its cell: ``points`` (below 0); the player now has ``score``.
 */
export interface FigureLost {
  type: "figure_lost";
  seat: number;
  figure: "archaeologist" | "helper";
  cell: number;
  points: number;
  score: number;
}
/**
 * A treasure fell; ``seat`` carried it, -1 if it lay there.
 */
export interface TreasureLost {
  type: "treasure_lost";
  seat: number;
  cell: number;
  value: number;
}
/**
 * A lamp fell and is out of the game.
 */
export interface LampLost {
  type: "lamp_lost";
  seat: number;
  cell: number;
}
/**
 * A turn is over, by the player's will or by a rule.
 */
export interface TurnEnded {
  type: "turn_ended";
  seat: number;
  why: "end" | "mask" | "omen";
}
/**
 * One player's line of the final scoring (rule 11.2).
 */
export interface ScoreCounted {
  type: "score_counted";
  seat: number;
  photos: number;
  treasures: number[];
  lost: number;
  total: number;
}
/**
 * Final scores by seat and who won; the pyramid has fallen, or the rounds are over.
 */
export interface GameEnded {
  type: "game_ended";
  scores: number[];
  winners: number[];
  why: "collapse" | "rounds";
}
/**
 * All advice of a view. What concerns the actor is empty while nobody is to act.
 */
export interface Advice {
  whys: Why[];
  abilities: Ability[];
  reach: Reached[];
  dangers: Danger[];
  shut_in: ShutIn[];
  omens: OmenWay[];
  homes: Home[];
  collapse: Collapse | null;
  photos: PhotoLeft[];
}
/**
 * Why touching a cell does nothing: the refusal of the action that was meant.
 */
export interface Why {
  hand: "archaeologist" | "helper" | "turn";
  cell: number;
  key: string;
  values: {};
}
/**
 * What one of the actor's figures can do now, and why it cannot do the rest.
 */
export interface Ability {
  figure: "archaeologist" | "helper";
  can: ("lamp" | "reveal" | "turn" | "unlamp" | "walk")[];
  lacks: Lack[];
}
/**
 * Why a figure cannot do one kind of thing at all.
 */
export interface Lack {
  kind: "lamp" | "reveal" | "turn" | "unlamp" | "walk";
  key: string;
  values: {};
}
/**
 * A cell that one of the actor's figures can still walk to this turn.
 */
export interface Reached {
  figure: "archaeologist" | "helper";
  cell: number;
  steps: number[];
  way: number[];
}
/**
 * What ending the turn now would cost one of the actor's figures.
 */
export interface Danger {
  figure: "archaeologist" | "helper";
  lost: boolean;
}
/**
 * A figure that has a way home, and would have none if a tile were laid or turned like this.
 */
export interface ShutIn {
  cell: number;
  openings: number;
  seat: number;
  figure: "archaeologist" | "helper";
  alone: boolean;
}
/**
 * The way that mummy or curse would take, if a chamber lay on a cell that can be revealed now (rule 9.2).
 */
export interface OmenWay {
  cell: number;
  steps: [number, number][];
}
/**
 * How a figure gets home, if nobody takes the mask or moves a wall, and its player moves no other.
 */
export interface Home {
  seat: number;
  figure: "archaeologist" | "helper";
  moves: number;
  way: number[];
  turns?: number | null;
  safe?: boolean | null;
}
/**
 * When cells fall, if nobody takes the mask or, while the fall is only announced, calms the pyramid (11.5.2).
 */
export interface Collapse {
  seat: number;
  turns: number[];
}
/**
 * A photo that is still in the camera, and what it shows.
 */
export interface PhotoLeft {
  number: number;
  treasures: number;
  omen: "" | "curse" | "mummy";
}
