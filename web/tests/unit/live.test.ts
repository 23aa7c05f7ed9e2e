import { beforeAll, describe, expect, it, vi } from "vitest";
import { MOVED } from "../../src/net/connection";
import type { Frame, Odds, Reply, TableInfo, Welcome } from "../../src/net/messages";
import type { LiveOptions, LiveSession } from "../../src/session/live.svelte";
import type { Pace } from "../../src/session/pace";
import type { Staging } from "../../src/session/queue";
import { Renewal } from "../../src/session/renewal";
import type { World } from "../../src/session/world";
import { table as counting } from "./counting";
import { handClock } from "./handClock";
import { HandWire } from "./handWire";

const { reached } = vi.hoisted(() => ({ reached: vi.fn() }));
vi.mock("../../src/net/reach", () => ({ reached }));

let Session: typeof LiveSession;
beforeAll(async () => {
  // The real world, which none of these tests uses, asks the page for its address.
  vi.stubGlobal("document", { querySelector: () => null, documentElement: {} });
  ({ LiveSession: Session } = await import("../../src/session/live.svelte"));
});

/** Seats count up in turn; each number is shown for a tenth of a second. */
const staging: Staging = {
  sceneOf: (view) => ({ count: (view as { count: number }).count }),
  steps: (_, event) => [{ scene: { count: (event as { to: number }).to }, ms: 100 }],
};
const ADD = { type: "add" };
const playing: TableInfo = { ...counting, table_rules: { ...counting.table_rules, odds: true } };
const lobby: TableInfo = { ...counting, phase: "lobby", commit: "c0ffee" };
const device: TableInfo = {
  ...counting,
  table_rules: { one_device: true },
  seats: [
    { kind: "person", name: "Ann" },
    { kind: "person", name: "Ben" },
  ],
};

function welcome(more: Partial<Welcome> = {}): Welcome {
  const view = { actor: 0, count: 0 };
  const base = { n: 4, on: 2, seat: 0, yours: [0], table: playing, view, actions: [ADD], scores: [0, 0] };
  return { type: "welcome", ...base, ...more };
}

function frame(n: number, by: number, more: Partial<Frame> = {}): Frame {
  const patch = { actor: 1 - by, count: n };
  const actions = by === 0 ? [] : [ADD];
  return { type: "frame", n, on: n - 2, by, events: [{ to: n }], patch, actions, scores: [n, 0], ...more };
}

interface Setting {
  /** The first thing the server says; nothing where it is null. */
  first?: Welcome | null;
  world?: Partial<World>;
  options?: Partial<LiveOptions<Staging>>;
  pace?: Partial<Pace>;
  /** The build of the page. */
  build?: string;
}

async function setUp({ first = welcome(), world = {}, options = {}, pace = {}, build = "" }: Setting = {}) {
  const hand = handClock();
  const wires: HandWire[] = [];
  const remembered: string[] = [];
  const calls: string[] = [];
  let reloads = 0;
  const kept = new Map<string, string>();
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, to: string) => kept.set(key, to),
  };
  const session = new Session("t1", {
    loadGame: () => Promise.resolve(staging),
    renewal: new Renewal(build, memory as never, () => (reloads += 1)),
    callToTurn: () => calls.push("turn"),
    begun: () => calls.push("begun"),
    ...options,
    world: {
      clock: hand.clock,
      random: () => 0.5,
      pace: () => ({ moving: true, scale: 1, between: 0, visible: true, ...pace }),
      writing: () => false,
      dial: (_, seen, seat) => {
        wires.push(new HandWire({ seen, seat }));
        return wires[wires.length - 1];
      },
      frames: () => Promise.resolve([]),
      odds: () => Promise.resolve({ game: "counting", odds: {} }),
      advice: () => Promise.reject(new Error("nobody asks for it")),
      rememberTable: (id) => remembered.push(id),
      forgetTable: (id) => remembered.push(`not ${id}`),
      rememberFingerprint: ({ commit }) => remembered.push(`commit ${commit}`),
      ...world,
    },
  });
  const settle = async () => {
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
  };
  const tell = async (...replies: Reply[]) => {
    for (const reply of replies) wires[wires.length - 1].tells(reply);
    await settle();
  };
  wires[0].opens();
  if (first !== null) await tell(first);
  return {
    session,
    wires,
    tell,
    settle,
    pass: hand.pass,
    remembered,
    calls,
    reloads: () => reloads,
    /** The last thing that was sent, without its id. */
    sent: () => {
      const { id: _, ...message } = wires[wires.length - 1].sent.at(-1) ?? {};
      return message;
    },
    /** The id of it. */
    sentId: () => wires[wires.length - 1].sent.at(-1)?.id as string,
    on: () => session.moment?.state.on,
    offered: () => session.moment?.state.actions.length,
  };
}

const refused = (id: string, key = "table.illegal", values = {}): Reply => ({
  type: "refused",
  id,
  key,
  values,
  text: "",
});

describe("a live table", () => {
  it("is shown from the first welcome on, and drawn once its game is loaded", async () => {
    const { session, settle, tell } = await setUp({ first: null });
    expect([session.moment, session.status]).toEqual([null, "open"]);
    const said = tell(welcome());
    expect(session.moment).toMatchObject({ scene: null, actor: 0, state: { on: 2, actions: [ADD] } });
    await said;
    await settle();
    expect([session.game, session.moment?.scene]).toEqual([staging, { count: 0 }]);
  });

  it("shows frames one after the other, and catches up when asked to", async () => {
    const { session, tell, pass, on, offered } = await setUp();
    await tell(frame(5, 0), frame(6, 1));
    expect([session.moment?.scene, on(), offered()]).toEqual([{ count: 5 }, 2, 0]);
    pass(100);
    expect([session.moment?.scene, on(), offered()]).toEqual([{ count: 6 }, 3, 0]);
    session.catchUp();
    expect([on(), offered(), session.moment?.resting]).toEqual([4, 1, true]);
  });

  it("fetches what happened before", async () => {
    const frames = vi.fn(() => Promise.resolve([frame(3, 1), frame(4, 0)]));
    const { session } = await setUp({ world: { frames } });
    expect(frames.mock.calls).toEqual([["t1", 0]]);
    expect(session.moment?.log.map(({ n }) => n)).toEqual([3, 4]);
  });

  it("hears no more once it has been left", async () => {
    const { session, wires, tell, pass, calls } = await setUp();
    calls.length = 0;
    await tell(frame(5, 0), frame(6, 1));
    session.stop();
    pass(60_000);
    expect([session.moment?.state.on, calls, wires.length, wires[0].open]).toEqual([2, [], 1, false]);
  });
});

describe("what is done at a live table", () => {
  it("is sent once, and nothing more is on offer until the answer", async () => {
    const { session, wires, tell, sent, sentId, offered, pass } = await setUp();
    session.act(ADD);
    session.act(ADD);
    expect(sent()).toEqual({ type: "act", on: 2, action: ADD });
    expect([wires[0].sent.length, offered(), session.waiting]).toEqual([1, 0, true]);
    pass(40);
    await tell(frame(5, 0), { type: "done", id: sentId(), n: 5 });
    expect([session.waiting, session.latency]).toEqual([false, 40]);
  });

  it("is on offer again when it is refused, with the reason, until something else is said", async () => {
    const { session, tell, sentId, offered, wires } = await setUp();
    session.act(ADD);
    await tell(refused(sentId()));
    expect([session.refusal?.key, offered()]).toEqual(["table.illegal", 1]);
    session.say({ type: "say", text: "oh" });
    expect(session.refusal).toBeNull();
    expect(wires).toHaveLength(1);
  });

  it("is refused only when all before has been shown", async () => {
    const { session, tell, sentId, pass } = await setUp();
    session.act(ADD);
    await tell(frame(5, 0), refused(sentId()));
    expect(session.refusal).toBeNull();
    pass(100);
    expect(session.refusal?.key).toBe("table.illegal");
  });

  it("is asked for over a new line where it was stale and nothing told why", async () => {
    const { session, tell, sentId, wires } = await setUp();
    session.act(ADD);
    await tell(refused(sentId(), "table.stale", { on: 9 }));
    expect(wires.map(({ dialled }) => dialled)).toEqual([
      { seen: null, seat: undefined },
      { seen: 4, seat: 0 },
    ]);
    await tell(frame(5, 0));
    session.catchUp();
    expect(session.moment?.state.on).toBe(3);
  });

  it("needs no new line where what made it stale was told", async () => {
    const { session, tell, sentId, pass, wires } = await setUp();
    session.act(ADD);
    await tell(frame(5, 0), refused(sentId(), "table.stale", { on: 3 }));
    pass(100);
    expect([session.refusal?.key, wires.length]).toEqual(["table.stale", 1]);
  });

  it("can be taken back, once everything has been shown", async () => {
    const { session, tell, pass, sent } = await setUp();
    await tell(frame(5, 0, { undo: true }));
    session.undo();
    expect(sent()).toEqual({});
    pass(100);
    session.undo();
    expect(sent()).toEqual({ type: "undo", on: 3 });
    await tell(frame(6, 0, { back: true, on: 4, patch: { actor: 0, count: 0 }, actions: [ADD] }));
    expect(session.moment).toMatchObject({ scene: { count: 0 }, state: { actions: [ADD] } });
  });

  it("includes words, which are seen at once, whatever is being shown", async () => {
    const { session, tell } = await setUp();
    await tell(
      frame(5, 0),
      { type: "chat", n: 6, seat: 1, text: "theirs" },
      { type: "chat", n: 7, seat: 0, text: "mine" },
    );
    const words = () => session.moment?.state.chat.map(({ text }) => text);
    expect(words()).toEqual(["mine"]);
    expect(session.moment?.state.n).toBe(4);
    session.catchUp();
    expect(words()).toEqual(["mine", "theirs"]);
  });
});

describe("the line of a live table", () => {
  it("is taken up again where it broke", async () => {
    const { session, wires, tell, pass } = await setUp();
    wires[0].breaks();
    expect(session.status).toBe("lost");
    pass(250);
    expect(wires[1].dialled).toEqual({ seen: 4, seat: 0 });
    reached.mockClear();
    wires[1].opens();
    // What could not be loaded meanwhile is tried again.
    expect(reached).toHaveBeenCalledOnce();
    await tell(frame(5, 0));
    session.catchUp();
    expect([session.status, session.moment?.state.on]).toEqual(["open", 3]);
  });

  it("is asked whether it is alive when somebody looks again", async () => {
    const { session, sent } = await setUp();
    session.see(false);
    expect(sent()).toEqual({});
    session.see(true);
    expect(sent()).toEqual({ type: "ping" });
  });

  it("ends for good where there is no such table, which is forgotten", async () => {
    const { session, wires, pass, remembered } = await setUp({ first: null });
    wires[0].breaks(4404);
    pass(60_000);
    expect([session.status, session.closeCode, wires.length, remembered]).toEqual(["gone", 4404, 1, ["not t1"]]);
  });

  it("says that seats have moved to another device, and looks on", async () => {
    const { session, wires, tell, pass } = await setUp();
    wires[0].breaks(MOVED);
    expect(session.moved).toBe(true);
    pass(250);
    expect(wires[1].dialled).toEqual({ seen: null, seat: undefined });
    wires[1].opens();
    await tell(welcome({ seat: null, yours: [], actions: [] }));
    expect(session.moment?.state.seat).toBeNull();
  });

  it("tells of a server that restarts, and of one that cannot save", async () => {
    const { session, wires, tell, pass } = await setUp();
    await tell({ type: "trouble", key: "server.unsaved" }, { type: "closing", reason: "restart" });
    expect([session.trouble, session.restarting]).toEqual([true, true]);
    await tell({ type: "trouble", key: "" });
    expect(session.trouble).toBe(false);
    wires[0].breaks(1012);
    expect(session.restarting).toBe(true);
    pass(250);
    wires[1].opens();
    expect(session.restarting).toBe(false);
  });
});

describe("the next of one's own seats", () => {
  const both = { yours: [0, 1], table: device };

  it("is looked through by itself where all look at one screen, once", async () => {
    const { session, tell, pass, wires, sent } = await setUp({ first: welcome(both) });
    await tell(frame(5, 0, { undo: true }));
    pass(100);
    expect([sent(), session.curtained]).toEqual([{ type: "look", seat: 1 }, null]);
    await tell({ type: "presence", away: [], watching: 1 });
    expect(wires[0].sent).toHaveLength(1);
    await tell(welcome({ ...both, n: 5, on: 3, seat: 1, view: { actor: 1, count: 5 } }));
    expect(session.moment?.state).toMatchObject({ seat: 1, undo: true });
  });

  it("can take back what the one before did", async () => {
    const { session, tell, pass, wires } = await setUp({ first: welcome(both) });
    await tell(frame(5, 0, { undo: true }));
    pass(100);
    await tell(welcome({ ...both, n: 5, on: 3, seat: 1, view: { actor: 1, count: 5 } }));
    session.undo();
    expect(wires[0].sent.slice(1)).toMatchObject([
      { type: "look", seat: 0 },
      { type: "undo", on: 3 },
    ]);
  });

  it("waits behind a curtain elsewhere, and its player has nothing told of the one before", async () => {
    const frames = vi.fn((_: string, seat: number | null) => Promise.resolve([frame(5, 0, { by: seat })]));
    const covered = { ...both, table: { ...device, table_rules: {} } };
    const { session, tell, pass, wires, sent } = await setUp({ first: welcome(covered), world: { frames } });
    await tell(frame(5, 0));
    expect(session.curtained).toBeNull();
    pass(100);
    // All have a moment to see what came of it.
    expect(session.curtained).toBeNull();
    pass(1000);
    expect([session.curtained, wires[0].sent]).toEqual([1, []]);
    session.look(1);
    expect(sent()).toEqual({ type: "look", seat: 1 });
    await tell(welcome({ ...covered, n: 5, on: 3, seat: 1, view: { actor: 1, count: 5 } }));
    expect(session.curtained).toBeNull();
    expect(frames.mock.calls).toEqual([
      ["t1", 0],
      ["t1", 1],
    ]);
    expect(session.moment?.log.map(({ by }) => by)).toEqual([1]);
  });
});

describe("odds", () => {
  it("are fetched while they are wanted, for every position", async () => {
    const odds = vi.fn(() => Promise.resolve({ game: "counting", odds: "even", on: 2 }));
    const { session, tell, settle, pass } = await setUp({ world: { odds } });
    expect(odds).not.toHaveBeenCalled();
    session.preferOdds(true);
    await settle();
    expect(session.moment?.odds).toBe("even");
    odds.mockResolvedValue({ game: "counting", odds: "uneven", on: 3 });
    await tell(frame(5, 0));
    expect([odds.mock.calls.length, session.moment?.odds]).toEqual([2, null]);
    pass(100);
    expect(session.moment?.odds).toBe("uneven");
    session.preferOdds(false);
    expect(session.moment?.odds).toBeNull();
  });

  it("are asked for once with the first welcome, and nowhere that the table does without", async () => {
    const odds = vi.fn(() => Promise.resolve({ game: "counting", odds: "even", on: 2 }));
    const { session, tell } = await setUp({ first: null, world: { odds } });
    session.preferOdds(true);
    await tell(welcome({ table: counting }));
    expect(odds).not.toHaveBeenCalled();
    await tell(welcome());
    expect(odds).toHaveBeenCalledTimes(1);
  });

  it("of another seat are dropped", async () => {
    let answer = (_: Odds): void => undefined;
    const odds = vi.fn(() => new Promise<Odds>((done) => (answer = done)));
    const both = { yours: [0, 1], table: { ...device, table_rules: { odds: true } } };
    const { session, tell, settle } = await setUp({ first: welcome(both), world: { odds } });
    session.preferOdds(true);
    const first = answer;
    session.look(1);
    await tell(welcome({ ...both, seat: 1 }));
    first({ game: "counting", odds: "hers", on: 2 });
    await settle();
    expect(session.moment?.odds).toBeNull();
    answer({ game: "counting", odds: "his", on: 2 });
    await settle();
    expect(session.moment?.odds).toBe("his");
  });
});

describe("what cannot be fetched", () => {
  it("is said of the game's code, which is loaded when somebody asks for it, or after the next welcome", async () => {
    let broken = true;
    const loadGame = () => (broken ? Promise.reject(new Error("away")) : Promise.resolve(staging));
    const { session, tell } = await setUp({ options: { loadGame } });
    expect([session.loadFailures, session.game]).toEqual([1, null]);
    await session.loadGame();
    expect(session.loadFailures).toBe(2);
    await tell(welcome());
    expect(session.loadFailures).toBe(3);
    broken = false;
    await session.loadGame();
    expect([session.game, session.moment?.scene]).toEqual([staging, { count: 0 }]);
  });

  it.each(["story", "odds"] as const)("is said, and tried again: %s", async (what) => {
    let broken = true;
    const from = <Answer>(answer: Answer) => (broken ? Promise.reject(new Error("away")) : Promise.resolve(answer));
    const { session, settle, pass } = await setUp({
      world: {
        ...(what === "story" ? { frames: () => from([frame(4, 1)]) } : {}),
        ...(what === "odds" ? { odds: () => from({ game: "counting", odds: "even", on: 2 }) } : {}),
      },
    });
    session.preferOdds(true);
    await settle();
    expect(session.missing).toEqual([what]);
    pass(10_000);
    await settle();
    expect(session.missing).toEqual([what]);
    broken = false;
    pass(10_000);
    await settle();
    expect(session.missing).toEqual([]);
    const { log, odds } = session.moment!;
    expect({ story: log[0]?.n, odds }[what]).toBe({ story: 4, odds: "even" }[what]);
  });
});

describe("a turn's time", () => {
  it("is shown with all before, and half of it gone shows the rest at once", async () => {
    const { session, tell, pass } = await setUp();
    await tell(frame(5, 1, { events: Array.from({ length: 300 }, () => ({ to: 5 })) }));
    pass(1000);
    await tell({ type: "clock", seat: 0, left: 20, of: 30, running: true });
    expect([session.clockAt, session.moment?.state.clock]).toEqual([0, null]);
    pass(4999);
    expect(session.moment?.resting).toBe(false);
    pass(1);
    expect([session.clockAt, session.moment?.resting, session.moment?.state.clock?.left]).toEqual([1000, true, 20]);
  });

  it("is not waited for while it stands, nor after a new one has begun", async () => {
    const { session, tell, pass } = await setUp();
    await tell(frame(5, 1, { events: Array.from({ length: 300 }, () => ({ to: 5 })) }));
    await tell({ type: "clock", seat: 0, left: 20, of: 30, running: true });
    await tell({ type: "clock", seat: 0, left: 20, of: 30, running: false });
    pass(6000);
    expect(session.moment?.resting).toBe(false);
  });

  it("of the absent runs from when they were said to be", async () => {
    const { session, tell, pass } = await setUp();
    pass(700);
    await tell({ type: "presence", away: [], watching: 2 });
    expect([session.presenceAt, session.moment?.state.watching]).toEqual([700, 2]);
  });
});

describe("one's turn", () => {
  it("is called when it comes, but not after what one did oneself", async () => {
    const { session, tell, pass, calls } = await setUp();
    expect(calls).toEqual(["turn"]);
    await tell(frame(5, 0, { actions: [ADD] }));
    pass(100);
    expect([session.moment?.state.actions.length, calls.length]).toEqual([1, 1]);
    await tell(frame(6, 0));
    pass(100);
    await tell(frame(7, 1));
    expect(calls).toHaveLength(1);
    pass(100);
    expect(calls).toHaveLength(2);
    await tell({ type: "presence", away: [], watching: 1 });
    expect(calls).toHaveLength(2);
  });

  it("is not called as the game begins that one has had begin, unless one looks elsewhere", async () => {
    const first = welcome({ table: lobby, actions: [] });
    const options = { hurried: true };
    for (const visible of [true, false]) {
      const { tell, calls, pass } = await setUp({ first, options, pace: { visible } });
      await tell(frame(5, 1, { by: null, table: playing }));
      pass(100);
      expect([visible, calls]).toEqual([visible, visible ? ["begun"] : ["begun", "turn"]]);
    }
  });

  it("is missed when it comes, or goes on, while nobody looks", async () => {
    const { session } = await setUp();
    expect(session.missedTurn).toBe(false);
    session.see(false);
    expect([session.visible, session.missedTurn]).toEqual([false, true]);
    const waiting = await setUp({ first: welcome({ actions: [] }), pace: { visible: false, scale: 0 } });
    expect(waiting.session.missedTurn).toBe(false);
    await waiting.tell(frame(5, 1));
    expect(waiting.session.missedTurn).toBe(true);
  });
});

describe("what is remembered of a table", () => {
  it("is stored when one sits down there, and not at every state", async () => {
    const { tell, remembered } = await setUp({ first: welcome({ table: lobby, seat: null, yours: [] }) });
    expect(remembered).toEqual(["commit c0ffee"]);
    await tell({ type: "table", n: 5, seat: 0, yours: [0], table: lobby });
    await tell({ type: "presence", away: [], watching: 1 }, { type: "chat", n: 6, seat: 1, text: "hi" });
    expect(remembered).toEqual(["commit c0ffee", "t1"]);
  });
});

describe("a table that is to begin at once", () => {
  const full = welcome({ table: lobby, actions: [] });

  it("does so when its host has come, and shows no lobby", async () => {
    const { session, tell, sent, wires, calls } = await setUp({ first: full, options: { hurried: true } });
    expect([session.beginning, sent(), calls]).toEqual([true, { type: "start" }, ["begun"]]);
    await tell({ type: "presence", away: [], watching: 1 });
    expect(wires[0].sent).toHaveLength(1);
  });

  it("shows its lobby, and goes on doing so, where that is refused", async () => {
    const { session, tell, sentId, wires } = await setUp({ first: full, options: { hurried: true } });
    await tell(refused(sentId(), "table.bots"));
    expect(session.beginning).toBe(false);
    session.say({ type: "say", text: "oh" });
    expect([session.beginning, wires[0].sent.length]).toEqual([false, 2]);
  });

  it("waits where a seat is open, or where nobody is in a hurry", async () => {
    const seats: TableInfo["seats"] = [lobby.seats[0], { kind: "open" }];
    const open = await setUp({ first: welcome({ table: { ...lobby, seats } }), options: { hurried: true } });
    const calm = await setUp({ first: full });
    for (const { session, sent } of [open, calm]) expect([session.beginning, sent()]).toEqual([false, {}]);
  });
});

describe("a page of another build than its server", () => {
  const other = welcome({ build: "new", actions: [] });

  it("is loaded anew at once where nothing is going on", async () => {
    expect((await setUp({ first: other, build: "old" })).reloads()).toBe(1);
  });

  it("waits for one's turn, for what is being shown and for an answer", async () => {
    const { session, tell, pass, sentId, reloads } = await setUp({ first: welcome({ build: "new" }), build: "old" });
    session.act(ADD);
    await tell(frame(5, 0));
    pass(100);
    expect(reloads()).toBe(0);
    await tell({ type: "done", id: sentId(), n: 5 });
    expect(reloads()).toBe(1);
  });

  it("waits for what is half written, until something is done on the page", async () => {
    let writes = true;
    const { session, reloads } = await setUp({ first: other, build: "old", world: { writing: () => writes } });
    session.touch();
    expect(reloads()).toBe(0);
    writes = false;
    session.touch();
    expect(reloads()).toBe(1);
  });

  it("is loaded anew when it is hidden, or when the table is left", async () => {
    const hidden = await setUp({ first: welcome({ build: "new" }), build: "old" });
    hidden.session.see(false);
    const left = await setUp({ first: welcome({ build: "new" }), build: "old", world: { writing: () => true } });
    expect(left.reloads()).toBe(0);
    left.session.stop();
    expect([hidden.reloads(), left.reloads()]).toEqual([1, 1]);
  });
});
