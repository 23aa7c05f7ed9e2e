import { describe, expect, it } from "vitest";
import type { Decision, Frame, Review, Step } from "../../src/net/messages";
import { storyOf } from "../../src/pages/review/story";
import { playFrom, playTo, timelineOf } from "../../src/pages/review/timeline";

const worth = (wins: number) => ({ wins, score: 0, error: 0.01 });

function decided(seat: number, more: Partial<Decision> = {}): Decision {
  const alternatives = [0.6, 0.5].map((wins, place) => ({
    action: `a${place}`,
    wins,
    score: 0,
    error: 0.01,
    playouts: 64,
  }));
  return {
    seat,
    kind: "k",
    alternatives,
    chosen: 0,
    loss: 0,
    error: 0.01,
    score_loss: 0,
    score_error: 0,
    verdict: "fine",
    counts: true,
    ...more,
  };
}

function step(
  ply: number,
  actor: number | null,
  wins: [number, number],
  change: [number, number],
  decision?: Decision,
): Step {
  return { ply, actor, action: `${ply}`, worths: wins.map(worth), wins: change, scores: [0, 0], decision };
}

const balance = (final: number) => ({ first: 0.5, own: 0, others: 0, chance: 0, revealed: 0, final });
const account = (seat: number, final: number): Review["accounts"][number] => ({
  seat,
  wins: balance(final),
  scores: balance(0),
  kinds: {},
  total: { decisions: 0, loss: 0, as_hard: 0, at_stake: 0 },
  verdicts: {},
  adjusted: 0.5,
  plays_like: null,
});

/** Two seats: a mistake, a roll with great luck, a good choice, an end that turns cards up. */
const REVIEW: Review = {
  game: "any",
  evaluator: "e",
  effort: "low",
  seed: 0,
  open: false,
  seats: [0, 1],
  names: ["a", "b"],
  start: [worth(0.5), worth(0.5)],
  steps: [
    step(5, 0, [0.4, 0.6], [-0.1, 0.1], decided(0, { chosen: 1, loss: 0.1, verdict: "very bad" })),
    step(6, 1, [0.4, 0.6], [0, 0], decided(1, { counts: false, chosen: 1, loss: 0.001 })),
    step(7, null, [0.7, 0.25], [0.3, -0.35]),
    step(8, 0, [0.7, 0.25], [0, 0], decided(0)),
  ],
  accounts: [account(0, 1), account(1, 0)],
};
const frame = (n: number, more: Partial<Frame> = {}): Frame => ({
  type: "frame",
  n,
  on: n,
  action: { type: "x" },
  ...more,
});
const FRAMES = [frame(0, { action: undefined }), frame(1), frame(2), frame(3)];

describe("a review along a replay", () => {
  it("stands at the position in which something was decided, and behind a draw", () => {
    const { plays, marks } = timelineOf(REVIEW, FRAMES);
    expect(plays.map(({ from, to, draws }) => [from, to, draws.length])).toEqual([
      [0, 1, 0],
      [1, 2, 1],
      [2, 3, 0],
    ]);
    expect(marks).toEqual([
      { at: 0, seat: 0, sort: "very bad", share: -0.1 },
      { at: 2, seat: 1, sort: "luck", share: -0.35 },
    ]);
  });

  it("marks what was missed again and again once, and a loss of points as one", () => {
    const steps = [
      { ...REVIEW.steps[0], decision: decided(0, { chosen: 1, loss: 0.1, verdict: "bad", repeated: true }) },
      {
        ...REVIEW.steps[1],
        decision: decided(1, { counts: false, by_points: true, chosen: 1, score_loss: 3, verdict: "very bad" }),
      },
    ];
    expect(timelineOf({ ...REVIEW, steps }, FRAMES).marks).toEqual([
      { at: 1, seat: 1, sort: "very bad", share: -0, points: -3 },
    ]);
  });

  it("tells everybody's share in every position, and the result at the end", () => {
    expect(timelineOf(REVIEW, FRAMES).shares).toEqual([
      [0.5, 0.5],
      [0.4, 0.6],
      [0.7, 0.25],
      [1, 0],
    ]);
  });

  it("leaves out what was taken back", () => {
    const undone = [
      frame(0, { action: undefined }),
      frame(1),
      frame(2, { action: undefined, back: true }),
      frame(3),
      frame(4),
      frame(5),
    ];
    const timeline = timelineOf(REVIEW, undone);
    expect(timeline.plays.map(({ from, to }) => [from, to])).toEqual([
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
    expect(timeline.shares.slice(0, 4)).toEqual([
      [0.5, 0.5],
      [0.4, 0.6],
      [0.5, 0.5],
      [0.4, 0.6],
    ]);
    expect(playFrom(timeline, 0)).toBeUndefined();
    expect(playFrom(timeline, 2)?.action.ply).toBe(5);
    expect(playTo(timeline, 4)?.draws.map(({ ply }) => ply)).toEqual([7]);
  });

  it("begins where the game took over another's position", () => {
    const timeline = timelineOf(REVIEW, [frame(0, { action: undefined }), frame(1), frame(2)]);
    expect(timeline.plays.map(({ action, from, to }) => [action.ply, from, to])).toEqual([
      [6, 0, 1],
      [8, 1, 2],
    ]);
    expect(timeline.shares).toEqual([
      [0.4, 0.6],
      [0.7, 0.25],
      [1, 0],
    ]);
    expect(timeline.marks.map(({ at, sort }) => [at, sort])).toEqual([[1, "luck"]]);
  });

  it("marks nothing where nothing happened", () => {
    expect(timelineOf({ ...REVIEW, steps: [] }, FRAMES.slice(0, 1)).marks).toEqual([]);
  });
});

describe("the story of a review", () => {
  const told = (review: Review, seat: number, frames = FRAMES) => storyOf(review, timelineOf(review, frames), seat);

  it("begins with who was the favourite, and what own moves and luck did", () => {
    const story = told(REVIEW, 0);
    expect(story.won).toBe(true);
    expect(story.favour).toEqual({ sort: "from", at: 2 });
    expect(story.mistakes).toEqual({ count: 1, share: 0.1, dearest: 0.1 });
    expect(story.luck).toBeCloseTo(0.5);
    expect(told(REVIEW, 1).favour).toEqual({ sort: "until", at: 1 });
  });

  it("shows what turned it, the dearest mistake and the best find, each once", () => {
    expect(told(REVIEW, 0).moments).toMatchObject([
      { sort: "turn", at: 2, share: 0.3, decision: null },
      { sort: "mistake", at: 0, share: -0.1 },
      { sort: "find", at: 2, share: 0.6 - 0.5 },
    ]);
    expect(told(REVIEW, 1).moments).toMatchObject([{ sort: "turn", at: 2, share: -0.35 }]);
  });

  it("says where the chances were best of whoever was never the favourite, and who always was", () => {
    const steps = [step(5, 0, [0.3, 0.7], [-0.2, 0.2]), step(6, 0, [0.2, 0.8], [-0.1, 0.1])];
    const accounts = [account(0, 0), account(1, 1)];
    const start = [worth(0.45), worth(0.55)];
    const review = { ...REVIEW, start, steps, accounts };
    expect(told(review, 0, FRAMES.slice(0, 3)).favour).toEqual({ sort: "best", at: 0, share: 0.45 });
    expect(told(review, 1, FRAMES.slice(0, 3)).favour).toEqual({ sort: "throughout" });
  });

  it("has no moments where nothing happened", () => {
    const quiet = told({ ...REVIEW, steps: [] }, 0, FRAMES.slice(0, 1));
    expect(quiet.moments).toEqual([]);
    expect(quiet.mistakes.count).toBe(0);
  });
});
