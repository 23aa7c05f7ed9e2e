/** Plays moments one after another, each for its time; can be hurried to the last one at any time. */

/** What is shown for a while. */
export interface Moment<Scene> {
  scene: Scene;
  /** How long it is shown before the next; 0 for no pause. */
  ms: number;
  /** What is to be done when it is shown, or passed over. */
  then?: () => void;
}

export interface Clock {
  after(ms: number, then: () => void): () => void;
}

export const wallClock: Clock = {
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export class MomentQueue<Scene> {
  private waiting: Moment<Scene>[] = [];
  private cancel: (() => void) | null = null;

  constructor(
    private readonly show: (scene: Scene, ms: number) => void,
    private readonly clock: Clock = wallClock,
    /** Whether to take time at all. */
    private readonly moving: () => boolean = () => true,
  ) {}

  get busy(): boolean {
    return this.cancel !== null;
  }

  /** The last moment that will be shown if nothing more comes, or null when all have been. */
  get last(): Scene | null {
    return this.waiting.at(-1)?.scene ?? null;
  }

  add(moments: Moment<Scene>[]): void {
    this.waiting.push(...moments);
    if (!this.moving()) this.skip();
    else if (this.cancel === null) this.next();
  }

  /** Show the last moment at once. */
  skip(): void {
    this.cancel?.();
    this.cancel = null;
    const passed = this.waiting;
    this.waiting = [];
    const last = passed.at(-1);
    if (last !== undefined) this.show(last.scene, 0);
    for (const moment of passed) moment.then?.();
  }

  private next(): void {
    for (;;) {
      const moment = this.waiting.shift();
      if (moment === undefined) {
        this.cancel = null;
        return;
      }
      this.show(moment.scene, moment.ms);
      moment.then?.();
      if (moment.ms > 0) {
        this.cancel = this.clock.after(moment.ms, () => this.next());
        return;
      }
    }
  }
}
