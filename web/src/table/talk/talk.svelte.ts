/** What was just said, by seat, for a few seconds: it is shown at whoever said it. */
import { getContext, setContext } from "svelte";
import type { Feeling } from "../../games/game";
import type { Chat } from "../../net/messages";

/** Long enough to be read beside a game that goes on. */
const SHOWN_MS = 6000;
const REMARK_MS = 3500;
const KEY = Symbol("talk");

export class Talk {
  /** The last words of each seat that are still shown. */
  fresh = $state.raw<ReadonlyMap<number, Chat>>(new Map());
  /** What bots remark, by seat: no line of the talk. */
  remarks = $state.raw<ReadonlyMap<number, Chat>>(new Map());
  /** How bots look at what happens to them. */
  moods = $state.raw<ReadonlyMap<number, Feeling>>(new Map());
  /** The number of the last line that was heard; what was said before one came is history. */
  private last: number | null = null;

  /** Take in all that has been said so far. */
  hear(chat: Chat[], muted: number[]): void {
    const from = this.last;
    this.last = chat.at(-1)?.n ?? from ?? -1;
    if (from === null) return;
    const news = chat.filter((line) => line.n > from && !muted.includes(line.seat));
    if (news.length === 0) return;
    this.fresh = new Map([...this.fresh, ...news.map((line) => [line.seat, line] as const)]);
    setTimeout(() => this.forget(news), SHOWN_MS);
  }

  /** What is said at a seat just now, by a person or a bot. */
  at(seat: number): Chat | undefined {
    return this.fresh.get(seat) ?? this.remarks.get(seat);
  }

  remark(seat: number, text: string): void {
    const line: Chat = { n: -1, seat, text };
    this.remarks = new Map([[seat, line]]);
    setTimeout(() => {
      if (this.remarks.get(seat) === line) this.remarks = new Map();
    }, REMARK_MS);
  }

  feel(feeling: Feeling, ms: number): void {
    this.moods = new Map([...this.moods, [feeling.seat, feeling]]);
    setTimeout(() => {
      this.moods = new Map([...this.moods].filter(([, shown]) => shown !== feeling));
    }, ms);
  }

  private forget(lines: Chat[]): void {
    this.fresh = new Map([...this.fresh].filter(([, line]) => !lines.includes(line)));
  }
}

/** Let everything below know of it. */
export function shareTalk(): Talk {
  return setContext(KEY, new Talk());
}

/** Nothing where nobody talks: in a replay, in a guided game. */
export function talkHere(): Talk | undefined {
  return getContext<Talk | undefined>(KEY);
}
