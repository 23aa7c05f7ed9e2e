/** A game looked back upon, as a table on screen. Nothing can be done at it but to look, unless a lesson offers it. */
import type { GameModule } from "../games/game";
import { moving } from "../preferences.svelte";
import { entryOf, type LogEntry } from "../table/log";
import type { TableSession } from "../table/session.svelte";
import type { TableState } from "../table/state";
import type { Still } from "./stills";
import { Stepper } from "./stepper";

export class ReplaySession implements TableSession {
  state = $state.raw<TableState | null>(null);
  scene = $state.raw<object | null>(null);
  sceneMs = $state.raw(0);
  playing = $state.raw(false);
  log = $state.raw<LogEntry[]>([]);
  at = $state.raw(0);
  running = $state.raw(false);
  readonly stepper: Stepper;
  /** The log of the whole game. */
  private readonly whole: LogEntry[];
  private offering = false;

  constructor(
    readonly stills: readonly Still[],
    readonly game: GameModule,
    /** Hears of what is done on the board. */
    private readonly heed: (action: object) => void = () => {},
  ) {
    this.whole = stills.map(({ frame }) => entryOf(frame));
    this.stepper = new Stepper(
      stills,
      game,
      () => this.show(),
      undefined,
      () => moving() && document.visibilityState === "visible",
    );
    this.show();
  }

  act(action: object): void {
    this.skip();
    this.heed(action);
  }

  undo(): void {}

  skip(): void {
    this.stepper.skip();
  }

  /** Let the seat looked through do, or not, what it could do in this position. */
  offer(offering: boolean): void {
    this.offering = offering;
    this.show();
  }

  private show(): void {
    const { at, scene, sceneMs, running } = this.stepper;
    const { state } = this.stills[at];
    if (this.state === null || at !== this.at) this.log = this.whole.slice(0, at + 1);
    this.at = at;
    this.state = { ...state, undo: false, actions: this.offering ? state.actions : [] };
    this.scene = scene;
    this.sceneMs = sceneMs;
    this.playing = sceneMs > 0;
    this.running = running;
  }
}
