/**
 * A lasting conversation with one table: it comes back by itself after a loss, goes on from the last number heard and
 * says again what was never answered. The server knows a repeat by its id, so nothing is lost and nothing is doubled.
 */
import { wallClock, type Clock } from "../wallClock";
import type { Message, Reply } from "./messages";

/** What is needed of a WebSocket. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export type Status = "connecting" | "open" | "lost" | "gone";
export type Asked = Exclude<Message, { type: "look" }>;

/** Milliseconds before the first, second, … attempt to come back; the last one repeats. */
const PAUSES = [250, 500, 1000, 2000, 4000];
/** A message that has no answer for so long means that the line is dead. */
const PATIENCE = 6000;
/** The server's final word: not this protocol, not from here, no such table, not your seat, a damaged table. */
const FINAL_CODES = [4400, 4403, 4404, 4409, 4410];
/** This device stands for somebody else now, or for nobody: its seats were taken to another one, or brought here. */
export const MOVED = 4411;

export class Connection {
  private wire: Wire | null = null;
  private last: number | null = null;
  private seat: number | null | undefined = undefined;
  private attempts = 0;
  private unanswered = new Map<string, Asked>();
  private cancelRetry: (() => void) | null = null;
  private cancelPatience: (() => void) | null = null;
  private ended = false;

  constructor(
    /** Opens a line, given the number of the last frame heard (null at first) and the seat (undefined: any). */
    private readonly dial: (seen: number | null, seat: number | null | undefined) => Wire,
    private readonly hear: (reply: Reply) => void,
    private readonly show: (status: Status, code: number) => void,
    private readonly clock: Clock = wallClock,
  ) {}

  start(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    const wire = this.dial(this.last, this.seat);
    this.wire = wire;
    this.show(this.attempts === 0 ? "connecting" : "lost", 0);
    wire.onopen = () => {
      if (this.wire !== wire) return;
      this.attempts = 0;
      this.show("open", 0);
      for (const message of this.unanswered.values()) this.write(message);
      this.watch();
    };
    wire.onmessage = ({ data }) => {
      if (this.wire === wire) this.receive(JSON.parse(data) as Reply);
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
    this.catchUp();
  }

  /** Hear what was missed since the last number, over a new line. */
  catchUp(): void {
    const wire = this.wire;
    this.wire = null;
    wire?.close();
    this.start();
  }

  /** Try again now: the network is back, or somebody asks. */
  hurry(): void {
    if (!this.ended && this.wire === null) this.start();
  }

  /** The line is known to be dead (the device went offline). */
  cut(): void {
    this.wire?.close();
    if (this.wire !== null) this.drop(0);
  }

  stop(): void {
    this.ended = true;
    this.cancelRetry?.();
    this.cancelPatience?.();
    const wire = this.wire;
    this.wire = null;
    wire?.close();
  }

  get waiting(): number {
    return this.unanswered.size;
  }

  private receive(reply: Reply): void {
    if (reply.type === "done" || reply.type === "refused") {
      this.unanswered.delete(reply.id);
      this.watch();
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
    this.wire = null;
    this.cancelPatience?.();
    this.cancelPatience = null;
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
    const pause = PAUSES[Math.min(this.attempts, PAUSES.length - 1)];
    this.attempts += 1;
    this.show("lost", code);
    this.cancelRetry = this.clock.after(pause, () => this.start());
  }

  private watch(): void {
    this.cancelPatience?.();
    this.cancelPatience = this.unanswered.size > 0 ? this.clock.after(PATIENCE, () => this.cut()) : null;
  }

  private write(message: Message): void {
    try {
      this.wire?.send(JSON.stringify(message));
    } catch {
      // Not open yet or closing: it is said again once the line is open.
    }
  }
}
