/** A review on its way: where it stands, and what came of it. Whoever stops waiting stops it. */
import type { Review, ReviewLine } from "../../net/messages";
import type { AskReview } from "../../net/reviews";
import { reasonOf } from "../../i18n/reason";

export class Reviewing {
  review = $state.raw<Review | null>(null);
  problem = $state("");
  /** How many games are reviewed before this one. */
  ahead = $state(0);
  /** Actions that have been judged, of all. */
  done = $state(0);
  of = $state(0);
  private readonly given = new AbortController();

  constructor(private readonly ask: AskReview) {
    void this.begin();
  }

  stop(): void {
    this.given.abort();
  }

  private async begin(): Promise<void> {
    try {
      this.review = await this.ask((line) => this.hear(line), this.given.signal);
    } catch (error) {
      if (!this.given.signal.aborted) this.problem = await reasonOf(error);
    }
  }

  private hear(line: ReviewLine): void {
    if (line.type === "waiting") this.ahead = line.ahead;
    if (line.type !== "judging") return;
    this.ahead = 0;
    this.done = line.done;
    this.of = line.of;
  }
}
