/** Plays moments one after another, each for its time; can be hurried to the last one at any time. */

export interface Step<Scene> {
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
  private waiting: Step<Scene>[] = [];
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

  add(steps: Step<Scene>[]): void {
    this.waiting.push(...steps);
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
    for (const step of passed) step.then?.();
  }

  private next(): void {
    for (;;) {
      const step = this.waiting.shift();
      if (step === undefined) {
        this.cancel = null;
        return;
      }
      this.show(step.scene, step.ms);
      step.then?.();
      if (step.ms > 0) {
        this.cancel = this.clock.after(step.ms, () => this.next());
        return;
      }
    }
  }
}
