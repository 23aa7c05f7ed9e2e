/** The review of a game beside its replay: all that its two parts, before and behind the board, have in common. */
import type { CoachWords, Places } from "../../games/game";
import { loadCoachWords, loadPlaces } from "../../games/later";
import { learnWords } from "../../i18n/language.svelte";
import type { Decision, Frame } from "../../net/messages";
import type { ReplaySession } from "../../session/replay.svelte";
import type { Source } from "../../session/source";
import { Reviewing } from "./reviewing.svelte";
import { playFrom, timelineOf, type Mark, type Timeline } from "./timeline";

export class Beside {
  reviewing: Reviewing = $state.raw()!;
  /** Whose mistakes are marked, as a number in writing; everybody's where it is empty. */
  whose = $state("");
  readonly timeline: Timeline | null = $derived.by(() => {
    const { review } = this.reviewing;
    return review && timelineOf(review, this.frames);
  });
  readonly marks: Mark[] = $derived(
    this.timeline?.marks.filter((mark) => this.whose === "" || mark.seat === Number(this.whose)) ?? [],
  );
  private readonly frames: Frame[];

  constructor(
    private readonly source: Source,
    readonly session: ReplaySession,
    readonly words: CoachWords,
    readonly places: Places,
  ) {
    this.frames = source.frames.filter((reply): reply is Frame => reply.type === "frame");
    if (source.seat !== null) this.whose = String(source.seat);
    this.ask();
  }

  /** The decision that is open on the board, once all has come to rest there. */
  get decision(): Decision | null {
    if (this.timeline === null || !this.session.moment?.resting) return null;
    return playFrom(this.timeline, this.session.at)?.action.decision ?? null;
  }

  /** The seat of whoever looks on, who is called “you”. */
  get me(): number | null {
    return this.source.seat;
  }

  ask(): void {
    this.reviewing = new Reviewing(this.source.review);
  }

  readonly jump = (still: number): void => {
    this.session.stepper.pause();
    this.session.stepper.jump(still);
  };
}

/** Begins a review, once its words are at hand. */
export async function beside(source: Source, session: ReplaySession): Promise<Beside> {
  const { game } = source.table;
  const [words, places] = await Promise.all([loadCoachWords(game), loadPlaces(game), learnWords("review")]);
  return new Beside(source, session, words, places);
}
