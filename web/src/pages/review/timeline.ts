/** A review laid along the stills of a replay: what to show at which of them. Pure, and the same for every game. */
import type { Decision, Frame, Review, Step } from "../../net/messages";

/** A player's action with the draws that followed. */
export interface Play {
  action: Step;
  draws: Step[];
  /** The stills from which it was done and to which it led. */
  from: number;
  to: number;
}

export interface Mark {
  /** The still that shows it. */
  at: number;
  seat: number;
  sort: "doubtful" | "bad" | "very bad" | "luck";
  /** How much of a victory was lost, or won by luck; below zero for bad luck. */
  share: number;
  /** The points that were lost, where these were judged. */
  points?: number;
}

export interface Timeline {
  plays: Play[];
  /** By still: everybody's share of victory, in the order of the review's seats. */
  shares: number[][];
  marks: Mark[];
}

/** Luck that changes as much as this is marked. */
export const GREAT_LUCK = 0.1;

export function timelineOf(review: Review, frames: readonly Frame[]): Timeline {
  const plays = placed(playsOf(review.steps), frames);
  const draws = plays.flatMap((play) => play.draws.map((step) => ({ at: play.to, step })));
  return {
    plays,
    shares: sharesAt(review, plays, frames),
    marks: [...plays.flatMap(mistake), ...draws.flatMap(({ at, step }) => luck(review, at, step))].sort(
      (a, b) => a.at - b.at,
    ),
  };
}

/** The decision that is open in a still. */
export function playFrom(timeline: Timeline, still: number): Play | undefined {
  return timeline.plays.find((play) => play.from === still);
}

/** What led to a still. */
export function playTo(timeline: Timeline, still: number): Play | undefined {
  return timeline.plays.find((play) => play.to === still);
}

/** Whether a decision was worse than fine. */
export function isMistake(decision: Decision | null | undefined): decision is Decision {
  return decision !== null && decision !== undefined && decision.verdict !== "fine";
}

function playsOf(steps: readonly Step[]): Pick<Play, "action" | "draws">[] {
  const plays: Pick<Play, "action" | "draws">[] = [];
  for (const step of steps) {
    if (step.actor !== null) plays.push({ action: step, draws: [] });
    else plays.at(-1)?.draws.push(step);
  }
  return plays;
}

/** Where each play stands among the stills. What was taken back stands nowhere, nor what came before the first: a game
 * that goes on from another's position begins there.
 */
function placed(plays: Pick<Play, "action" | "draws">[], frames: readonly Frame[]): Play[] {
  const reached: number[] = [];
  frames.forEach((frame, still) => {
    if (frame.back) reached.pop();
    else if (frame.action !== undefined) reached.push(still);
  });
  return plays
    .slice(-reached.length || plays.length)
    .map((play, index) => ({ ...play, from: reached[index] - 1, to: reached[index] }));
}

function sharesAt(review: Review, plays: readonly Play[], frames: readonly Frame[]): number[][] {
  const first = plays.length === 0 ? 0 : review.steps.indexOf(plays[0].action);
  const start = (first === 0 ? review.start : review.steps[first - 1].worths).map((worth) => worth.wins);
  const line = [start];
  const shares = frames.map((frame) => {
    if (frame.back) line.pop();
    else if (frame.action !== undefined) {
      const play = plays[line.length - 1];
      const last = play?.draws.at(-1) ?? play?.action;
      line.push(last?.worths.map((worth) => worth.wins) ?? line.at(-1) ?? start);
    }
    return line.at(-1) ?? start;
  });
  // In the end nothing is believed any more.
  if (shares.length > 0) shares[shares.length - 1] = review.accounts.map((account) => account.wins.final);
  return shares;
}

function mistake({ from, action: { decision } }: Play): Mark[] {
  // What repeats another mistake has no mark of its own.
  if (!isMistake(decision) || decision.verdict === "fine" || decision.repeated) return [];
  const points = decision.by_points ? { points: -decision.score_loss } : {};
  return [{ at: from, seat: decision.seat, sort: decision.verdict, share: -decision.loss, ...points }];
}

/** Marked for whom it changed most. */
function luck(review: Review, at: number, step: Step): Mark[] {
  const place = step.wins.reduce(
    (most, share, index) => (Math.abs(share) > Math.abs(step.wins[most]) ? index : most),
    0,
  );
  const share = step.wins[place];
  return Math.abs(share) < GREAT_LUCK ? [] : [{ at, seat: review.seats[place], sort: "luck", share }];
}
