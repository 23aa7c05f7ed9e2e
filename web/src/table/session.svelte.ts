/** One table on screen: the conversation with the server, what is known, and what is being shown of it. */
import type { GameModule } from "../games/game";
import { Connection, MOVED, type Asked, type Status } from "../net/connection";
import type { Reply, Frame, Refused, TurnTime } from "../net/messages";
import { frames, messageId, socketAddress, tableOdds } from "../net/rest";
import { moving } from "../preferences.svelte";
import { untilHalfTime } from "./clock";
import { entryOf, joined, logOf, type LogEntry } from "./log";
import { MomentQueue } from "./queue";
import type { Doings, Renewal } from "./renewal";
import { behind, heard, sent, type TableState } from "./state";

/** Milliseconds: no animation lasts as long as half of a day. */
const LONGEST_WAIT = 3_600_000;

/** A message without the id that is given to it when it is sent. */
export type Wanted = Asked extends infer Message ? (Message extends { id: string } ? Omit<Message, "id"> : never) : never;

/** A table on screen, whether it is played, replayed or taught: what a game's own table and the story need of it. */
export interface TableSession {
  readonly state: TableState | null;
  readonly scene: object | null;
  readonly sceneMs: number;
  readonly playing: boolean;
  readonly log: LogEntry[];
  readonly game: GameModule | null;
  /** Of the present position, or null while they are not wanted; undefined where nobody can be asked for them. */
  readonly odds?: unknown;
  act(action: object): void;
  undo(): void;
  skip(): void;
  /** Only where somebody is there to hear it. Gives the id by which an answer names it. */
  say?(message: Wanted): string;
  /** What was refused last, until something else is said. */
  readonly refusal?: Refused | null;
}

export class LiveSession implements TableSession {
  /** What is known now. */
  state = $state.raw<TableState | null>(null);
  /** What is shown now: behind the state while events are being played. */
  scene = $state.raw<object | null>(null);
  /** How long the present scene is shown. */
  sceneMs = $state.raw(0);
  playing = $state.raw(false);
  status = $state.raw<Status>("connecting");
  closeCode = $state.raw(0);
  restarting = $state.raw(false);
  /** This device's seats were taken to another one while it looked on. */
  moved = $state.raw(false);
  /** The server cannot save for the moment. */
  trouble = $state.raw(false);
  /** How long the last message took to be saved and answered, in milliseconds. */
  latency = $state.raw<number | null>(null);
  private asked = { id: "", at: 0 };
  refusal = $state.raw<Refused | null>(null);
  /** When presence was last told, in milliseconds: grace times run from then. */
  presenceAt = $state.raw(0);
  /** When the clock was last told, in milliseconds: time runs from then. */
  clockAt = $state.raw(0);
  /** Ends the wait for half-time. */
  private unhurry = (): void => undefined;
  log = $state.raw<LogEntry[]>([]);
  game = $state.raw<GameModule | null>(null);
  /** What the game can tell of the position, while that is wanted. */
  odds = $state.raw<unknown>(null);
  /** How often the odds have been asked for, or dropped. */
  private questions = 0;
  /** Whether something said has not been answered yet. */
  waiting = $state.raw(false);
  /** Whether the server has another build of the page, which is to be loaded. */
  outdated = $state.raw(false);
  private fresh = true;
  private readonly connection: Connection;
  private readonly queue: MomentQueue<object>;

  constructor(
    readonly id: string,
    loadGame: (name: string) => Promise<GameModule>,
    private readonly renewal: Renewal,
  ) {
    this.queue = new MomentQueue<object>(
      (scene, ms) => {
        this.scene = scene;
        this.sceneMs = ms;
        this.playing = ms > 0;
      },
      undefined,
      () => moving() && document.visibilityState === "visible",
    );
    this.connection = new Connection(
      (seen, seat) => new WebSocket(socketAddress(id, seen, seat)) as never,
      (reply) => void this.receive(reply, loadGame),
      (status, code) => {
        this.status = status;
        this.closeCode = code;
        if (code === MOVED) this.moved = true;
        if (status === "open") {
          this.restarting = this.trouble = false;
          this.fresh = true;
        }
      },
    );
    this.connection.start();
  }

  /** Send a message; what became of it comes back as frames, or as a refusal. */
  say(message: Wanted): string {
    this.refusal = null;
    const id = messageId();
    this.asked = { id, at: performance.now() };
    this.connection.say({ ...message, id } as Asked);
    this.waiting = true;
    return id;
  }

  act(action: object): void {
    if (this.state === null) return;
    this.skip();
    this.state = sent(this.state, this.say({ type: "act", on: this.state.on, action }));
  }

  undo(): void {
    if (this.state !== null) this.say({ type: "undo", on: this.state.on });
  }

  look(seat: number | null): void {
    this.connection.look(seat);
  }

  /** Sit on a seat that was just taken. */
  sit(seat: number): void {
    this.connection.redial(seat);
  }

  /** Show at once what the events being played lead to. */
  skip(): void {
    this.queue.skip();
  }

  /** Fetch the odds of the present position. */
  async askOdds(): Promise<void> {
    const { state } = this;
    if (state === null) return;
    const question = ++this.questions;
    const told = await tableOdds(this.id, state.seat).catch(() => null);
    // Odds that are not wanted any more, or of a position that has passed meanwhile, are worth nothing.
    if (question !== this.questions) return;
    if (this.state?.on === state.on && this.state.seat === state.seat) this.odds = told?.odds ?? null;
  }

  /** Show no odds, not even those that are on their way. */
  dropOdds(): void {
    this.questions += 1;
    this.odds = null;
  }

  /** Load the page anew if it has to be and nobody would mind. */
  renewAt(doings: Pick<Doings, "writing" | "turn" | "visible">): void {
    const { status, playing, waiting } = this;
    this.renewal.renewAt({ ...doings, connected: status === "open", playing, waiting });
  }

  online = (): void => this.connection.hurry();
  offline = (): void => this.connection.cut();

  stop(): void {
    this.unhurry();
    this.connection.stop();
    this.queue.skip();
  }

  private async receive(reply: Reply, loadGame: (name: string) => Promise<GameModule>): Promise<void> {
    this.waiting = this.connection.waiting > 0;
    if (reply.type === "refused") {
      this.refusal = reply;
      // Whatever made it stale was told before, on the same line; if that did not come, the line is no good.
      if (this.state !== null && behind(this.state, reply)) this.connection.catchUp();
    }
    if (reply.type === "done" && reply.id === this.asked.id) {
      this.latency = Math.round(performance.now() - this.asked.at);
    }
    if (reply.type === "welcome" && this.fresh) {
      this.fresh = false;
      this.renewal.named(reply.build);
      this.outdated = this.renewal.due;
    }
    if (reply.type === "closing") this.restarting = true;
    if (reply.type === "trouble") this.trouble = reply.key !== "";
    const told = heard(this.state, reply);
    if (told === null) return;
    // What one seat saw is not for the eyes of the next.
    if (told.state.seat !== this.state?.seat) {
      this.log = [];
      this.odds = null;
    }
    this.state = told.state;
    if (reply.type === "presence") this.presenceAt = performance.now();
    if (reply.type === "clock") this.watchClock(reply);
    if (reply.type === "welcome") {
      this.queue.skip();
      if (this.game === null) this.game = await loadGame(reply.table.game);
      this.rest();
      void this.recall();
    } else if (told.frame !== null) {
      this.play(told.frame);
    }
  }

  /** Catch up when half of the turn's time has passed: nobody's time shall go by while they watch what was. */
  private watchClock(told: TurnTime): void {
    this.clockAt = performance.now();
    this.unhurry();
    const half = untilHalfTime(told);
    if (half === null || half > LONGEST_WAIT) return;
    const timer = setTimeout(() => this.queue.skip(), half);
    this.unhurry = () => clearTimeout(timer);
  }

  /** Show the state as it is. */
  private rest(): void {
    const { game, state } = this;
    this.queue.skip();
    this.scene = game !== null && state?.view ? game.sceneOf(state.view) : null;
    this.playing = false;
  }

  /** Play a frame's events; they enter the log when they have been shown. */
  private play(frame: Frame): void {
    const { game, state } = this;
    if (game === null || !state?.view) return;
    const entry = entryOf(frame);
    const note = (): void => {
      this.log = joined(this.log, [entry]);
    };
    const before = this.queue.last ?? this.scene;
    const after = { scene: game.sceneOf(state.view), ms: 0, then: note };
    if (before === null || frame.back) this.queue.add([after]);
    else this.queue.add([...game.moments(before, entry.events, state.view), after]);
  }

  /** After a welcome: fetch what happened before. */
  private async recall(): Promise<void> {
    const { state, game } = this;
    if (state?.view == null || game === null) return;
    const told = await frames(this.id, state.seat).catch(() => null);
    if (told !== null) this.log = joined(logOf(told), this.log);
  }
}
