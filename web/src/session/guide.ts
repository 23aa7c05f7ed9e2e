/**
 * Leads a learner through a prepared game: waits for the taught action at each of the learner's turns, explains
 * before and after, and plays everything else by itself.
 */
import type { Still } from "./stills";
import type { Stepper } from "./stepper";
import { wallClock, type Clock } from "../clock";

export type LessonStage = "intro" | "do" | "playing" | "done" | "end";

/** Milliseconds between the others' actions. */
const PAUSE = 900;

export class Guide {
  stage: LessonStage = "intro";
  /** Which of the learner's actions is taught now, or was last; counted from 1. */
  step = 0;
  /** The step of which it is told what came of it, together with what is to be done now; 0 where there is none. */
  past = 0;
  /** How often something else was tried at this step. */
  strayed = 0;
  /** How many actions there are to learn. */
  readonly steps: number;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly stills: readonly Still[],
    private readonly seat: number,
    private readonly stepper: Stepper,
    private readonly changed: () => void,
    private readonly clock: Clock = wallClock,
  ) {
    this.steps = stills.filter((_, at) => this.taughtAt(at)).length;
  }

  /** The action to be made now. */
  get taught(): object | null {
    return this.stage === "do" ? (this.stills[this.stepper.at + 1].frame.action as object) : null;
  }

  /** The learner does something on the board. */
  act(action: object): void {
    const { taught } = this;
    if (taught === null) return;
    if (JSON.stringify(action) !== JSON.stringify(taught)) {
      this.strayed += 1;
      this.changed();
      return;
    }
    this.become("playing");
    this.stepper.forward(() => this.finish());
  }

  /** The learner has read what there was to read. */
  goOn(): void {
    const { at, last } = this.stepper;
    this.past = 0;
    if (at >= last) {
      this.become("end");
    } else if (this.taughtAt(at + 1)) {
      this.teach();
    } else {
      this.become("playing");
      this.stepper.forward(() => {
        this.cancel = this.clock.after(PAUSE, () => this.goOn());
      });
    }
  }

  again(): void {
    this.stop();
    this.step = this.past = 0;
    this.stepper.jump(0);
    this.become("intro");
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  /** What was taught has been done: where the learner goes on, nothing has to be confirmed first. */
  private finish(): void {
    const next = this.stepper.at + 1;
    if (next > this.stepper.last || !this.taughtAt(next)) return this.become("done");
    this.past = this.step;
    this.teach();
  }

  private teach(): void {
    this.step += 1;
    this.strayed = 0;
    this.become("do");
  }

  private become(stage: LessonStage): void {
    this.stage = stage;
    this.changed();
  }

  /** Whether the action that leads to this position is the learner's own and had an alternative. */
  private taughtAt(at: number): boolean {
    return at > 0 && this.stills[at].frame.by === this.seat && this.stills[at - 1].state.actions.length > 1;
  }
}
