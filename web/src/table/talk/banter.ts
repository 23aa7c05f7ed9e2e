/** What bots show and say of what happens to them: a glad or a pained face, and now and then a remark. */
import { wallClock, type Clock } from "../../clock";
import type { GameModule } from "../../games/game";
import type { Moment } from "../../session/queue";
import type { Talk } from "./talk.svelte";

/** How long a face is seen, and the least time from one remark to the next. */
const FACE_MS = 2200;
const QUIET_MS = 30_000;

export class Banter {
  private last: { n: number; events: number } | null = null;
  private spoke = -Infinity;

  constructor(
    private readonly talk: Pick<Talk, "feel" | "remark">,
    private readonly clock: Clock = wallClock,
  ) {}

  /** Follow what is being shown; what was shown before the page came, or all at once, is history. */
  hear({ telling, state }: Moment, game: Pick<GameModule, "feels" | "remark">, talks: boolean): void {
    const before = this.last;
    this.last = telling && { n: telling.n, events: telling.events.length };
    if (before === null || telling === null || telling.back) return;
    if (telling.n > before.n + 1) return;
    const from = telling.n === before.n ? before.events : 0;
    for (const event of telling.events.slice(from)) {
      for (const feeling of game.feels?.(event) ?? []) {
        if (state.table.seats[feeling.seat]?.kind !== "bot") continue;
        this.talk.feel(feeling, FACE_MS);
        const now = this.clock.now();
        if (!talks || !game.remark || state.muted.includes(feeling.seat) || now - this.spoke < QUIET_MS) continue;
        this.spoke = now;
        // By what everybody knows, so that nothing can be read from it.
        this.talk.remark(feeling.seat, game.remark(feeling.mood, telling.n * 7 + feeling.seat * 3));
      }
    }
  }
}
