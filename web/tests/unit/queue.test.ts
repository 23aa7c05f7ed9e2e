import { describe, expect, it } from "vitest";
import type { Chat, Frame, Reply } from "../../src/net/messages";
import { logOf } from "../../src/session/log";
import type { Pace } from "../../src/session/pace";
import { Queue, type Moment, type Staging } from "../../src/session/queue";
import { heard, welcomed, type Known } from "../../src/session/state";
import { table } from "./counting";
import { handClock } from "./handClock";

interface View {
  actor: number;
  count: number;
}

/** A game in which seats count up in turn; a step on the way is shown for a tenth of a second, a great one told. */
const staging: Staging = {
  sceneOf: (view) => ({ count: (view as View).count }),
  steps: (_, event) => {
    const { to } = event as { to: number };
    return [{ scene: { count: to }, ms: 100, still: to === 7 }];
  },
};
const ROLL = { type: "add" };

function welcome(): Known {
  const view = { actor: 0, count: 0 };
  return welcomed(null, {
    type: "welcome",
    n: 1,
    on: 1,
    seat: 0,
    yours: [0],
    table,
    view,
    actions: [ROLL],
    scores: [0, 0],
  });
}

function frame(n: number, by: number, to: number[], more: Partial<Frame> = {}): Frame {
  const patch = { actor: 1 - by, count: to.at(-1) };
  const actions = by === 0 ? [] : [ROLL];
  return {
    type: "frame",
    n,
    on: n,
    by,
    events: to.map((one) => ({ to: one })),
    patch,
    actions,
    scores: [n, 0],
    ...more,
  };
}

function shown(pace: Partial<Pace> = {}, begun = true) {
  const hand = handClock();
  const seen: Moment[] = [];
  const kept: Pace = { moving: true, scale: 1, between: 0, visible: true, ...pace };
  const queue = new Queue(
    (moment) => seen.push(moment),
    () => kept,
    hand.clock,
  );
  if (begun) queue.load(staging);
  queue.begin(welcome);
  const say = (reply: Reply) =>
    queue.add({ frame: reply.type === "frame" ? reply : null, then: (known) => heard(known, reply) });
  /** The moment, as everything on the page has it. */
  const now = () => {
    const { state, scene, actor, log, telling, resting } = seen[seen.length - 1];
    return {
      count: (scene as { count: number } | null)?.count,
      on: state.on,
      scores: state.scores[0],
      offered: state.actions.length,
      actor,
      log: log.map((entry) => entry.n),
      told: telling?.events.length ?? 0,
      resting,
    };
  };
  return { hand, seen, queue, say, now };
}

describe("the pace", () => {
  const lingering: Staging = {
    ...staging,
    steps: (_, event) => [{ scene: { count: (event as { to: number }).to }, ms: 100, linger: 300 }],
  };
  const lasts = (scale: number) => {
    const { queue, say, seen } = shown({ scale });
    queue.load(lingering);
    say(frame(2, 0, [5]));
    return seen[seen.length - 1].ms;
  };

  it("lets those who are calm watch longer, and nobody else", () => {
    expect([1, 0.5].map(lasts)).toEqual([400, 50]);
  });
});

describe("the beginning of a game", () => {
  /** What is seen of a table at which nothing could be seen before. */
  function begun(given: Staging): (number | undefined)[] {
    const { hand, queue, say, seen } = shown({}, false);
    queue.load(given);
    queue.begin(() => ({ ...welcome(), view: null }));
    say(frame(2, 0, [1, 2]));
    hand.pass(1000);
    return seen.map(({ scene }) => (scene as { count: number } | null)?.count);
  }

  it("is shown step by step where the game says what is there before", () => {
    expect([...new Set(begun({ ...staging, opening: () => ({ count: 0 }) }))]).toEqual([undefined, 0, 1, 2]);
  });

  it("is there at once where it does not", () => {
    expect([...new Set(begun(staging))]).toEqual([undefined, 0, 2]);
  });
});

describe("the one clock", () => {
  it("shows a frame step by step, and only then what it leads to", () => {
    const { hand, say, now } = shown();
    const before = { on: 1, scores: 0, offered: 0, actor: 0, log: [], resting: false };
    say(frame(2, 0, [5, 6]));
    expect(now()).toEqual({ ...before, count: 5, told: 1 });
    hand.pass(100);
    expect(now()).toEqual({ ...before, count: 6, told: 2 });
    hand.pass(100);
    expect(now()).toEqual({ on: 2, scores: 2, offered: 0, actor: 1, log: [2], resting: true, count: 6, told: 2 });
  });

  it("lets nobody act until everything that was said has been shown", () => {
    const { hand, say, now } = shown();
    say(frame(2, 0, [1]));
    say(frame(3, 1, [2]));
    for (const [ms, on] of [
      [0, 1],
      [99, 1],
      [1, 2],
      [99, 2],
    ]) {
      hand.pass(ms);
      expect([now().on, now().offered, now().resting]).toEqual([on, 0, false]);
    }
    hand.pass(1);
    expect([now().on, now().offered, now().resting]).toEqual([3, 1, true]);
  });

  it("takes back what is offered as soon as more was said", () => {
    const { say, now } = shown();
    expect(now().offered).toBe(1);
    say(frame(2, 1, [4], { back: false }));
    expect(now().offered).toBe(0);
  });

  it("has what people say wait its turn", () => {
    const { hand, seen, say } = shown();
    const chat: Chat[] = [{ n: 3, seat: 1, text: "ha" }];
    say(frame(2, 0, [1]));
    say({ type: "chat", ...chat[0] });
    expect(seen.at(-1)?.state.chat).toEqual([]);
    hand.pass(100);
    expect(seen.at(-1)?.state.chat).toMatchObject(chat);
  });

  it("goes on queue while something is amended", () => {
    const { hand, queue, say, now } = shown();
    say(frame(2, 0, [5, 6]));
    queue.amend((known) => ({ ...known, muted: [1] }));
    expect(now()).toMatchObject({ count: 5, told: 1, resting: false });
    hand.pass(200);
    expect(now()).toMatchObject({ count: 6, on: 2, resting: true });
  });

  it("catches up at once, with everything told and in order", () => {
    const { hand, seen, queue, say, now } = shown();
    for (const n of [2, 4]) {
      say(frame(n, 0, [n]));
      say(frame(n + 1, 1, [n, n + 1]));
    }
    queue.catchUp();
    expect(now()).toEqual({
      on: 5,
      scores: 5,
      offered: 1,
      actor: 0,
      log: [2, 3, 4, 5],
      resting: true,
      count: 5,
      told: 2,
    });
    const moments = seen.length;
    hand.pass(10_000);
    expect(seen).toHaveLength(moments);
  });

  it("leaves out what comes before a scene, or the rest of a frame that has none like it", () => {
    const { hand, queue, say, now } = shown();
    say(frame(2, 0, [1, 2, 3, 4]));
    say(frame(3, 1, [5, 6]));
    queue.showTo((scene) => (scene as { count: number }).count === 3);
    expect([now().count, now().told, now().on, now().resting]).toEqual([3, 3, 1, false]);
    hand.pass(99);
    expect(now().count).toBe(3);
    hand.pass(1);
    expect(now().count).toBe(4);
    queue.showTo(() => false);
    expect([now().count, now().on, now().resting]).toEqual([5, 2, false]);
    hand.pass(200);
    expect([now().count, now().on, now().resting]).toEqual([6, 3, true]);
    queue.showTo(() => false);
    expect(now().resting).toBe(true);
  });

  it("leaves time between what others do, and none before what one does oneself", () => {
    const { hand, say, now } = shown({ between: 1000 });
    say(frame(2, 1, [1]));
    hand.pass(100);
    expect([now().on, now().resting, now().offered]).toEqual([2, true, 1]);
    say(frame(3, 1, [2]));
    expect([now().count, now().offered]).toEqual([1, 0]);
    hand.pass(999);
    expect(now().count).toBe(1);
    hand.pass(1);
    expect(now().count).toBe(2);
    hand.pass(100);
    say(frame(4, 0, [3]));
    expect(now().count).toBe(3);
  });

  it("takes half the time at half the scale, and none at none", () => {
    const { hand, say, now } = shown({ scale: 0.5 });
    say(frame(2, 0, [1, 2]));
    hand.pass(100);
    expect(now().resting).toBe(true);
    const instant = shown({ scale: 0 });
    instant.say(frame(2, 0, [1, 2]));
    expect(instant.now()).toMatchObject({ on: 2, resting: true, log: [2] });
  });

  it("tells everything where nothing moves: what is great stands still for a while", () => {
    const { hand, seen, say, now } = shown({ moving: false });
    say(frame(2, 0, [5, 7, 8]));
    expect(now()).toMatchObject({ count: 7, told: 2, resting: false });
    hand.pass(2000);
    expect(now()).toMatchObject({ count: 8, told: 3, resting: true });
    expect(seen.map(({ scene }) => (scene as { count: number }).count)).not.toContain(5);
  });

  it("lets what one did oneself be read before what others do, where nothing moves", () => {
    const { hand, say, now } = shown({ moving: false, between: 1000 });
    say(frame(2, 0, [1]));
    say(frame(3, 1, [2]));
    expect(now()).toMatchObject({ count: 1, on: 2, resting: false });
    hand.pass(1000);
    expect(now()).toMatchObject({ count: 2, on: 3, resting: true });
  });

  it("gives time to what others do even if the board does not show it", () => {
    const { hand, say, now } = shown();
    say(frame(2, 1, []));
    expect(now()).toMatchObject({ on: 1, resting: false });
    hand.pass(500);
    expect(now()).toMatchObject({ on: 2, resting: true });
  });

  it("plays nothing that is taken back, and nothing before there are drawings", () => {
    const { say, now } = shown();
    say(frame(2, 0, [3], { back: true }));
    expect(now()).toMatchObject({ on: 2, resting: true });
    const bare = shown({}, false);
    bare.say(frame(2, 0, [3]));
    expect(bare.now()).toMatchObject({ on: 2, count: undefined, resting: true, log: [2] });
    bare.queue.load(staging);
    expect(bare.now().count).toBe(3);
  });

  it("recalls what was, but nothing that is still to be shown", () => {
    const { hand, queue, say, now } = shown();
    const entry = (n: number) => ({
      n,
      by: 0,
      stoodIn: false,
      back: false,
      events: [],
      note: null,
      drawn: null,
      scores: [],
    });
    say(frame(2, 0, [3]));
    queue.recall([entry(1), entry(2)]);
    expect(now().log).toEqual([1]);
    hand.pass(100);
    expect(now().log).toEqual([1, 2]);
  });

  it("tells nothing old of a game that went on while the line was down", () => {
    const { hand, seen, queue, say } = shown();
    const entry = (n: number) => ({
      n,
      by: 1,
      stoodIn: false,
      back: false,
      events: [{ to: n }],
      note: null,
      drawn: null,
      scores: [],
    });
    const told = () => seen.at(-1)?.telling?.n ?? null;
    say(frame(2, 0, [3]));
    hand.pass(100);
    queue.begin((before) => before as Known);
    expect(told()).toBe(2);
    queue.begin((before) => ({ ...(before as Known), n: 4, on: 4 }));
    expect(told()).toBeNull();
    queue.recall([entry(2), entry(3), entry(4)]);
    expect(told()).toBe(4);
    say(frame(5, 1, [5]));
    queue.recall([entry(4)]);
    expect(told()).toBe(5);
  });

  it("tells the odds of a position when it lies open, neither before nor longer", () => {
    const { hand, seen, queue, say } = shown();
    const odds = () => seen.at(-1)?.odds;
    queue.setOdds(1, "first");
    expect(odds()).toBe("first");
    say(frame(2, 0, [3]));
    expect(odds()).toBeNull();
    queue.setOdds(2, "second");
    expect(odds()).toBeNull();
    hand.pass(100);
    expect(odds()).toBe("second");
    queue.dropOdds();
    expect(odds()).toBeNull();
  });

  it("does not tell one seat what another saw", () => {
    const { hand, seen, queue, say, now } = shown();
    say(frame(2, 0, [3]));
    hand.pass(100);
    queue.setOdds(2, "hers");
    queue.begin((before) => ({ ...(before as Known), seat: 1 }));
    expect([now().log, now().told, seen.at(-1)?.odds]).toEqual([[], 0, null]);
  });

  it("goes on with the story where all look at one screen, and has nothing to recap", () => {
    const { hand, seen, queue, say, now } = shown();
    const together = { ...table, table_rules: { ...table.table_rules, one_device: true } };
    queue.begin((before) => ({ ...(before as Known), table: together, yours: [0, 1] }));
    say(frame(2, 0, [3]));
    hand.pass(100);
    queue.begin((before) => ({ ...(before as Known), seat: 1 }));
    expect([now().log, now().told]).toEqual([[2], 1]);
    queue.recall([]);
    expect(seen.at(-1)?.missed).toEqual([]);
  });

  it("leaves out of what was missed whatever was taken back", () => {
    const { seen, say } = shown({ scale: 0, visible: false });
    say(frame(2, 1, [1]));
    say(frame(3, 1, [2]));
    say(frame(4, 1, [1], { back: true }));
    expect(seen.at(-1)?.missed.map((entry) => entry.n)).toEqual([2]);
    say(frame(5, 0, [3]));
    say(frame(6, 1, [2], { back: true }));
    expect(seen.at(-1)?.missed.map((entry) => entry.n)).toEqual([6]);
  });

  it("keeps what others did while nobody looked, until it is read or one acts", () => {
    const { hand, seen, queue, say } = shown({ scale: 0, visible: false });
    const missed = () => seen.at(-1)?.missed.map((entry) => entry.n);
    say(frame(2, 1, [1]));
    say(frame(3, 1, [2]));
    expect(missed()).toEqual([2, 3]);
    say(frame(4, 0, [3]));
    expect(missed()).toEqual([]);
    say(frame(5, 1, [4]));
    queue.dismiss();
    expect(missed()).toEqual([]);
    const watched = shown();
    watched.say(frame(2, 1, [1]));
    watched.hand.pass(100);
    hand.pass(0);
    expect(watched.seen.at(-1)?.missed).toEqual([]);
  });

  it("keeps what a bot did in one's place as well, and what was done before", () => {
    const stoodIn = {
      ...table,
      seats: [{ ...table.seats[0], kind: "person" as const, bot: "greedy" }, table.seats[1]],
    };
    const { seen, queue, say } = shown({ scale: 0, visible: false });
    const missed = () => seen.at(-1)?.missed.map((entry) => entry.n);
    say(frame(2, 1, [1]));
    queue.amend((known) => ({ ...known, table: stoodIn }));
    say(frame(3, 0, [2]));
    expect(missed()).toEqual([2, 3]);
    queue.amend((known) => ({ ...known, table }));
    say(frame(4, 0, [3]));
    expect(missed()).toEqual([]);
    // The same after the page was closed meanwhile, from the story.
    const later = shown();
    later.queue.begin((before) => ({ ...(before as Known), n: 5 }));
    later.queue.recall(
      logOf([frame(2, 0, [1]), frame(3, 1, [1], { table: stoodIn }), frame(4, 0, [2]), frame(5, 1, [3], { table })]),
    );
    expect(later.seen.at(-1)?.missed.map(({ n }) => n)).toEqual([3, 4, 5]);
  });

  it("knows what another seat has missed: all since its own last action", () => {
    const { seen, queue } = shown();
    const entry = (n: number, by: number) => ({
      n,
      by,
      stoodIn: false,
      back: false,
      events: [],
      note: null,
      drawn: null,
      scores: [],
    });
    queue.begin((before) => ({ ...(before as Known), n: 5, seat: 1 }));
    queue.recall([entry(2, 0), entry(3, 1), entry(4, 0), entry(5, 0)]);
    expect(seen.at(-1)?.missed.map(({ n }) => n)).toEqual([4, 5]);
    // After a short loss of the line there is nothing that was not seen.
    queue.dismiss();
    queue.begin((before) => before as Known);
    queue.recall([entry(4, 0), entry(5, 0)]);
    expect(seen.at(-1)?.missed).toEqual([]);
  });
});
