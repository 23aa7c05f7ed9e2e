/** A game looked back upon, as a table on screen. Nothing can be done at it but to look, unless a lesson offers it. */
import type { GameModule } from "../games/game";
import { pace } from "../preferences.svelte";
import type { TableSession } from "../table/session.svelte";
import type { Moment } from "../table/showing";
import type { Still } from "./stills";
import { Stepper } from "./stepper";

export class ReplaySession implements TableSession {
  moment = $state.raw<Moment | null>(null);
  at = $state.raw(0);
  running = $state.raw(false);
  readonly stepper: Stepper;

  constructor(
    readonly stills: readonly Still[],
    readonly game: GameModule,
    /** Hears of what is done on the board. */
    private readonly heed: (action: object) => void = () => {},
  ) {
    this.stepper = new Stepper(stills, game, (stepper) => this.show(stepper), pace);
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

  private show({ at, moment, running }: Stepper): void {
    this.moment = moment;
    this.at = at;
    this.running = running;
  }
}
