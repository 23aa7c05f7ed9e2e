/* Generated from `serai schema` by `make messages`: do not edit. */

export type Message =
  | Look
  | Ping
  | Act
  | Undo
  | Say
  | Mute
  | Arrange
  | PlaceBot
  | Vacate
  | SetOptions
  | Start
  | TakeHost
  | Pause
  | Resume
  | TakeOver
  | Return
  | Leave
  | Agree
  | Rematch;
export type Reply =
  Welcome | Frame | TableFrame | ChatFrame | MutedFrame | Presence | TurnTime | Done | Refused | Closing | Trouble;
export type Phrase =
  | "again"
  | "bravo"
  | "good_luck"
  | "goodbye"
  | "hello"
  | "hurry"
  | "joy"
  | "moment"
  | "oops"
  | "sorrow"
  | "thanks"
  | "well_played"
  | "wow";
export type ReviewLine = Waiting | Judging | Reviewed | Unreviewed;

/**
 * Look through one of the own seats, or with ``null`` as an onlooker. Answered by a welcome.
 */
export interface Look {
  type: "look";
  seat: number | null;
}
/**
 * Check the connection: answered by ``done`` with the last number. (Pages do not see the pings of WebSocket.)
 */
export interface Ping {
  type: "ping";
  id: string;
}
/**
 * Play an action for the seat looked through: one of the ``actions`` that the last frame offered.
 */
export interface Act {
  type: "act";
  id: string;
  on: number;
  action: unknown;
}
/**
 * Take back the last action of the seat looked through.
 */
export interface Undo {
  type: "undo";
  id: string;
  on: number;
}
/**
 * Say something: free text, or a ready-made phrase (public tables know only these).
 */
export interface Say {
  type: "say";
  id: string;
  text?: string;
  phrase?:
    | "again"
    | "bravo"
    | "good_luck"
    | "goodbye"
    | "hello"
    | "hurry"
    | "joy"
    | "moment"
    | "oops"
    | "sorrow"
    | "thanks"
    | "well_played"
    | "wow";
}
/**
 * Stop (or with ``on`` false: start again) hearing what a seat says. Nobody else learns of it.
 */
export interface Mute {
  type: "mute";
  id: string;
  seat: number;
  on?: boolean;
}
/**
 * The host's new order: old seat numbers, ``null`` for a new open seat. Seats left out are removed.
 */
export interface Arrange {
  type: "arrange";
  id: string;
  /**
   * @minItems 1
   * @maxItems 16
   */
  order: (number | null)[];
}
/**
 * The host gives an open seat, or that of another bot, to a bot.
 */
export interface PlaceBot {
  type: "place_bot";
  id: string;
  seat: number;
  bot: string;
}
/**
 * The host makes a seat open: its bot or person goes.
 */
export interface Vacate {
  type: "vacate";
  id: string;
  seat: number;
}
/**
 * The host's choices for the set-up; what is not named falls back to its default.
 */
export interface SetOptions {
  type: "set_options";
  id: string;
  options: {};
}
/**
 * The host starts the game: every seat is taken, every person has joined.
 */
export interface Start {
  type: "start";
  id: string;
}
/**
 * Become the host, when the host is gone or has been away for longer than the grace time.
 */
export interface TakeHost {
  type: "take_host";
  id: string;
}
/**
 * Stop the game for everybody, until somebody resumes it.
 */
export interface Pause {
  type: "pause";
  id: string;
}
/**
 * Go on after a pause.
 */
export interface Resume {
  type: "resume";
  id: string;
}
/**
 * Let a bot play for a person who left or has been away for longer than the grace time.
 */
export interface TakeOver {
  type: "take_over";
  id: string;
  seat: number;
  bot: string;
}
/**
 * Take the own seat back from its stand-in, or after having left.
 */
export interface Return {
  type: "return";
  id: string;
  seat: number;
}
/**
 * Give up a seat: before the start it becomes open, later a bot may play on for it.
 */
export interface Leave {
  type: "leave";
  id: string;
  seat: number;
}
/**
 * Agree (or no longer agree) to end the game now; it ends once everybody agrees who did not leave it themselves.
 */
export interface Agree {
  type: "agree";
  id: string;
  on?: boolean;
}
/**
 * After the end: a new table with the same people, whose seats wait for them.
 */
export interface Rematch {
  type: "rematch";
  id: string;
  step?: -1 | 0 | 1;
}
/**
 * Everything from scratch: at the beginning, after ``look`` and after too large a gap.
 */
export interface Welcome {
  type: "welcome";
  n: number;
  on: number;
  seat: number | null;
  yours: number[];
  table: TableInfo;
  view?: {
    [k: string]: unknown;
  };
  actions?: unknown[];
  scores?: number[];
  chat?: Chat[];
  muted?: number[];
  undo?: boolean;
  build?: string;
}
/**
 * A table without its game: who sits where and how things stand.
 */
export interface TableInfo {
  id: string;
  game: string;
  rules: string;
  phase: "closed" | "lobby" | "over" | "playing";
  table_rules: TableRules;
  options: {};
  seats: SeatInfo[];
  host: number | null;
  commit: string;
  mix?: string;
  secret?: string;
  paused?: boolean;
  agreed?: boolean;
  scores?: number[];
  winners?: number[];
  next?: string;
  notice?: string;
  hides?: boolean;
  continued?: boolean;
}
/**
 * The table's rules. They stand from its making on, and a rematch keeps them.
 */
export interface TableRules {
  odds?: boolean;
  hints?: boolean;
  advice?: boolean;
  clock?: (0 | 30 | 60 | 180 | 600 | 86400) | null;
  one_device?: boolean;
  draw_first?: boolean;
  public?: boolean;
}
/**
 * One seat as everybody sees it.
 */
export interface SeatInfo {
  kind: "bot" | "open" | "person";
  name?: string;
  bot?: string;
  joined?: boolean;
  left?: boolean;
  agrees?: boolean;
  value?: string;
  hints?: number;
}
/**
 * Something that was said: text or phrase.
 */
export interface Chat {
  n: number;
  seat: number;
  text?: string;
  phrase?: string;
  name?: string;
}
/**
 * The game went on (or, after an undo, back): replace the fields in ``patch``, play the ``events``.
 */
export interface Frame {
  type: "frame";
  n: number;
  on: number;
  by?: number | null;
  action?: {
    [k: string]: unknown;
  };
  events?: unknown[];
  patch?: {};
  actions?: unknown[];
  scores?: number[];
  back?: boolean;
  undo?: boolean;
  table?: TableInfo;
}
/**
 * Something about the table changed, not about the game.
 */
export interface TableFrame {
  type: "table";
  n: number;
  seat: number | null;
  yours: number[];
  table: TableInfo;
  actions?: unknown[];
}
/**
 * Somebody said something.
 */
export interface ChatFrame {
  type: "chat";
  n: number;
  seat: number;
  text?: string;
  phrase?: string;
  name?: string;
}
/**
 * The seats this visitor does not hear; nobody else learns of it.
 */
export interface MutedFrame {
  type: "muted";
  n: number;
  muted: number[];
}
/**
 * Who is away. Not an entry: sent on connecting and on every change, never repeated.
 */
export interface Presence {
  type: "presence";
  away: Away[];
  watching: number;
}
/**
 * A person without a connection; after ``grace`` seconds (0: now) the others may let a bot play on.
 */
export interface Away {
  seat: number;
  grace: number;
}
/**
 * How the clock stands, at a table that has one. Not an entry: sent on connecting and on every change.
 */
export interface TurnTime {
  type: "clock";
  seat: number | null;
  left: number;
  of: number;
  running: boolean;
}
/**
 * The message of that id is saved, as entry ``n``; also the answer to its repeat.
 */
export interface Done {
  type: "done";
  id: string;
  n: number;
}
/**
 * The message of that id changed nothing: the reason as a key with values, and in English.
 */
export interface Refused {
  type: "refused";
  id: string;
  key: string;
  values: {};
  text: string;
}
/**
 * The server shuts down; tables are safe. Connect again in a few seconds.
 */
export interface Closing {
  type: "closing";
  reason: string;
}
/**
 * The server cannot save for the moment, for the reason of that key; an empty key: it can again.
 */
export interface Trouble {
  type: "trouble";
  key: string;
}
/**
 * Others are reviewed first.
 */
export interface Waiting {
  type: "waiting";
  ahead: number;
}
/**
 * How many actions of the record have been judged; of none while compiled code is loaded.
 */
export interface Judging {
  type: "judging";
  done: number;
  of: number;
}
/**
 * The review, and the end.
 */
export interface Reviewed {
  type: "reviewed";
  review: Review;
}
/**
 * A finished game, judged.
 */
export interface Review {
  game: string;
  evaluator: string;
  effort: string;
  seed: number;
  open: boolean;
  seats: number[];
  names: string[];
  start: Worth[];
  steps: Step[];
  accounts: Account[];
  findings?: Finding[];
  judged?: number;
}
/**
 * What a position is worth to a seat, by what that seat knows.
 */
export interface Worth {
  wins: number;
  score: number;
  error: number;
  exact?: boolean;
}
/**
 * One action of the record: of a seat, or of chance.
 */
export interface Step {
  ply: number;
  actor: number | null;
  action: string;
  worths: Worth[];
  wins: number[];
  scores: number[];
  decision?: Decision | null;
  chance?: number | null;
}
/**
 * What a seat chose, and what that lost against the best action.
 */
export interface Decision {
  seat: number;
  kind: string;
  alternatives: Alternative[];
  chosen: number;
  loss: number;
  error: number;
  score_loss: number;
  score_error: number;
  verdict: "bad" | "doubtful" | "fine" | "very bad";
  counts: boolean;
  by_points?: boolean;
  idle?: boolean;
  repeated?: boolean;
  regret?: number;
  difficulty?: number;
}
/**
 * An action and what it is worth to the seat that plays it.
 */
export interface Alternative {
  action: string;
  wins: number;
  score: number;
  error: number;
  playouts: number;
  reasons?: Reason[];
  against?: string;
}
/**
 * Something that speaks for or against an action: a key with plain values, so that any language can say it.
 */
export interface Reason {
  key: string;
  values: {};
  exact?: boolean;
  weight?: number;
}
/**
 * A seat's game in figures.
 */
export interface Account {
  seat: number;
  wins: Balance;
  scores: Balance;
  kinds: {
    [k: string]: Rate;
  };
  total: Rate;
  verdicts: {
    [k: string]: number;
  };
  adjusted: number;
  plays_like: string | null;
}
/**
 * Where a result came from: ``final - first == own + others + chance + revealed``.
 */
export interface Balance {
  first: number;
  own: number;
  others: number;
  chance: number;
  revealed: number;
  final: number;
}
/**
 * The losses of some decisions together, and how hard these were.
 */
export interface Rate {
  decisions: number;
  loss: number;
  as_hard: number;
  at_stake: number;
}
/**
 * Something in a seat's play that no single decision shows.
 */
export interface Finding {
  seat: number;
  first: number;
  last: number;
  reason: Reason;
}
/**
 * Why there will be none.
 */
export interface Unreviewed {
  type: "unreviewed";
  problem: Problem;
}
/**
 * Why a request was refused: a key with values, and the reason in English.
 */
export interface Problem {
  key: string;
  values: {};
  text: string;
}
/**
 * What a game says of a position before anybody acts: a value of the game's own type.
 */
export interface Advice {
  game: string;
  advice: unknown;
  on: number;
}
/**
 * What somebody would do there: one of the frame's ``actions``.
 */
export interface Answer {
  action: {};
}
/**
 * A seat of the caller's wants to know what the coach would do, in the position that it has before it.
 */
export interface AskHints {
  seat: number;
  on: number;
}
/**
 * What the host forbids an address or a visitor.
 */
export interface BanInfo {
  subject: string;
  kind: "ban" | "silence";
  until: number;
  why: string;
}
/**
 * How strong a bot was found to be, among all bots of its game.
 */
export interface BotStanding {
  bot: string;
  rating: number;
  low: number;
  high: number;
  wins: number;
  seats: number;
}
/**
 * The table of a code.
 */
export interface Called {
  table: string;
}
/**
 * The same, to be used up now.
 */
export interface Claim {
  code: string;
  drop?: boolean;
}
/**
 * The seats are here now.
 */
export interface Claimed {
  tables: string[];
}
/**
 * A code as somebody typed it.
 */
export interface Code {
  code: string;
}
/**
 * Somebody who is connected to a table at this process.
 */
export interface Connected {
  table: string;
  address: string;
  visitor: string;
  seat: number | null;
  name: string;
}
/**
 * Play on from a moment of a finished game, of a table or in a record, against bots of one kind.
 */
export interface Continue {
  turn: number;
  seat: number;
  bot: string;
  table?: string;
  record?: string;
}
/**
 * One draw of a finished game, so that it can be checked without knowing the rules.
 */
export interface Draw {
  n: number;
  outcomes: string[];
  weights: number[];
  drawn: string;
}
/**
 * All draws of a finished game, with what they were drawn from.
 */
export interface Draws {
  commit: string;
  mix: string;
  secret: string;
  values: string[];
  draws: Draw[];
  players: number;
  inherited?: number;
  first?: number | null;
}
/**
 * What there is to train with.
 */
export interface Exercises {
  game: string;
  today: string;
  themes: {
    [k: string]: string[];
  };
}
/**
 * Some of a table's frames.
 */
export interface FramesPage {
  frames: (Frame | TableFrame | ChatFrame | MutedFrame)[];
  next?: number | null;
}
/**
 * A game that can be played here.
 */
export interface GameInfo {
  name: string;
  rules: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  players: [number, number];
  options: OptionInfo[];
  bots: string[];
  levels: string[];
  company: {
    [k: string]: string[];
  };
  against_bots: {};
  standings: BotStanding[];
  warming: WarmingBot[];
  odds: boolean;
  advice: boolean;
  hints: boolean;
  lesson: boolean;
  exercises: boolean;
  insights: boolean;
  reviews: boolean;
}
/**
 * One choice of a game's set-up: what a form needs to offer it.
 */
export interface OptionInfo {
  name: string;
  type: string;
  default: unknown;
  label: string;
  choices: unknown[];
  optional: boolean;
}
/**
 * A bot that is still being tried: it is listed among the others as soon as it has decided once.
 */
export interface WarmingBot {
  bot: string;
  seconds: number;
  level: number | null;
}
/**
 * A secret code that moves the caller's seats to another device, once and for some seconds.
 */
export interface Handover {
  code: string;
  link: string;
  qr: string;
  seconds: number;
}
/**
 * One of the best actions, and what it is worth to the seat.
 */
export interface Hint {
  action: unknown;
  notation: string;
  wins: number;
  error: number;
  score: number;
  reasons: Reason[];
  against: string;
}
/**
 * The best actions, best first.
 */
export interface Hints {
  on: number;
  hints: Hint[];
}
/**
 * A table, as the host sees it in the list.
 */
export interface HostTable {
  id: string;
  phase: string;
  public: boolean;
  at: string;
  entries: number;
  game?: string;
  names?: string[];
  connected?: number;
  made_by?: string;
}
/**
 * How many tables there are by phase, and the newest of them.
 */
export interface HostTables {
  counts: {
    [k: string]: number;
  };
  tables: HostTable[];
}
/**
 * Something that many games of a game teach: a sentence of the catalogues, and the figures that it stands on.
 */
export interface Insight {
  key: string;
  unit: string;
  bars: InsightBar[];
  games: number;
  mark: number | null;
  exercise: string | null;
}
/**
 * A figure with its 95 % interval.
 */
export interface InsightBar {
  name: string;
  label: string;
  values: {
    [k: string]: number | string;
  };
  value: number;
  low: number;
  high: number;
}
/**
 * How to play a game well.
 */
export interface Insights {
  game: string;
  games: number;
  insights: Insight[];
}
/**
 * Take a seat: the one named, else the one that waits for this visitor, else the first open one.
 */
export interface Join {
  id: string;
  name: string;
  value: string;
  seat?: number;
}
/**
 * The seat taken, and the entry that says so.
 */
export interface Joined {
  seat: number;
  n: number;
}
/**
 * What an answer was worth.
 */
export interface Judged {
  right: boolean;
  chosen: Weighed;
  best: Weighed[];
  lead: number;
  error: number;
}
/**
 * An action and what it is worth to who does it.
 */
export interface Weighed {
  action: string;
  wins: number;
  error: number;
  score: number;
  reasons: Reason[];
  against: string;
}
/**
 * All that is kept about a visitor.
 */
export interface Kept {
  visitor: string;
  tables: KeptTable[];
  devices: number;
  reports_by_you: string[];
  reports_about_you: number;
}
/**
 * What a table keeps about a visitor.
 */
export interface KeptTable {
  table: string;
  game?: string;
  phase?: string;
  date?: string;
  names?: string[];
  said?: string[];
  entries?: number;
  damaged?: boolean;
}
/**
 * How many there were.
 */
export interface Lifted {
  count: number;
}
/**
 * A finished game that the caller had a seat in.
 */
export interface MyGame {
  table: string;
  game: string;
  date: string;
  seats: SeatInfo[];
  yours: number[];
  scores: number[];
  winners: number[];
  agreed: boolean;
}
/**
 * Shut out or silence an address or a visitor for a while.
 */
export interface NewBan {
  subject: string;
  kind: "ban" | "silence";
  hours: number;
  why?: string;
}
/**
 * What a table shall be; its creator is the host and takes a seat by joining, like everybody.
 */
export interface NewTable {
  game: string;
  seats?: number;
  options?: {};
  table_rules?: TableRules;
  bots?: {
    [k: string]: string;
  };
}
/**
 * The odds of a position: a value of the game's own type, or ``null`` where there are none.
 */
export interface Odds {
  game: string;
  odds: unknown;
  on?: number;
}
/**
 * What claiming a code would mean for this device.
 */
export interface Offered {
  here?: boolean;
  tables?: number;
  games?: number;
}
/**
 * A position in which one action is clearly best, without the answer.
 */
export interface Posed {
  id: string;
  theme: string;
  seat: number;
  table: TableInfo;
  frame: Frame;
}
/**
 * A record to be replayed, as ``seat`` (``null``: an onlooker) saw it, from the frame ``after`` that number on.
 */
export interface Replay {
  record: string;
  seat?: number | null;
  after?: number;
}
/**
 * A position of a record, after the frame of that number, as ``seat`` (``null``: an onlooker) saw it.
 */
export interface ReplayMoment {
  record: string;
  n: number;
  seat?: number | null;
}
/**
 * A recorded game as the frames that its table sent, with all that is needed to check its draws.
 */
export interface Replayed {
  seat: number | null;
  table: TableInfo;
  frames: (Frame | TableFrame | ChatFrame | MutedFrame)[];
  draws: Draws;
  next?: number | null;
}
/**
 * A report, as the host sees it.
 */
export interface ReportInfo {
  id: number;
  at: number;
  table: string;
  seat: number;
  name: string;
  visitor: string;
  address: string;
  reporter: string;
  text: string;
}
/**
 * A word to the host about who has a seat.
 */
export interface ReportPlayer {
  seat: number;
  text?: string;
}
/**
 * A person at a table, as the host sees them.
 */
export interface SeatedHere {
  seat: number;
  name: string;
  visitor: string;
}
/**
 * A table as a visitor sees it.
 */
export interface Seen {
  table: TableInfo;
  yours: number[];
  link: string;
  local: boolean;
}
/**
 * A code, to be said aloud, that leads to a table for some seconds.
 */
export interface Spoken {
  code: string;
  seconds: number;
}
/**
 * An address, or a visitor as the lists show them.
 */
export interface Subject {
  subject: string;
}
/**
 * A record of a finished game to be reviewed.
 */
export interface ToReview {
  record: string;
}

/** Characters of the longest record that a server reads. */
export const LONGEST_RECORD = 152576;
