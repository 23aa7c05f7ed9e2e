/** The review of a game beside its replay: all that its two parts, before and behind the board, have in common. */
import { tick } from "svelte";
import type { CoachWords, Places } from "../../games/game";
import { loadCoachWords, loadPlaces } from "../../games/later";
import { learnWords, t } from "../../i18n/language.svelte";
import type { Decision, Frame } from "../../net/messages";
import type { ReplaySession } from "../../session/replay.svelte";
import type { Source } from "../../session/source";
import { Reviewing } from "./reviewing.svelte";
import { playFrom, timelineOf, type Mark, type Timeline } from "./timeline";

export class Beside {
  reviewing: Reviewing = $state.raw()!;
  /** What stands beside the board: the game in short, or what the coach says of each move. */
  page: "story" | "moves" = $state("story");
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
    // Whoever was sent a moment wants to see that.
    if (session.at > 0) this.page = "moves";
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

  /** Whose game is told: that of whoever looks on, or else of the winner. */
  get hero(): number {
    if (this.whose !== "") return Number(this.whose);
    const accounts = this.reviewing.review?.accounts ?? [];
    return accounts.reduce((best, one) => (one.wins.final > best.wins.final ? one : best), accounts[0])?.seat ?? 0;
  }

  /** When in the game a still is, in words. */
  readonly whenOf = (still: number): string => {
    const view = this.session.stills[still]?.state.view;
    return (view && this.words.when?.(view)) ?? t("review.story.at", { at: still });
  };

  ask(): void {
    this.reviewing = new Reviewing(this.source.review);
  }

  /** Shows a moment, with what the coach says of it. */
  readonly jump = (still: number): void => {
    this.page = "moves";
    void tick().then(() => document.querySelector("[data-reviewed]")?.scrollIntoView({ block: "nearest" }));
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
