/** A review as a person would begin it: how the game went for one seat, and three moments to look at. Pure. */
import type { Decision, Review, Step } from "../../net/messages";
import { isMistake, type Play, type Timeline } from "./timeline";

/** Whether the seat was the favourite, and in which still that began or ended. */
export type Favour =
  | { sort: "throughout" | "never" }
  | { sort: "until" | "from"; at: number }
  /** Never the favourite; this is where its chances were best. */
  | { sort: "best"; at: number; share: number };

export interface Moment {
  sort: "turn" | "mistake" | "find";
  /** The still that shows it. */
  at: number;
  step: Step;
  /** What it changed for the seat: lost by a mistake, gained by a find. */
  share: number;
  decision: Decision | null;
}

export interface Story {
  seat: number;
  won: boolean;
  favour: Favour;
  /** Bad moves, and what they and the dearest of them cost together, in shares of victory. */
  mistakes: { count: number; share: number; dearest: number };
  /** What luck added to the chance to win. */
  luck: number;
  moments: Moment[];
}

/** A lead by less is none. */
const AHEAD = 0.03;
/** A change by less turns nothing. */
const TURNS = 0.03;

export function storyOf(review: Review, timeline: Timeline, seat: number): Story {
  const place = review.seats.indexOf(seat);
  const account = review.accounts[place];
  const won = account.wins.final > 0;
  const bad = timeline.plays
    .map(({ action }) => action.decision)
    .filter(
      (one) => isMistake(one) && one.seat === seat && !one.repeated && !one.by_points && one.verdict !== "doubtful",
    );
  const losses = bad.map((one) => one!.loss);
  const mistake = dearest(timeline.plays, seat);
  const find = bestFind(timeline.plays, seat);
  const turn = turned(timeline.plays, place, [mistake?.step, find?.step]);
  return {
    seat,
    won,
    favour: favourOf(timeline.shares, place, won),
    mistakes: { count: bad.length, share: losses.reduce((sum, one) => sum + one, 0), dearest: Math.max(0, ...losses) },
    luck: account.wins.final - account.adjusted,
    moments: [turn, mistake, find].filter((one) => one !== null),
  };
}

/** How the chances went, but for the last still, which shows the result. */
function favourOf(shares: readonly number[][], place: number, won: boolean): Favour {
  const course = shares.slice(0, -1);
  const lead = course.map((row) => row[place] - Math.max(0, ...row.filter((_, index) => index !== place)));
  const ahead = lead.map((one) => one >= AHEAD);
  if (won) {
    const behind = lead.findLastIndex((one) => one < 0);
    if (behind < course.length / 10) return { sort: "throughout" };
    return { sort: "from", at: Math.min(behind + 1, shares.length - 1) };
  }
  const last = ahead.lastIndexOf(true);
  if (last >= 0) return { sort: "until", at: last };
  const at = course.reduce((most, row, index) => (row[place] > course[most][place] ? index : most), 0);
  return course.length === 0 ? { sort: "never" } : { sort: "best", at, share: course[at][place] };
}

function dearest(plays: readonly Play[], seat: number): Moment | null {
  const cost = (one: Decision) => (one.by_points ? one.score_loss / 1000 : one.loss);
  const found = plays.filter(({ action: { decision } }) => isMistake(decision) && decision.seat === seat);
  const worst = most(found, ({ action }) => cost(action.decision!));
  if (worst === null) return null;
  const decision = worst.action.decision!;
  return { sort: "mistake", at: worst.from, step: worst.action, share: -decision.loss, decision };
}

/** A choice of the best where the next best was clearly worse. */
function bestFind(plays: readonly Play[], seat: number): Moment | null {
  const lead = ({ action: { decision } }: Play): number => {
    if (!decision?.counts || decision.seat !== seat || decision.chosen !== 0 || decision.alternatives.length < 2)
      return 0;
    const [best, next] = decision.alternatives;
    const share = best.wins - next.wins;
    return share > 2 * Math.hypot(best.error, next.error) ? share : 0;
  };
  const best = most(plays, lead);
  if (best === null || lead(best) === 0) return null;
  return { sort: "find", at: best.from, step: best.action, share: lead(best), decision: best.action.decision ?? null };
}

/** What changed the chance of a seat most, besides what is told anyway. */
function turned(plays: readonly Play[], place: number, besides: (Step | undefined)[]): Moment | null {
  const steps = plays.flatMap(({ action, draws, from, to }) => [
    { at: from, step: action },
    ...draws.map((step) => ({ at: to, step })),
  ]);
  const others = steps.filter(({ step }) => !besides.includes(step));
  const found = most(others, ({ step }) => Math.abs(step.wins[place]));
  if (found === null || Math.abs(found.step.wins[place]) < TURNS) return null;
  return { sort: "turn", ...found, share: found.step.wins[place], decision: found.step.decision ?? null };
}

function most<One>(all: readonly One[], worth: (one: One) => number): One | null {
  return all.reduce<One | null>((best, one) => (best === null || worth(one) > worth(best) ? one : best), null);
}
