/**
 * What a player is in the middle of doing: the figure and the tile in hand, a walk of several moves, the end of the turn.
 * Components draw it and report what is touched; every action is sent from here.
 */
import type { Clock } from "../../clock";
import type { TableSession } from "../../session/session";
import type { Moment } from "../../session/queue";
import { Adviser, type AdviceParts } from "./adviser.svelte";
import type { Asked } from "./advice/said";
import { NOTHING_LIT } from "./lit";
import type { Action, Advice, Reached, Turn as TurnTile } from "./messages";
import {
  advised,
  canMove,
  cellOffers,
  firstWay,
  nextWay,
  nothingButEnd,
  offersOf,
  type CellOffer,
  type Offers,
} from "./offers";
import { NOWHERE, START, type Figure } from "./pieces";
import type { Scene } from "./scene";

/** Milliseconds until a turn that has nothing left ends by itself: time to undo the last step where that is possible. */
const ENDS_AFTER = { undo: 5000, none: 900 };

/** Milliseconds for which ending a turn waits for advice, which may warn of it. */
const WARNING_WITHIN = 3000;

/** What turns need of the table at which they are played. */
export interface Surroundings {
  clock: Clock;
  act(action: Action): void;
  /** Undefined where there is nobody to be asked. */
  advise(): TableSession["advise"];
  loadAdvice(): Promise<AdviceParts>;
  /** Whether to ask before a turn ends with moves left. */
  careful(): boolean;
}

/** A walk of several moves, sent one by one. */
export class Walk {
  /** The position on which the last move was sent. */
  private sentOn: number | null = null;
  private readonly steps: number[];

  constructor(
    readonly figure: Figure,
    steps: readonly number[],
  ) {
    this.steps = [...steps];
  }

  /** Whether a move was sent on this position, and has not been shown. */
  waitsOn(on: number): boolean {
    return this.sentOn === on;
  }

  /** The next move; null where the walk is over: at its goal, or where the way is not open. */
  next(on: number, offers: Offers): Action | null {
    this.sentOn = on;
    const step = this.steps.shift();
    return (step !== undefined && offers.walks[this.figure].get(step)) || null;
  }
}

/** The turn on screen, made anew for every position, and what outlasts a position. */
export class Turns {
  current: Turn;
  /** The figure that the player wants to move. */
  wish = $state.raw<Figure>("archaeologist");
  walk: Walk | null = null;
  /** The cell that is pointed at. */
  looked = $state.raw<number | null>(null);
  /** What is pointed at elsewhere on the page, and lights up on the board. */
  lit = $state.raw(NOTHING_LIT);
  /** Whether somebody has begun to play here: from then on there is advice. */
  begun = $state.raw(false);
  /** Whether a finger or a mouse button is down. */
  touching = false;
  readonly adviser: Adviser;

  constructor(
    readonly table: Surroundings,
    moment: Moment,
  ) {
    this.adviser = new Adviser(() => table.loadAdvice());
    this.current = $state.raw(new Turn(this, moment));
  }

  /** Go on to the moment that is shown now. */
  show(moment: Moment): void {
    const { on, seat } = moment.state;
    if (on !== this.current.on || seat !== this.current.seat) {
      this.current.leave();
      this.current = new Turn(this, moment);
    }
    this.current.show(moment);
  }

  /** A finger or a mouse button goes down somewhere on the table. */
  touch(): void {
    this.touching = true;
    this.begin();
  }

  release(): void {
    if (!this.touching) return;
    this.touching = false;
    this.current.goOn();
  }

  /** A key is pressed somewhere on the table. */
  press(): void {
    this.begin();
    this.current.goOn();
  }

  leave(): void {
    this.current.leave();
  }

  private begin(): void {
    this.begun = true;
    this.current.stay();
    this.current.seekAdvice();
  }
}

export class Turn {
  readonly on: number;
  readonly seat: number | null;
  moment: Moment;
  /** Whether touching a tile turns it, rather than lets the helper walk there. */
  turning = $state.raw(false);
  /** Whether the player is asked if the turn is really to end. */
  asksToEnd = $state.raw(false);
  /** What was touched in vain, and is to be answered. */
  asked = $state.raw<Asked | null>(null);
  /** A walk of several moves: shown at the first touch of its goal, begun at the second. */
  far = $state.raw<Reached | null>(null);
  /** The time after which the turn ends by itself, while it runs. */
  countdown = $state.raw<{ ms: number } | null>(null);
  /** The tile that the helper is about to turn. */
  private held = $state.raw<{ cell: number; ways: TurnTile[]; openings: number } | null>(null);
  /** How the tile just revealed would lie, once it has been turned by hand. */
  private laid = $state.raw<number | null>(null);
  private cancelEnd: (() => void) | null = null;
  /** Whether the end has been sent, and not been refused. */
  private ended = false;
  private left = false;

  readonly scene = $derived.by(() => this.moment.scene as Scene);
  get view() {
    return this.scene.view;
  }
  readonly actions = $derived.by(() => this.moment.state.actions as Action[]);
  readonly offers = $derived.by(() => offersOf(this.actions));
  /** Whether something can be done. */
  get free() {
    return this.seat !== null && this.actions.length > 0;
  }
  /** The figure in hand: the one that the player wants to move, unless only the other can. */
  readonly figure = $derived.by((): Figure => {
    const { wish } = this.turns;
    const other = wish === "archaeologist" ? "helper" : "archaeologist";
    return !canMove(this.offers, wish) && canMove(this.offers, other) ? other : wish;
  });
  /** Whether a tile was just revealed and must be laid. */
  get laying() {
    return this.seat !== null && this.offers.lays.length > 0;
  }
  /** The tile that is being laid or turned, as it would lie. */
  readonly tile = $derived.by((): { cell: number; openings: number } | null => {
    if (this.held !== null) return { cell: this.held.cell, openings: this.held.openings };
    if (!this.laying || this.seat === null) return null;
    const { view, offers } = this;
    const first = firstWay(offers.lays, view.tiles, view.site, view.archaeologists[this.seat]);
    return { cell: view.site, openings: this.laid ?? first.openings };
  });
  /** Whether there is advice here: not where people play by the book, nor after the end. */
  readonly advised = $derived.by(() => this.advise !== undefined);
  get advice(): Advice | null {
    return this.advised ? this.turns.adviser.on(this.on) : null;
  }
  /** How advice is drawn and put into words. */
  get adviceParts() {
    return this.advised ? this.turns.adviser.parts : null;
  }
  /** What touching each cell does. */
  readonly offered = $derived.by((): Map<number, CellOffer> => {
    const free = this.seat !== null && this.free && this.tile === null;
    const { offers, figure, turning, view } = this;
    const others = figure === "archaeologist" ? view.helpers : view.archaeologists;
    const other = free && this.seat !== null ? others[this.seat] : NOWHERE;
    const found = free ? cellOffers(offers, figure, turning, other) : new Map<number, CellOffer>();
    return this.advised ? advised(found, free && !turning ? (this.advice?.reach ?? []) : [], figure) : found;
  });
  /** Tiles the helper could turn, though touching them does something else now. */
  readonly turnable = $derived.by(() => {
    const cells = this.figure === "helper" && this.tile === null ? [...this.offers.turns.keys()] : [];
    return new Set(cells.filter((cell) => this.offered.get(cell)?.kind !== "turn"));
  });
  /** Where the keyboard comes in while there is nothing to be done anywhere. */
  readonly entrance = $derived.by(() => {
    const idle = this.tile === null && [...this.offered.values()].every(({ kind }) => kind === "why");
    return idle ? this.view.tiles.indexOf(START) : null;
  });
  /** Where a lamp can be put up or taken down, by whom. */
  get lamp() {
    const { seat, offers } = this;
    if (seat === null || this.tile !== null || (offers.lamp ?? offers.unlamp) === null) return null;
    return { seat, cell: this.view.helpers[seat] };
  }
  /** Milliseconds after which the turn ends by itself, since nothing else is left; 0 if it does not. */
  get endsAfter() {
    if (!nothingButEnd(this.actions)) return 0;
    return this.moment.state.undo ? ENDS_AFTER.undo : ENDS_AFTER.none;
  }

  constructor(
    readonly turns: Turns,
    moment: Moment,
  ) {
    this.on = moment.state.on;
    this.seat = moment.state.seat;
    this.moment = $state.raw(moment);
  }

  private get advise(): TableSession["advise"] {
    const { table } = this.moment.state;
    return table.table_rules.advice && table.phase !== "over" ? this.turns.table.advise() : undefined;
  }

  /** Another moment of the same position: what is on offer may have come or gone. */
  show(moment: Moment): void {
    const { free } = this;
    this.moment = moment;
    // What is on offer again was refused.
    if (!free && this.free) {
      this.ended = false;
      if (this.turns.walk?.waitsOn(this.on)) this.turns.walk = null;
    }
    this.seekAdvice();
    this.goOn();
  }

  /** Another position is shown: nothing is sent from this one any more. */
  leave(): void {
    this.left = true;
    this.stay();
  }

  /** Load what shows advice once somebody plays, and ask for it once everything has been shown. */
  seekAdvice(): void {
    const { advise, turns } = this;
    if (advise === undefined || !(turns.begun || this.view.plies > 0)) return;
    void turns.adviser.prepare();
    if (this.moment.resting) void turns.adviser.ask(this.moment.state, advise);
  }

  /** Do what happens by itself: the next move of a walk, or the end of a turn that has nothing left, after a while. */
  goOn(): void {
    const { turns } = this;
    const { walk } = turns;
    if (walk !== null && !walk.waitsOn(this.on) && this.moment.resting) {
      if (this.free) return this.step();
      turns.walk = null;
    }
    if (this.endsAfter === 0 || turns.touching || this.ended) return this.stay();
    this.countdown ??= { ms: this.endsAfter };
    this.cancelEnd ??= turns.table.clock.after(this.endsAfter, () => this.endAtLast());
  }

  /** The turn does not end by itself. */
  stay(): void {
    this.cancelEnd?.();
    this.cancelEnd = null;
    this.countdown = null;
  }

  choose(cell: number): void {
    const offer = this.offered.get(cell);
    const goal = this.far;
    this.asked = this.far = null;
    this.turns.walk = null;
    if (offer === undefined) return;
    // A figure that stepped in for one that could not move stays in hand.
    this.turns.wish = this.figure;
    switch (offer.kind) {
      case "why":
        // Touching something else lets go of the tile.
        if (this.held !== null) this.cancel();
        else this.asked = { hand: !this.free ? null : this.turnsTiles ? "turn" : this.figure, cell };
        break;
      case "go":
        if (goal?.cell !== cell) this.far = offer.reached;
        else {
          this.turns.walk = new Walk(offer.reached.figure, offer.reached.steps);
          this.step();
        }
        break;
      case "pick":
        this.turns.wish = offer.figure;
        break;
      case "turn":
        this.held = { cell, ways: offer.ways, openings: nextWay(offer.ways, this.view.tiles[cell]).openings };
        break;
      default:
        this.send(offer.action);
    }
  }

  pick(figure: Figure): void {
    // Picking what is picked already, or can do nothing, asks why.
    this.asked = figure === this.figure || !canMove(this.offers, figure) ? { figure } : null;
    this.far = null;
    this.turns.wish = figure;
    this.turning = false;
  }

  /** Whether the helper is in hand, to turn tiles. */
  get turnsTiles(): boolean {
    return this.turning && this.figure === "helper";
  }

  /** Take the helper in hand to turn tiles, or let it walk again. */
  toggleTurning(): void {
    this.turning = !this.turnsTiles;
    this.turns.wish = "helper";
  }

  /** Turn the tile on by a quarter, or as far as it has to be turned to lie well. */
  rotate(): void {
    if (!this.free) return;
    const { held, tile } = this;
    if (held !== null) this.held = { ...held, openings: nextWay(held.ways, held.openings).openings };
    else if (tile !== null) this.laid = nextWay(this.offers.lays, tile.openings).openings;
  }

  /** Let the tile lie as it does. */
  confirm(): void {
    const ways: (Action & { openings: number })[] = this.held?.ways ?? this.offers.lays;
    const way = ways.find((one) => one.openings === this.tile?.openings);
    if (way) this.send(way);
  }

  /** Leave the tile as it was. */
  cancel(): void {
    this.held = null;
  }

  /** Whether there is something that can be put away. */
  get dismissible(): boolean {
    return this.asked !== null || this.far !== null || this.held !== null;
  }

  /** Put away what was asked and what is in hand. */
  dismiss(): void {
    this.asked = this.far = null;
    this.cancel();
  }

  /** Do what a button offers; the end of the turn may be asked about first. */
  act(action: Action): void {
    if (action.type === "end") void this.end();
    else this.send(action);
  }

  /** End the turn; where that would cost something, or moves would be left, the player is asked first. */
  async end(): Promise<void> {
    await this.untilAdvised();
    if (this.left || this.offers.end === null) return;
    const early = this.view.moves_left > 0 && !nothingButEnd(this.actions) && this.turns.table.careful();
    if (early || (this.advice?.dangers.length ?? 0) > 0) this.asksToEnd = true;
    else this.endAtLast();
  }

  /** End the turn without a question. */
  endAtLast(): void {
    const { end } = this.offers;
    this.ended = true;
    this.stay();
    if (end !== null) this.send(end);
  }

  /** Advice is asked for at once if it is not known yet, and waited for, though not for long. */
  private async untilAdvised(): Promise<void> {
    const { advise, turns } = this;
    if (advise === undefined || this.advice !== null) return;
    let cancel = (): void => undefined;
    const longEnough = new Promise<void>((done) => (cancel = turns.table.clock.after(WARNING_WITHIN, done)));
    await Promise.race([turns.adviser.ask(this.moment.state, advise), longEnough]);
    cancel();
  }

  private send(action: Action): void {
    this.turns.walk = null;
    this.turns.table.act(action);
  }

  /** Send the next move of the walk; where there is none the walk is over. */
  private step(): void {
    const action = this.turns.walk?.next(this.on, this.offers) ?? null;
    if (action !== null) return this.turns.table.act(action);
    this.turns.walk = null;
    this.goOn();
  }
}
