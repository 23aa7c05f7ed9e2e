/** Walks along the stills of a game: forwards with the ordinary animations, backwards and far away in one jump. */
import { entryOf, type LogEntry } from "./log";
import type { Pace } from "./pace";
import { Queue, type Moment, type Queued, type Staging } from "./queue";
import { wallClock, type Clock } from "../clock";
import type { Still } from "./stills";

/** Milliseconds between two stills that play by themselves. */
const PAUSE = 700;

export class Stepper {
  /** The position shown; the one before while what leads to the next is being shown. */
  at = 0;
  /** What is shown, from the first position on. */
  moment!: Moment;
  /** Whether it goes on by itself. */
  running = false;
  speed = 1;
  private readonly queue: Queue<Queued & { leadsTo: number }>;
  private readonly clock: Clock;
  /** The log of the whole game. */
  private readonly whole: LogEntry[];
  /** What is to be done once everything has been shown. */
  private afterwards: (() => void) | null = null;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly stills: readonly Still[],
    staging: Staging,
    /** Called after every change. */
    private readonly changed: (stepper: Stepper) => void,
    pace: () => Pace,
    clock: Clock = wallClock,
  ) {
    this.clock = { now: clock.now, after: (ms, then) => clock.after(ms / this.speed, then) };
    this.whole = stills.map(({ frame }) => entryOf(frame, null));
    this.queue = new Queue(
      (moment, shown) => this.show(moment, shown.at(-1)?.leadsTo),
      () => ({ ...pace(), scale: pace().scale / this.speed, between: 0 }),
      clock,
    );
    this.queue.allow(false);
    this.queue.load(staging);
    this.rest();
  }

  get last(): number {
    return this.stills.length - 1;
  }

  /** Let the seat looked through do, or not, what it could do in this position. */
  allow(may: boolean): void {
    this.queue.allow(may);
  }

  /** Show a position as it was when all had come to rest. */
  jump(to: number): void {
    this.forget();
    this.at = Math.min(Math.max(0, to), this.last);
    if (this.at === this.last) this.running = false;
    this.rest();
    if (this.running) this.wait(PAUSE, () => this.goOn());
  }

  /** Play what leads to the next position; `then` once it has been shown. */
  forward(then: () => void = () => {}): void {
    this.forget();
    this.queue.catchUp();
    const next = this.at + 1;
    if (next > this.last) return;
    const { frame, state } = this.stills[next];
    this.afterwards = then;
    this.queue.add({ frame, then: () => state, leadsTo: next });
  }

  play(): void {
    this.running = true;
    if (this.at >= this.last) this.jump(0);
    else this.goOn();
  }

  pause(): void {
    this.running = false;
    this.forget();
    this.changed(this);
  }

  /** Show at once what is being played. */
  catchUp(): void {
    this.queue.catchUp();
  }

  showTo(like: (scene: object) => boolean): void {
    this.queue.showTo(like);
  }

  stop(): void {
    this.forget();
    this.queue.stop();
  }

  private goOn(): void {
    this.forward(() => {
      if (this.at >= this.last) this.pause();
      else this.wait(PAUSE, () => this.goOn());
    });
  }

  private rest(): void {
    const { state } = this.stills[this.at];
    this.queue.begin(() => state, this.whole.slice(0, this.at + 1));
  }

  private show(moment: Moment, at = this.at): void {
    this.moment = moment;
    this.at = at;
    this.changed(this);
    const then = this.afterwards;
    if (then === null || !moment.resting) return;
    this.afterwards = null;
    then();
  }

  private wait(ms: number, then: () => void): void {
    this.cancel = this.clock.after(ms, then);
  }

  private forget(): void {
    this.cancel?.();
    this.cancel = null;
    this.afterwards = null;
  }
}
