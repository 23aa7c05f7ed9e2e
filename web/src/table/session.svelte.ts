/** One table on screen: the conversation with the server, all of which goes to the one clock that shows it. */
import type { GameModule } from "../games/game";
import { Connection, MOVED, type Asked, type Status } from "../net/connection";
import type { Advice, Odds, Reply, Refused, TurnTime } from "../net/messages";
import { frames, messageId, socketAddress, tableTold } from "../net/rest";
import { pace } from "../preferences.svelte";
import { untilHalfTime } from "./clock";
import { logOf } from "./log";
import type { Doings, Renewal } from "./renewal";
import { Showing, type Moment } from "./showing";
import { behind, heard, sent, shared, welcomed, type Known, type TableState } from "./state";

/** Milliseconds: no animation lasts as long as half of a day. */
const LONGEST_WAIT = 3_600_000;

/** A message without the id that is given to it when it is sent. */
export type Wanted = Asked extends infer Message ? (Message extends { id: string } ? Omit<Message, "id"> : never) : never;

/** A table on screen, whether it is played, replayed or taught: what a game's own table and the story need of it. */
export interface TableSession {
  /** All that is shown; null before anything is known. */
  readonly moment: Moment | null;
  readonly game: GameModule | null;
  /** Asks what the game tells of a position, where there is somebody to be asked. */
  readonly advise?: (known: TableState) => Promise<Advice>;
  /** Whether there is somebody to be asked for odds. */
  readonly tellsOdds?: boolean;
  /** Do something, if everything before has been shown. */
  act(action: object): void;
  undo(): void;
  /** Show the rest at once. */
  catchUp(): void;
  /** Go on to the first scene like this, of what is being shown; where there is none, to what comes next. */
  showTo(like: (scene: object) => boolean): void;
  /** Only where somebody is there to hear it. Gives the id by which an answer names it. */
  say?(message: Wanted): string;
  /** What was refused last, until something else is said. */
  readonly refusal?: Refused | null;
}

export class LiveSession implements TableSession {
  moment = $state.raw<Moment | null>(null);
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
  game = $state.raw<GameModule | null>(null);
  readonly tellsOdds = true;
  private oddsWanted = false;
  /** Whether something said has not been answered yet. */
  waiting = $state.raw(false);
  /** Whether the server has another build of the page, which is to be loaded. */
  outdated = $state.raw(false);
  private fresh = true;
  /** Whose action can be taken back, though another seat is looked through by now. */
  private passed: { seat: number; on: number } | null = null;
  private readonly connection: Connection;
  private readonly showing = new Showing((moment) => (this.moment = moment), pace);

  constructor(
    readonly id: string,
    loadGame: (name: string) => Promise<GameModule>,
    private readonly renewal: Renewal,
  ) {
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

  readonly advise = ({ seat }: TableState): Promise<Advice> => tableTold(this.id, "advice", seat);

  act(action: object): void {
    const { moment } = this;
    if (moment === null || !moment.resting || moment.state.actions.length === 0) return;
    const id = this.say({ type: "act", on: moment.state.on, action });
    this.showing.amend((known) => sent(known, id));
  }

  undo(): void {
    if (!this.moment?.resting) return;
    const { on, seat } = this.moment.state;
    if (this.passed?.on === on && this.passed.seat !== seat) this.look(this.passed.seat);
    this.say({ type: "undo", on });
  }

  /** Go on with another seat in sight of all: whoever acted last can still take that back. */
  pass(seat: number): void {
    const state = this.moment?.state;
    if (state?.undo && state.seat !== null) this.passed = { seat: state.seat, on: state.on };
    this.look(seat);
  }

  look(seat: number | null): void {
    this.connection.look(seat);
  }

  /** Sit on a seat that was just taken. */
  sit(seat: number): void {
    this.connection.redial(seat);
  }

  catchUp(): void {
    this.showing.catchUp();
  }

  showTo(like: (scene: object) => boolean): void {
    this.showing.showTo(like);
  }

  /** What was missed has been read. */
  dismiss(): void {
    this.showing.dismiss();
  }

  /** Have the odds told, or not, from now on. */
  wantOdds(wanted: boolean): void {
    if (wanted === this.oddsWanted) return;
    this.oddsWanted = wanted;
    if (wanted) void this.askOdds();
    else this.showing.dropOdds();
  }

  /** Load the page anew if it has to be and nobody would mind. */
  renewAt(doings: Pick<Doings, "writing" | "turn" | "visible">): void {
    const { status, moment, waiting } = this;
    const playing = moment !== null && !moment.resting;
    this.renewal.renewAt({ ...doings, connected: status === "open", playing, waiting });
  }

  online = (): void => this.connection.hurry();
  offline = (): void => this.connection.cut();

  stop(): void {
    this.unhurry();
    this.connection.stop();
    this.showing.stop();
  }

  private async receive(reply: Reply, loadGame: (name: string) => Promise<GameModule>): Promise<void> {
    const now = performance.now();
    this.waiting = this.connection.waiting > 0;
    if (reply.type === "done" && reply.id === this.asked.id) this.latency = Math.round(now - this.asked.at);
    if (reply.type === "closing") this.restarting = true;
    if (reply.type === "trouble") this.trouble = reply.key !== "";
    if (reply.type === "clock") this.watchClock(reply);
    if (reply.type === "welcome") {
      const { fresh, passed } = this;
      if (fresh) this.renewal.named(reply.build);
      this.fresh = false;
      this.outdated = this.renewal.due;
      this.showing.begin((before) => {
        const known = welcomed(before, reply);
        return passed?.on === known.on ? { ...known, undo: true } : known;
      });
      if (this.game === null) {
        this.game = await loadGame(reply.table.game);
        this.showing.load(this.game);
      }
      // Where all have seen everything, another seat has nothing to be told.
      if (fresh || this.eyes !== null) void this.recall();
    } else if (reply.type === "chat" && this.moment?.state.yours.includes(reply.seat)) {
      // One's own words need not wait.
      this.showing.amend((known) => ({ ...heard(known, reply), n: known.n }));
    } else {
      this.showing.tell({ frame: reply.type === "frame" ? reply : null, then: (known) => this.learn(known, reply, now) });
    }
    if ("on" in reply && this.oddsWanted) void this.askOdds();
  }

  /** What is known once a reply has been shown. */
  private learn(known: Known, reply: Reply, at: number): Known {
    if (reply.type === "presence") this.presenceAt = at;
    if (reply.type === "clock") this.clockAt = at;
    if (reply.type === "refused") {
      this.refusal = reply;
      // Whatever made it stale was told before, on the same line; if that did not come, the line is no good.
      if (behind(known, reply)) this.connection.catchUp();
    }
    return heard(known, reply);
  }

  /** Catch up when half of the turn's time has passed: nobody's time shall go by while they watch what was. */
  private watchClock(told: TurnTime): void {
    this.unhurry();
    const half = untilHalfTime(told);
    if (half === null || half > LONGEST_WAIT) return;
    const timer = setTimeout(() => this.showing.catchUp(), half);
    this.unhurry = () => clearTimeout(timer);
  }

  /** Fetch the odds of the server's position: they are told when that is shown. */
  private async askOdds(): Promise<void> {
    const seat = this.moment?.state.seat ?? null;
    const told = await tableTold<Odds>(this.id, "odds", seat).catch(() => null);
    // Odds that are not wanted any more, or are another seat's, are worth nothing.
    if (told?.on === undefined || !this.oddsWanted || this.moment?.state.seat !== seat) return;
    this.showing.setOdds(told.on, told.odds);
  }

  /** The seat whose secrets are seen; null where nobody's are. */
  private get eyes(): number | null {
    const state = this.moment?.state;
    return state === undefined || shared(state) ? null : state.seat;
  }

  /** After a welcome: fetch what happened before. */
  private async recall(): Promise<void> {
    const { eyes } = this;
    if (this.moment?.scene == null) return;
    const told = await frames(this.id, eyes).catch(() => null);
    if (told !== null && this.eyes === eyes) this.showing.recall(logOf(told));
  }
}
