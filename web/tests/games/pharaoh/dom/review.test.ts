/** What the coach says beside a replay: of waiting, of points, and of a whole game. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { learnWords, startLanguage, t } from "../../../../src/i18n/language.svelte";
import type { Decision, Review, Step } from "../../../../src/net/messages";
import type { ComponentProps } from "svelte";
import Figures from "../../../../src/pages/review/Figures.svelte";
import GameStory from "../../../../src/pages/review/GameStory.svelte";
import Judgement from "../../../../src/pages/review/Judgement.svelte";
import type { Timeline } from "../../../../src/pages/review/timeline";
import { coachWords as words } from "../../../../src/games/pharaoh/coaching";

const names = ["Ann", "Ben"];
const figures = { first: 0.25, own: -0.9, others: 0.2, chance: 0.4, revealed: 0.05, final: 0 };
const account = (seat: number) => ({
  seat,
  wins: figures,
  scores: figures,
  kinds: {},
  total: { decisions: 0, loss: 0, as_hard: 0, at_stake: 0 },
  verdicts: {},
  adjusted: 0.125,
  plays_like: null,
});
const review: Review = {
  game: "pharaoh",
  evaluator: "e",
  effort: "low",
  seed: 0,
  open: false,
  seats: [0, 1],
  names,
  start: [],
  steps: [],
  accounts: [account(0), account(1)],
  findings: [
    {
      seat: 1,
      first: 7,
      last: 30,
      reason: { key: "coach.pharaoh.passed", values: { seat: 1, turns: 11, first: 7, last: 17 }, exact: true },
    },
  ],
};

function decided(more: Partial<Decision>): Timeline {
  const [best, chosen] = ["reveal b1", "end"].map((action) => ({
    action,
    wins: 0.01,
    score: 2,
    error: 0,
    playouts: 64,
  }));
  const decision: Decision = {
    seat: 1,
    kind: "end",
    alternatives: [best, chosen],
    chosen: 1,
    loss: 0,
    error: 0,
    score_loss: 0,
    score_error: 0,
    verdict: "fine",
    counts: true,
    ...more,
  };
  const action: Step = { ply: 7, actor: 1, action: "end", worths: [], wins: [0, 0], scores: [0, 0], decision };
  const plays = [{ action, draws: [], from: 4, to: 5 }];
  return { plays, shares: [[0.5, 0.5]], marks: [] };
}

beforeAll(async () => {
  startLanguage("en");
  await learnWords("review", "replay", "coach.pharaoh", "pharaoh", "coach");
});
afterEach(cleanup);

it("does not call it good to wait where as much could be done", () => {
  render(Judgement, { review, timeline: decided({ idle: true }), at: 4, names, words });
  expect(screen.getByText(t("review.verdict.idle"))).toBeTruthy();
  expect(screen.queryByText(t("review.verdict.fine"))).toBeNull();
  expect(screen.getByText(t("review.idle", { action: words.action("reveal b1", names) }))).toBeTruthy();
});

it("says what a mistake cost in points where victory was decided, and that it is the same as another", () => {
  const lost = { counts: false, by_points: true, verdict: "very bad", score_loss: 3, score_error: 0.4 } as const;
  render(Judgement, { review, timeline: decided({ ...lost, repeated: true }), at: 4, names, words });
  expect(screen.getByText(t("review.verdict.very_bad"))).toBeTruthy();
  expect(screen.getByText(t("review.lost_hopeless_of", { name: names[1], score: words.score(3) }))).toBeTruthy();
  expect(screen.getByText(t("review.repeated"))).toBeTruthy();
  expect(screen.queryByText(t("review.trivial"))).toBeNull();
});

it("says from what chance to what chance a mistake led, or that all was decided", () => {
  const timeline = decided({ verdict: "bad", loss: 0.06, score_loss: 0 });
  const [best, chosen] = timeline.plays[0].action.decision!.alternatives;
  [best.wins, chosen.wins] = [0.41, 0.35];
  render(Judgement, { review, timeline, at: 4, names, words, me: 1 });
  expect(screen.getByText("This lowered your chance to win from 41% to 35%.")).toBeTruthy();
  cleanup();
  render(Judgement, { review, timeline, at: 4, names, words });
  expect(screen.getByText("This lowered Ben’s chance to win from 41% to 35%.")).toBeTruthy();
  cleanup();
  const lost = { counts: false, by_points: true, verdict: "bad", score_loss: 3 } as const;
  const won = decided(lost);
  for (const each of won.plays[0].action.decision!.alternatives) each.wins = 0.99;
  render(Judgement, { review, timeline: won, at: 4, names, words, me: 1 });
  expect(screen.getByText("You had practically won, so what counts here is the loss of 3.0 points.")).toBeTruthy();
});

function story(more: Partial<ComponentProps<typeof GameStory>> = {}) {
  const [jump, playOn] = [vi.fn(), vi.fn()];
  const timeline = decided({ verdict: "bad", loss: 0.06 });
  timeline.plays[0].action.decision!.alternatives[0].reasons = [
    { key: "coach.pharaoh.gets.fetched", values: { seats: [1], points: 1.2 }, weight: 0.05 },
    { key: "coach.pharaoh.plan", values: { then: ["reveal b1", "reveal b2"] } },
  ];
  const whenOf = (still: number) => words.when?.({ round: still }) ?? "";
  render(GameStory, { review, timeline, seat: 1, me: 1, names, words, whenOf, jump, playOn, ...more });
  return { jump, playOn };
}

it("begins with the game in short, and with moments that say why and can be played on from", async () => {
  const { jump, playOn } = story();
  expect(screen.getByText(/1 move cut your chance to win by 6 points\. Luck took 13 points from you\./)).toBeTruthy();
  expect(screen.getByText("Fetching treasures brings you 1.2 points more.")).toBeTruthy();
  expect(screen.getByText(/The plan for this turn: .*b1, then .*b2/)).toBeTruthy();
  expect(screen.getByText("Round 4")).toBeTruthy();
  await fireEvent.click(screen.getByText(t("review.story.play_on")));
  expect(playOn).toHaveBeenCalledWith(4);
  await fireEvent.click(screen.getByText(t("review.story.look")));
  expect(jump).toHaveBeenCalledWith(4);
});

it("tells who passed turn after turn, and where to look", async () => {
  const { jump } = story({ me: null, playOn: null });
  await fireEvent.click(screen.getByText(/Ben passed 11 turns running \(rounds 7 to 17\)/));
  expect(jump).toHaveBeenCalledWith(4);
  expect(screen.getByText(/1 move cut Ben’s chance to win by 6 points/)).toBeTruthy();
  expect(screen.queryByText(t("review.story.play_on"))).toBeNull();
});

it("takes luck out of a result without leaving 0 to 100", () => {
  render(Figures, { review, timeline: decided({}), names, words, jump: vi.fn() });
  expect(screen.getAllByText("13%")).toHaveLength(2);
  expect(screen.getAllByText("−13%")).toHaveLength(2);
});
