/** A game looked back upon, as a table on screen. Nothing can be done at it but to look, unless a lesson offers it. */
import type { Advice } from "../net/messages";
import { pace } from "./pace";
import type { Moment, Staging } from "./queue";
import type { TableSession } from "./session";
import type { TableState } from "./state";
import type { Still } from "./stills";
import { Stepper } from "./stepper";

/** Milliseconds that a position is looked at before anything is asked about it. */
const LOOKED_AT = 250;

export class ReplaySession<Game extends Staging = Staging> implements TableSession<Game> {
  moment = $state.raw<Moment | null>(null);
  at = $state.raw(0);
  running = $state.raw(false);
  readonly stepper: Stepper;

  constructor(
    readonly stills: readonly Still[],
    readonly game: Game,
    /** Fetches the advice for the position after a frame; null where there is none. */
    private readonly asks: ((n: number) => Promise<Advice>) | null,
    /** Hears of what is done on the board. */
    private readonly heed: (action: object) => void = () => {},
  ) {
    this.stepper = new Stepper(stills, game, (stepper) => this.show(stepper), pace);
  }

  /** Nobody needs advice while the game runs by itself. */
  get advise(): TableSession["advise"] {
    return this.running || this.asks === null ? undefined : this.adviseOn;
  }

  act(action: object): void {
    if (this.moment?.resting) this.heed(action);
  }

  undo(): void {}

  catchUp(): void {
    this.stepper.catchUp();
  }

  showTo(like: (scene: object) => boolean): void {
    this.stepper.showTo(like);
  }

  /** Only where the position is still shown after a moment: hurrying through the game asks for nothing. */
  private readonly adviseOn = async ({ n, on }: TableState): Promise<Advice> => {
    await new Promise((done) => setTimeout(done, LOOKED_AT));
    if (this.moment?.state.on !== on) throw new Error("passed");
    return this.asks!(n);
  };

  private show({ at, moment, running }: Stepper): void {
    this.moment = moment;
    this.at = at;
    this.running = running;
  }
}
