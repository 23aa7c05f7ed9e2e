/**
 * A live table: the conversation with the server, all of which goes through the queue, and what is to be done when
 * something has been shown.
 */
import { BANNED, Connection, MOVED, type Asked, type Status } from "../net/connection";
import type { Advice, Refused, Reply, TurnTime, Welcome } from "../net/messages";
import { reached } from "../net/reach";
import { messageId } from "../net/rest";
import { logOf } from "./log";
import { nextOwnSeat, Queue, type Moment, type Queued, type Staging } from "./queue";
import type { Renewal } from "./renewal";
import type { TableSession, Wanted } from "./session";
import { behind, heard, mayBegin, sent, shared, welcomed, yourTurn, type TableState } from "./state";
import { untilHalfTime } from "./turnTime";
import { realWorld, type World } from "./world";

/** Milliseconds: no animation lasts as long as half of a day. */
const LONGEST_WAIT = 3_600_000;
/** Milliseconds before what could not be fetched is asked for again. */
const FETCH_AGAIN = 10_000;

export interface LiveOptions<Game extends Staging> {
  loadGame(name: string): Promise<Game>;
  renewal: Renewal;
  /** Whether the game is to begin at once, as after "Play now". */
  hurried?: boolean;
  /** Called when the game has been asked to begin. */
  begun?(): void;
  /** Called when one's turn has come. */
  callToTurn?(): void;
  /** Called with every state that is shown. */
  watch?(state: TableState): void;
  world?: Partial<World>;
}

/** What could not be fetched. */
export type Missing = "story" | "odds";

/** A reply in the queue, and when it came. */
interface Heard extends Queued {
  readonly reply: Reply;
  readonly at: number;
}

export class LiveSession<Game extends Staging = Staging> implements TableSession<Game> {
  moment = $state.raw<Moment | null>(null);
  game = $state.raw<Game | null>(null);
  /** How often the game's code could not be loaded. */
  loadFailures = $state.raw(0);
  status = $state.raw<Status>("connecting");
  closeCode = $state.raw(0);
  restarting = $state.raw(false);
  /** This device's seats were taken to another one while it looked on. */
  moved = $state.raw(false);
  /** The server cannot save for the moment. */
  trouble = $state.raw(false);
  /** How long the last message took to be saved and answered, in milliseconds. */
  latency = $state.raw<number | null>(null);
  refusal = $state.raw<Refused | null>(null);
  /** When presence last changed, by the clock: grace times run from then. */
  presenceAt = $state.raw(0);
  /** When the server last said how the turn's time stands, by the clock. */
  clockAt = $state.raw(0);
  /** Whether something said has not been answered yet. */
  waiting = $state.raw(false);
  /** Whether the page can be seen. */
  visible: boolean;
  /** Whether one's turn has come while nobody looked. */
  missedTurn = $state.raw(false);
  /** What could not be fetched yet. */
  missing = $state.raw<readonly Missing[]>([]);
  readonly tellsOdds = true;

  private readonly world: World;
  private readonly connection: Connection;
  private readonly queue: Queue<Heard>;
  private asked = { id: "", at: 0 };
  /** Whether the next welcome is the first over its line. */
  private fresh = true;
  private hurried: boolean;
  private begun = false;
  private seated = false;
  private mine = false;
  private oddsPreferred = false;
  private oddsWanted = false;
  /** The own seat that was last found to be the next to act. */
  private next: number | null = null;
  /** Whose action can be taken back, though another seat is looked through by now. */
  private passed: { seat: number; on: number } | null = null;
  private cancelHalfTime: (() => void) | null = null;
  private readonly cancelFetch = new Map<Missing, () => void>();
  private stopped = false;

  constructor(
    readonly id: string,
    private readonly options: LiveOptions<Game>,
  ) {
    this.world = { ...realWorld, ...options.world };
    const { clock, pace, dial, random } = this.world;
    this.visible = $state.raw(pace().visible);
    this.hurried = $state.raw(options.hurried === true);
    this.queue = new Queue((moment, shown) => this.show(moment, shown), pace, clock);
    this.connection = new Connection(
      (seen, seat) => dial(id, seen, seat),
      (reply) => this.receive(reply),
      (status, code) => this.changeStatus(status, code),
      clock,
      random,
    );
    this.connection.start();
  }

  /** Whether the game is about to begin by itself: nobody sees a lobby then, unless that is refused. */
  get beginning(): boolean {
    return this.hurried && this.moment !== null && mayBegin(this.moment.state);
  }

  /** Before which seat the curtain is down: the device is to be passed on, where not all look at it anyway. */
  get curtained(): number | null {
    const { moment } = this;
    return moment === null || shared(moment.state) ? null : nextOwnSeat(moment);
  }

  /** Send a message; what became of it comes back as frames, or as a refusal. */
  say(message: Wanted): string {
    this.refusal = null;
    const id = messageId();
    this.asked = { id, at: this.world.clock.now() };
    this.connection.say({ ...message, id } as Asked);
    this.waiting = true;
    return id;
  }

  readonly advise = ({ seat }: TableState): Promise<Advice> => this.world.advice(this.id, seat);

  act(action: object): void {
    const { moment } = this;
    if (moment === null || !moment.resting || moment.state.actions.length === 0) return;
    const id = this.say({ type: "act", on: moment.state.on, action });
    this.queue.amend((known) => sent(known, id));
  }

  undo(): void {
    if (!this.moment?.resting) return;
    const { on, seat } = this.moment.state;
    if (this.passed?.on === on && this.passed.seat !== seat) this.look(this.passed.seat);
    this.say({ type: "undo", on });
  }

  look(seat: number | null): void {
    this.connection.look(seat);
  }

  /** Sit on a seat that was just taken. */
  sit(seat: number): void {
    this.connection.redial(seat);
  }

  catchUp(): void {
    this.queue.catchUp();
  }

  showTo(like: (scene: object) => boolean): void {
    this.queue.showTo(like);
  }

  /** What was missed has been read. */
  dismiss(): void {
    this.queue.dismiss();
  }

  /** Whether the visitor likes to see the odds; they are fetched where the table has them. */
  preferOdds(preferred: boolean): void {
    this.oddsPreferred = preferred;
    this.followOdds();
  }

  /** Load the code of the table's game, and then what happened there before. */
  async loadGame(): Promise<void> {
    if (this.moment === null) return;
    const game = await this.options.loadGame(this.moment.state.table.game).catch(() => null);
    if (this.stopped || this.game !== null) return;
    if (game === null) {
      this.loadFailures += 1;
      this.begin();
      return;
    }
    this.game = game;
    this.queue.load(game);
    await this.fetchStory();
  }

  /** The page was shown or hidden. */
  see(visible: boolean): void {
    this.visible = visible;
    if (visible) this.connection.hurry();
    this.followTurn();
    this.renew();
  }

  /** Somebody did something on the page: what was half written may be so no longer. */
  touch(): void {
    this.renew();
  }

  online = (): void => this.connection.hurry();
  offline = (): void => this.connection.cut();

  /** The table is left. */
  stop(): void {
    this.stopped = true;
    this.cancelHalfTime?.();
    for (const cancel of this.cancelFetch.values()) cancel();
    this.connection.stop();
    this.queue.stop();
    // Somebody who leaves has nothing more to lose here.
    this.renew({ writing: false, turn: false, visible: true });
  }

  private changeStatus(status: Status, code: number): void {
    this.status = status;
    this.closeCode = code;
    if (code === MOVED) this.moved = true;
    if (status === "gone" && code !== BANNED) this.world.forgetTable(this.id);
    if (status === "open") {
      this.restarting = this.trouble = false;
      this.fresh = true;
      reached();
    }
    this.renew();
  }

  private receive(reply: Reply): void {
    const at = this.world.clock.now();
    this.waiting = this.connection.waiting > 0;
    const { oddsWanted } = this;
    if (reply.type === "done" && reply.id === this.asked.id) this.latency = Math.round(at - this.asked.at);
    if (reply.type === "closing") this.restarting = true;
    if (reply.type === "trouble") this.trouble = reply.key !== "";
    if (reply.type === "clock") this.watchClock(reply);
    if (reply.type === "welcome") {
      this.welcome(reply);
    } else if (reply.type === "chat" && this.moment?.state.yours.includes(reply.seat)) {
      // One's own words need not wait.
      this.queue.amend((known) => ({ ...heard(known, reply), n: known.n }));
    } else {
      const frame = reply.type === "frame" ? reply : null;
      this.queue.add({ frame, then: (known) => heard(known, reply), reply, at });
    }
    // Early, so that they are there when the position is shown.
    if ("on" in reply && oddsWanted) void this.fetchOdds();
  }

  private welcome(welcome: Welcome): void {
    const { fresh, passed } = this;
    if (fresh) this.options.renewal.named(welcome.build);
    this.fresh = false;
    this.queue.begin((before) => {
      const known = welcomed(before, welcome);
      return passed?.on === known.on ? { ...known, undo: true } : known;
    });
    // Where all look at one screen, the next seat has seen everything.
    const recalls = fresh || this.eyes !== null;
    if (this.game === null) void this.loadGame();
    else if (recalls) void this.fetchStory();
  }

  /** A new moment, and what has been shown to its end since the one before. */
  private show(moment: Moment, shown: readonly Heard[]): void {
    const first = this.moment === null;
    this.moment = moment;
    const { state } = moment;
    for (const { reply, at } of shown) this.follow(reply, at);
    if (first) this.world.rememberFingerprint(state.table);
    const seated = state.yours.length > 0;
    if (seated && !this.seated) this.world.rememberTable(this.id);
    this.seated = seated;
    this.options.watch?.(state);
    this.followTurn();
    this.followOdds();
    this.begin();
    this.passOn();
    this.renew();
  }

  /** What is to be done once a reply has been shown. */
  private follow(reply: Reply, at: number): void {
    if (reply.type === "presence") this.presenceAt = at;
    if (reply.type === "clock") this.clockAt = at;
    if (reply.type !== "refused") return;
    this.refusal = reply;
    this.hurried = false;
    // The frame that made it stale comes before, on the same line; if it did not, the line is no good.
    if (this.moment !== null && behind(this.moment.state, reply)) this.connection.start();
  }

  private followTurn(): void {
    const { moment } = this;
    if (moment === null) return;
    const mine = yourTurn(moment.state);
    // Who goes on after their own action need not be called, nor who has just had the game begin and looks on.
    const opening = this.begun && this.visible && moment.log.every(({ by }) => by === null);
    const knows = opening || moment.telling?.by === moment.state.seat;
    if (mine && !this.mine && !knows) this.options.callToTurn?.();
    this.mine = mine;
    if (mine && !this.visible) this.missedTurn = true;
  }

  private followOdds(): void {
    const table = this.moment?.state.table;
    const wanted = this.oddsPreferred && table?.table_rules.odds === true && table.phase === "playing";
    if (wanted === this.oddsWanted) return;
    this.oddsWanted = wanted;
    if (wanted) {
      void this.fetchOdds();
    } else {
      this.fetched("odds");
      this.queue.dropOdds();
    }
  }

  private begin(): void {
    if (this.begun || !this.beginning) return;
    // What happens first is to be seen.
    if (this.game === null && this.loadFailures === 0) return;
    this.begun = true;
    this.options.begun?.();
    this.say({ type: "start" });
  }

  /** At a shared device: go on with the next of one's own seats. The last action can still be taken back. */
  private passOn(): void {
    const { moment } = this;
    const next = moment === null ? null : nextOwnSeat(moment);
    if (next === this.next) return;
    this.next = next;
    if (moment === null || next === null || !shared(moment.state)) return;
    const { undo, seat, on } = moment.state;
    if (undo && seat !== null) this.passed = { seat, on };
    this.look(next);
  }

  /** Load the page anew if the server has another build of it and nobody would lose anything. */
  private renew(leaving?: { writing: boolean; turn: boolean; visible: boolean }): void {
    const { status, moment, waiting, visible, mine } = this;
    const { renewal } = this.options;
    if (!renewal.due) return;
    const here = leaving ?? { writing: this.world.writing(), turn: mine, visible };
    const playing = moment !== null && !moment.resting;
    renewal.renewAt({ ...here, connected: status === "open", playing, waiting });
  }

  /** Catch up when half of the turn's time has passed: nobody's time shall go by while they watch what was. */
  private watchClock(time: TurnTime): void {
    this.cancelHalfTime?.();
    this.cancelHalfTime = null;
    const half = untilHalfTime(time);
    if (half === null || half > LONGEST_WAIT) return;
    this.cancelHalfTime = this.world.clock.after(half, () => this.queue.catchUp());
  }

  /** The seat whose secrets are seen; null where nobody's are. */
  private get eyes(): number | null {
    const state = this.moment?.state;
    return state === undefined || shared(state) ? null : state.seat;
  }

  /** Fetch what happened before, once the game can be drawn. */
  private async fetchStory(): Promise<void> {
    const { eyes } = this;
    if (this.moment?.scene == null) return;
    const frames = await this.world.frames(this.id, eyes).catch(() => null);
    if (this.stopped || this.eyes !== eyes) return;
    if (frames === null) return this.fetchLater("story", () => this.fetchStory());
    this.fetched("story");
    this.queue.recall(logOf(frames));
  }

  /** Fetch the odds of the server's position: they are shown when that is. */
  private async fetchOdds(): Promise<void> {
    const seat = this.moment?.state.seat ?? null;
    const found = await this.world.odds(this.id, seat).catch(() => null);
    // Odds that are not wanted any more, or are another seat's, are worth nothing.
    if (this.stopped || !this.oddsWanted || this.moment?.state.seat !== seat) return;
    if (found === null) return this.fetchLater("odds", () => this.fetchOdds());
    this.fetched("odds");
    if (found.on !== undefined) this.queue.setOdds(found.on, found.odds);
  }

  private fetched(what: Missing): void {
    this.cancelFetch.get(what)?.();
    this.cancelFetch.delete(what);
    if (this.missing.includes(what)) this.missing = this.missing.filter((other) => other !== what);
  }

  /** Say that something is missing, and try again after a while. */
  private fetchLater(what: Missing, fetch: () => Promise<void>): void {
    this.fetched(what);
    this.missing = [...this.missing, what];
    this.cancelFetch.set(
      what,
      this.world.clock.after(FETCH_AGAIN, () => void fetch()),
    );
  }
}
