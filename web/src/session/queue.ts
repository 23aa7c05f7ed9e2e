/**
 * The queue of what the server has said, and the moment that is shown. Each frame is played step by step on the board,
 * and only when it has been shown to its end do score, turn, story and offers go on to where it leads. Nothing else on
 * the page knows what the server said last. Pure, the same for every game.
 */
import type { Frame } from "../net/messages";
import { wallClock, type Clock } from "../clock";
import { entryOf, joined, standing, type LogEntry } from "./log";
import type { Pace } from "./pace";
import { shared, type Known, type TableState } from "./state";

/** One thing that the board shows for a while. */
export interface SceneStep<Scene> {
  scene: Scene;
  /** How long it is shown before the next; 0 for no pause. */
  ms: number;
  /** How much longer it is shown at a calm pace, for those who want to watch. */
  linger?: number;
  /** Whether it is shown where nothing moves, too: it says more than the board does afterwards. */
  still?: boolean;
  /** Whether words would be ahead of what is seen. */
  untold?: boolean;
}

/** A step on the way through the events of a frame. */
export interface EventStep<Scene> extends SceneStep<Scene> {
  /** How many of the events have been shown with it. */
  events: number;
}

/** How a game is shown. */
export interface Staging {
  /** What a view looks like when nothing moves. */
  sceneOf(view: object): object;
  /** What a game looks like before the first event of those that lead to this view. */
  opening?(view: object): object;
  /** What an event looks like, beginning with what is shown before it. */
  steps(before: object, event: object): SceneStep<object>[];
}

/** All that the page shows, of one moment. Whatever is drawn, said, offered or heard comes from here. */
export interface Moment {
  /** The table after all that has been shown to its end. Nothing is on offer until everything has been. */
  readonly state: TableState;
  /** What the board shows; null before there is a game, or its drawings. */
  readonly scene: object | null;
  /** How long the scene lasts; 0 when nothing moves. */
  readonly ms: number;
  /** Whether everything that the server has said has been shown. */
  readonly resting: boolean;
  /** Whose turn it is: the seat that acts, until that has been shown. */
  readonly actor: number | null;
  /** What has been shown, to its end. */
  readonly log: LogEntry[];
  /** What is being shown, as far as the board shows it; afterwards what was shown last. */
  readonly telling: LogEntry | null;
  /** What others did since one's last turn, as far as nobody saw it being shown. */
  readonly missed: LogEntry[];
  /** The odds of the position, if they are known and it lies open. */
  readonly odds: unknown;
}

/** Something that the server has said, or that leads to the next position of a replay. */
export interface Queued {
  /** The frame to be shown first, if the game went on. */
  readonly frame: Frame | null;
  /** What is known afterwards. Pure: who has something to do about it hears of it once it has been shown. */
  then(known: Known): Known;
}

/** Milliseconds for an action of somebody else that nothing on the board shows: the story has it all the same. */
const BEAT = 500;
/** The least time, in milliseconds, for which a step is shown where nothing moves. */
const READING = 1300;
/** Milliseconds at a calm pace in which all at one device see what came of an action before the curtain falls. */
const BEFORE_CURTAIN = 1000;

export class Queue<Item extends Queued = Queued> {
  private known: Known | null = null;
  private scene: object | null = null;
  private ms = 0;
  private log: LogEntry[] = [];
  private telling: LogEntry | null = null;
  private missed: LogEntry[] = [];
  /** Up to which number everything was shown where it could be seen, or could be looked at. */
  private seen = 0;
  private staging: Staging | null = null;
  private may = true;
  /** What is known, with nothing on offer. */
  private covered: TableState | null = null;
  private readonly odds = new Map<number, unknown>();
  /** What has been said and not been begun. */
  private waiting: Item[] = [];
  /** What is being shown, and what is left of it. */
  private playing: Item | null = null;
  private left: EventStep<object>[] = [];
  private cancelStep: (() => void) | null = null;
  private cancelPause: (() => void) | null = null;
  /** What has been shown to its end since the last moment. */
  private shown: Item[] = [];

  constructor(
    /** Hears of every new moment, and of what has been shown to its end since the one before. */
    private readonly changed: (moment: Moment, shown: readonly Item[]) => void,
    private readonly pace: () => Pace,
    private readonly clock: Clock = wallClock,
  ) {}

  get resting(): boolean {
    return this.playing === null && this.waiting.length === 0;
  }

  /** Show this as it is, instead of what was being shown; the log, if given, belongs to it. */
  begin(known: (before: Known | null) => Known, log?: LogEntry[]): void {
    const before = this.known?.on;
    this.drop();
    this.adopt(known(this.known));
    if (log !== undefined) this.log = log;
    // Where the game went on meanwhile, the last entry is an old one: the rest of the log is still to come.
    const whole = log !== undefined || before === this.known?.on;
    this.telling = (whole ? this.log.at(-1) : null) ?? null;
    this.publish();
  }

  /** From now on the game can be drawn. */
  load(staging: Staging): void {
    this.staging = staging;
    this.rest();
    this.publish();
  }

  /** Show this once all before it has been shown. */
  add(item: Item): void {
    this.waiting.push(item);
    if (this.playing === null) this.next();
    else this.publish();
  }

  /** Show the rest at once. */
  catchUp(): void {
    if (this.resting) return;
    this.cancelPause?.();
    this.cancelPause = null;
    this.settle();
    for (let item = this.waiting.shift(); item !== undefined; item = this.waiting.shift()) this.finish(item);
    this.publish();
  }

  /** Leave out what comes before the first step like this; where there is none, the rest of what is being shown. */
  showTo(like: (scene: object) => boolean): void {
    if (this.playing === null) return;
    this.cancelStep?.();
    const at = this.left.findIndex((step) => like(step.scene));
    this.left = at < 0 ? [] : this.left.slice(at);
    this.next();
  }

  /** Change what is known without anything to be shown: what is done here itself needs no waiting. */
  amend(change: (known: Known) => Known): void {
    if (this.known === null) return;
    this.adopt(change(this.known));
    this.publish();
  }

  /** Add what happened before; whatever has not been shown yet is left out. */
  recall(entries: LogEntry[]): void {
    const n = this.known?.n ?? 0;
    this.log = joined(
      entries.filter((entry) => entry.n <= n),
      this.log,
    );
    if (this.playing === null) this.telling = this.log.at(-1) ?? null;
    const own = this.log.findLastIndex((entry) => this.mine(entry.by) && !entry.stoodIn);
    this.missed = standing(this.log.slice(own + 1).filter((entry) => entry.n > this.seen && entry.by !== null));
    this.seen = n;
    this.publish();
  }

  /** What was missed has been looked at, or is not wanted. */
  dismiss(): void {
    this.missed = [];
    this.publish();
  }

  /** Keep the odds of the position after `on` changes of the game, for when it is shown. */
  setOdds(on: number, odds: unknown): void {
    this.odds.set(on, odds);
    this.publish();
  }

  dropOdds(): void {
    this.odds.clear();
    this.publish();
  }

  /** Whether the seat to act may do so here. */
  allow(may: boolean): void {
    this.may = may;
    this.publish();
  }

  stop(): void {
    this.drop();
  }

  /** Show the next step; when there is none, what comes next. */
  private next(): void {
    const pace = this.pace();
    if (pace.scale === 0 || this.staging === null) return this.catchUp();
    for (;;) {
      const step = this.left.shift();
      if (step !== undefined) {
        this.scene = step.scene;
        this.tellTo(step.events);
        const ms = (step.ms + (pace.scale < 1 ? 0 : (step.linger ?? 0))) * pace.scale;
        if (ms === 0) continue;
        this.ms = ms;
        this.cancelStep = this.clock.after(this.ms, () => this.next());
        return this.publish();
      }
      if (this.playing !== null) {
        // Where nothing moves, what one did oneself takes no time of its own.
        const seen = this.others(this.playing) || (!pace.moving && this.playing.frame !== null);
        this.settle();
        if (seen) this.pause(pace.between * pace.scale);
      }
      const item = this.waiting[0];
      if (item === undefined || (this.cancelPause !== null && this.others(item))) return this.publish();
      this.waiting.shift();
      this.playing = item;
      this.left = this.stepsOf(item, pace);
    }
  }

  /** The steps of a frame; where nothing moves, only those that tell something. */
  private stepsOf(item: Queued, pace: Pace): EventStep<object>[] {
    const { frame } = item;
    if (frame === null || frame.back || this.staging === null) return [];
    const { staging } = this;
    // Before a game begins there is nothing to see of it.
    const before = this.scene ?? (frame.patch ? (staging.opening?.(frame.patch) ?? null) : null);
    if (before === null) return [];
    const found = stepsThrough((scene, event) => staging.steps(scene, event), before, (frame.events ?? []) as object[]);
    if (pace.moving) {
      if (this.others(item) && found.every((step) => step.ms === 0)) {
        found.unshift({ scene: before, ms: BEAT, events: (frame.events ?? []).length });
      }
      const last = found.at(-1);
      if (last && this.known && handsOver(item.then(this.known))) {
        found.push({ ...last, ms: 0, linger: BEFORE_CURTAIN });
      }
      return found;
    }
    return found.filter((step) => step.still).map((step) => ({ ...step, ms: Math.max(step.ms, READING) }));
  }

  private tellTo(count: number): void {
    const frame = this.playing?.frame;
    if (!frame) return;
    const entry = entryOf(frame, this.known?.table ?? null);
    if (this.telling?.n === entry.n && this.telling.events.length === count) return;
    this.telling = { ...entry, events: entry.events.slice(0, count) };
  }

  /** Whether it was done by somebody else, whose doing has to be seen. */
  private others({ frame }: Queued): boolean {
    const by = frame?.by ?? null;
    return by !== null && !this.mine(by) && !this.known?.yours.includes(by);
  }

  private mine(seat: number | null): boolean {
    const { known } = this;
    if (known === null || seat === null) return false;
    return shared(known) ? known.yours.includes(seat) : seat === known.seat;
  }

  private pause(ms: number): void {
    this.cancelPause?.();
    this.cancelPause = null;
    if (ms === 0) return;
    this.cancelPause = this.clock.after(ms, () => {
      this.cancelPause = null;
      if (this.playing === null && this.waiting.length > 0) this.next();
    });
  }

  /** What is being shown has been shown to its end. */
  private settle(): void {
    this.cancelStep?.();
    this.cancelStep = null;
    this.left = [];
    const item = this.playing;
    this.playing = null;
    if (item !== null) this.finish(item);
  }

  private finish(item: Item): void {
    if (this.known === null) return;
    const { frame } = item;
    const { table } = this.known;
    this.adopt(item.then(this.known));
    this.shown.push(item);
    if (frame === null) return;
    const entry = entryOf(frame, table);
    this.log = joined(this.log, [entry]);
    this.telling = entry;
    if (this.mine(entry.by) && !entry.stoodIn) this.missed = [];
    else if (!this.pace().visible && entry.by !== null) this.missed = standing([...this.missed, entry]);
    this.seen = entry.n;
  }

  private adopt(known: Known): void {
    if (known.seat !== this.known?.seat) this.odds.clear();
    // What one seat saw is not for the eyes of the next, unless all have seen it.
    if (known.seat !== this.known?.seat && !(this.known !== null && shared(known))) {
      this.log = this.missed = [];
      this.telling = null;
      this.seen = 0;
    }
    for (const on of this.odds.keys()) if (on < known.on) this.odds.delete(on);
    const before = this.known;
    this.known = known;
    this.covered = { ...known, actions: [], undo: false };
    if (this.playing === null && (before?.view !== known.view || this.ms > 0)) this.rest();
  }

  /** Draw what is known, as it is when nothing moves. */
  private rest(): void {
    const view = this.known?.view ?? null;
    this.scene = this.staging !== null && view !== null ? this.staging.sceneOf(view) : null;
    this.ms = 0;
  }

  private drop(): void {
    this.cancelStep?.();
    this.cancelPause?.();
    this.cancelStep = this.cancelPause = null;
    this.waiting = [];
    this.left = [];
    this.playing = null;
  }

  private publish(): void {
    const { known, covered, resting } = this;
    if (known === null || covered === null) return;
    const { shown } = this;
    // What hears of it may add to the queue at once.
    this.shown = [];
    const moment: Moment = {
      state: resting && this.may ? known : covered,
      scene: this.scene,
      ms: this.ms,
      resting,
      actor: actorOf(known.view),
      log: this.log,
      telling: this.telling,
      missed: resting ? this.missed : [],
      odds: resting ? (this.odds.get(known.on) ?? null) : null,
    };
    this.changed(moment, shown);
  }
}

/** Another of one's own seats that is to act, once everything has been shown; null where there is none. */
export function nextOwnSeat({ state, actor, resting }: Pick<Moment, "state" | "actor" | "resting">): number | null {
  const { table, seat, yours } = state;
  if (table.phase !== "playing" || !resting || actor === null) return null;
  if (yours.length < 2 || actor === seat || !yours.includes(actor)) return null;
  return table.seats[actor]?.bot ? null : actor;
}

/** Whether a curtain falls before the next of one's own seats. */
function handsOver(state: Known): boolean {
  return !shared(state) && nextOwnSeat({ state, actor: actorOf(state.view), resting: true }) !== null;
}

/** The seat to act: every game's view has it. */
function actorOf(view: object | null): number | null {
  const { actor } = (view ?? {}) as { actor?: unknown };
  return typeof actor === "number" ? actor : null;
}

/** The steps through events, each with how many of them it shows. */
export function stepsThrough<Scene, Event>(
  steps: (before: Scene, event: Event) => SceneStep<Scene>[],
  before: Scene,
  events: readonly Event[],
): EventStep<Scene>[] {
  const found: EventStep<Scene>[] = [];
  let scene = before;
  for (const [at, event] of events.entries()) {
    for (const step of steps(scene, event)) {
      found.push({ ...step, events: step.untold ? at : at + 1 });
      scene = step.scene;
    }
  }
  return found;
}
