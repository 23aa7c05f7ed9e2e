/** Walks along the stills of a game: forwards with the ordinary animations, backwards and far away in one jump. */
import type { GameModule } from "../games/game";
import { MomentQueue, wallClock, type Clock } from "../table/queue";
import type { Still } from "./stills";

/** Milliseconds between two stills that play by themselves. */
const PAUSE = 700;

export class Stepper {
  at = 0;
  scene: object;
  sceneMs = 0;
  /** Whether it goes on by itself. */
  running = false;
  speed = 1;
  private readonly queue: MomentQueue<object>;
  private readonly clock: Clock;
  private afterwards: (() => void) | null = null;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly stills: readonly Still[],
    private readonly game: Pick<GameModule, "sceneOf" | "moments">,
    /** Called after every change. */
    private readonly changed: () => void,
    clock: Clock = wallClock,
    moving: () => boolean = () => true,
  ) {
    this.clock = { after: (ms, then) => clock.after(ms / this.speed, then) };
    this.queue = new MomentQueue<object>(
      (scene, ms) => {
        this.scene = scene;
        this.sceneMs = ms / this.speed;
        this.changed();
      },
      this.clock,
      moving,
    );
    this.scene = this.rested(0);
  }

  get last(): number {
    return this.stills.length - 1;
  }

  /** Show a position as it was when all had come to rest. */
  jump(to: number): void {
    this.forget();
    this.queue.skip();
    this.at = Math.min(Math.max(0, to), this.last);
    this.scene = this.rested(this.at);
    this.sceneMs = 0;
    if (this.at === this.last) this.running = false;
    this.changed();
    if (this.running) this.wait(PAUSE, () => this.goOn());
  }

  /** Play what leads to the next position; `then` once it has been shown. */
  forward(then: () => void = () => {}): void {
    if (this.at >= this.last) return;
    this.forget();
    this.queue.skip();
    this.at += 1;
    const { frame, state } = this.stills[this.at];
    const moments = this.game.moments(this.scene, (frame.events ?? []) as object[], state.view ?? {});
    const shown = frame.back ? [{ scene: this.rested(this.at), ms: 0 }] : moments;
    this.queue.add(shown);
    this.changed();
    const ms = this.queue.busy ? shown.reduce((sum, moment) => sum + moment.ms, 0) : 0;
    this.wait(ms, then);
  }

  play(): void {
    this.running = true;
    if (this.at >= this.last) this.jump(0);
    else this.goOn();
  }

  pause(): void {
    this.running = false;
    this.forget();
    this.changed();
  }

  /** Show at once what is being played. */
  skip(): void {
    this.queue.skip();
    const then = this.afterwards;
    this.forget();
    then?.();
  }

  stop(): void {
    this.forget();
    this.queue.skip();
  }

  private goOn(): void {
    this.forward(() => {
      if (this.at >= this.last) this.pause();
      else this.wait(PAUSE, () => this.goOn());
    });
  }

  private wait(ms: number, then: () => void): void {
    this.afterwards = then;
    this.cancel = this.clock.after(ms, () => {
      this.afterwards = null;
      this.cancel = null;
      then();
    });
  }

  private forget(): void {
    this.cancel?.();
    this.cancel = null;
    this.afterwards = null;
  }

  private rested(at: number): object {
    return this.game.sceneOf(this.stills[at].state.view ?? {});
  }
}
