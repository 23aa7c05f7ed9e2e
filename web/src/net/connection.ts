/**
 * A lasting conversation with one table: it comes back by itself after a loss, goes on from the last number heard and
 * says again what was never answered. The server knows a repeat by its id, so nothing is lost and nothing is doubled.
 * A line on which nothing is heard any more is noticed by a ping.
 */
import type { Clock } from "../clock";
import type { Message, Reply } from "./messages";

/** What is needed of a WebSocket. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** Opens a line, given the number of the last frame heard (null at first) and the seat (undefined: any). */
export type Dial = (seen: number | null, seat: number | null | undefined) => Wire;
export type Status = "connecting" | "open" | "lost" | "gone";
export type Asked = Exclude<Message, { type: "look" | "ping" }>;

/** The longest pauses before the first, second, … attempt to come back; the last one repeats. All in milliseconds. */
const PAUSES = [250, 500, 1000, 2000, 4000];
/** A line that is not open by then is dialled anew. */
const DIALLING = 10_000;
/** A line on which nothing was heard for so long is asked whether it is alive. */
const SILENCE = 20_000;
/** A message without an answer by then means that the line is dead. */
const PATIENCE = 6000;
/** The id of every ping. */
const PING = "ping";
/** The server's final word: not this protocol, not from here, no such table, not your seat, a damaged table, shut out. */
const FINAL_CODES = [4400, 4403, 4404, 4409, 4410, 4412];
/** This device stands for somebody else now, or for nobody: its seats were taken to another one, or brought here. */
export const MOVED = 4411;
/** The server's host has shut this device or its address out for a while. */
export const BANNED = 4412;

/** Something that may be called off. */
type Timer = (() => void) | null;

export class Connection {
  private wire: Wire | null = null;
  private open = false;
  private last: number | null = null;
  private seat: number | null | undefined = undefined;
  private attempts = 0;
  private unanswered = new Map<string, Asked>();
  /** Whether a ping has no answer yet. */
  private pinged = false;
  private retry: Timer = null;
  private dialling: Timer = null;
  private silence: Timer = null;
  private patience: Timer = null;
  private ended = false;

  constructor(
    private readonly dial: Dial,
    private readonly hear: (reply: Reply) => void,
    private readonly show: (status: Status, code: number) => void,
    private readonly clock: Clock,
    /** From 0 up to 1. */
    private readonly random: () => number = Math.random,
  ) {}

  /** Open a line, instead of the one that there is: it brings what was missed since the last number. */
  start(): void {
    this.hangUp();
    const wire = this.dial(this.last, this.seat);
    this.wire = wire;
    this.show(this.attempts === 0 ? "connecting" : "lost", 0);
    this.dialling = this.clock.after(DIALLING, () => this.cut());
    wire.onopen = () => {
      if (this.wire !== wire) return;
      this.dialling?.();
      this.open = true;
      this.show("open", 0);
      for (const message of this.unanswered.values()) this.write(message);
      this.watch();
      this.listen();
    };
    wire.onmessage = ({ data }) => {
      if (this.wire !== wire) return;
      this.attempts = 0;
      this.listen();
      this.receive(JSON.parse(data) as Reply);
    };
    wire.onclose = ({ code }) => {
      if (this.wire === wire) this.drop(code);
    };
  }

  /** Say something; it is repeated after every loss until it is answered. */
  say(message: Asked): void {
    this.unanswered.set(message.id, message);
    this.write(message);
    this.watch();
  }

  /** Look through another seat from now on, also after coming back. */
  look(seat: number | null): void {
    this.seat = seat;
    // What was heard through another seat is no ground to go on from.
    this.last = null;
    this.write({ type: "look", seat });
  }

  /** Begin anew through a seat just taken: a line opened before that is not known to be the same visitor's. */
  redial(seat: number): void {
    this.seat = seat;
    this.last = null;
    this.start();
  }

  /** The network is back, or somebody looks again: try now, and find out whether an open line is still alive. */
  hurry(): void {
    if (this.ended) return;
    if (this.open) this.ping();
    else this.start();
  }

  /** The line is known to be dead (the device went offline). */
  cut(): void {
    if (this.wire !== null) this.drop(0);
  }

  stop(): void {
    this.ended = true;
    this.hangUp();
  }

  get waiting(): number {
    return this.unanswered.size;
  }

  private receive(reply: Reply): void {
    if (reply.type === "done" || reply.type === "refused") {
      if (reply.id === PING) this.pinged = false;
      else this.unanswered.delete(reply.id);
      this.watch();
      if (reply.id === PING) return;
    } else if ("n" in reply) {
      // A frame sent again after a loss is not news.
      if (reply.type === "welcome") {
        if (this.seat !== undefined && reply.seat !== this.seat) return;
        this.seat = reply.seat;
      } else if (this.last === null || reply.n <= this.last) return;
      else if (reply.type === "table") this.seat = reply.seat;
      this.last = reply.n;
    }
    this.hear(reply);
  }

  private drop(code: number): void {
    this.hangUp();
    if (this.ended) return;
    if (FINAL_CODES.includes(code)) {
      this.ended = true;
      this.show("gone", code);
      return;
    }
    if (code === MOVED) {
      this.seat = undefined;
      this.last = null;
      this.unanswered.clear();
    }
    const longest = PAUSES[Math.min(this.attempts, PAUSES.length - 1)];
    // Not all at once: a server that has just started again hears from everybody.
    const pause = longest * (0.5 + this.random() / 2);
    this.attempts += 1;
    this.show("lost", code);
    this.retry = this.clock.after(pause, () => this.start());
  }

  /** Leave the line, and wait for nothing any more. */
  private hangUp(): void {
    for (const cancel of [this.retry, this.dialling, this.silence, this.patience]) cancel?.();
    this.retry = this.dialling = this.silence = this.patience = null;
    const { wire } = this;
    this.wire = null;
    this.open = this.pinged = false;
    wire?.close();
  }

  /** Wait for whatever comes next on the line. */
  private listen(): void {
    this.silence?.();
    this.silence = this.clock.after(SILENCE, () => this.ping());
  }

  private ping(): void {
    if (this.pinged) return;
    this.pinged = true;
    this.write({ type: "ping", id: PING });
    this.watch();
  }

  /** Wait for an answer, where one is due. */
  private watch(): void {
    this.patience?.();
    const due = this.unanswered.size > 0 || this.pinged;
    this.patience = due ? this.clock.after(PATIENCE, () => this.cut()) : null;
  }

  private write(message: Message): void {
    // What cannot be said now is said once the line is open.
    if (this.open) this.wire?.send(JSON.stringify(message));
  }
}
