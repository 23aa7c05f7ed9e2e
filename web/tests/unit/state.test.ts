import { describe, expect, it } from "vitest";
import type { Frame, Refused, Reply } from "../../src/net/messages";
import { entryOf, joined, logOf } from "../../src/session/log";
import { behind, heard, isHost, sent, welcomed, yourTurn, type Known } from "../../src/session/state";
import { table } from "./counting";

function state(): Known {
  return welcomed(null, {
    type: "welcome",
    n: 4,
    on: 2,
    seat: 0,
    yours: [0],
    table,
    view: { points: [3, 3], turn: 0, actor: 0 },
    actions: [{ type: "roll" }],
    scores: [3, 3],
  });
}

const frame: Frame = {
  type: "frame",
  n: 5,
  on: 3,
  by: 0,
  events: [{ type: "x" }],
  patch: { points: [4, 3], actor: 1 },
  scores: [4, 3],
};

describe("what is known of a table", () => {
  it("takes the fields of a patch and the actions on offer", () => {
    expect(yourTurn(state())).toBe(true);
    const told = heard(state(), frame);
    expect(told.view).toEqual({ points: [4, 3], turn: 0, actor: 1 });
    expect(told).toMatchObject({ n: 5, on: 3, actions: [], scores: [4, 3], undo: false });
    expect(yourTurn(told)).toBe(false);
  });

  it("keeps the game while only the table changes", () => {
    const paused = heard(state(), {
      type: "table",
      n: 6,
      seat: 0,
      yours: [0],
      table: { ...table, paused: true },
      actions: [],
    });
    expect(paused.view).toEqual(state().view);
    expect(paused.actions).toEqual([]);
    expect(paused.scores).toEqual([3, 3]);
    const named = heard(state(), { type: "table", n: 6, seat: 0, yours: [0], table });
    expect(named.actions).toEqual([{ type: "roll" }]);
  });

  it("knows the host", () => {
    expect(isHost(state())).toBe(true);
    expect(isHost({ ...state(), yours: [] })).toBe(false);
  });
});

describe("an action on its way", () => {
  const refused = (id: string, key = "counting.desert.adjacent", values = {}): Refused => ({
    type: "refused",
    id,
    key,
    values,
    text: "",
  });
  const after = (known: Known, reply: Reply) => heard(known, reply);

  it("leaves nothing more to do until it is answered", () => {
    expect(sent(state(), "a1")).toMatchObject({ actions: [], undo: false });
  });

  it("costs nothing if it is refused: what was on offer still is", () => {
    const before = { ...state(), undo: true };
    expect(after(sent(before, "a1"), refused("a1"))).toEqual(before);
  });

  it("is not touched by the refusal of something else", () => {
    const known = sent(state(), "a1");
    expect(after(known, refused("c1", "table.talk"))).toBe(known);
    expect(after(state(), refused("c1", "table.talk")).actions).toEqual([{ type: "roll" }]);
  });

  it("brings back nothing that a frame has changed meanwhile", () => {
    const moved = after(sent(state(), "a1"), frame);
    expect(moved && after(moved, refused("a1", "table.stale", { on: 3 })).actions).toEqual([]);
    const paused = after(sent(state(), "a1"), { type: "table", n: 5, seat: 0, yours: [0], table, actions: [] });
    expect(paused && after(paused, refused("a1", "table.paused")).actions).toEqual([]);
  });

  it("waits on while others only talk", () => {
    const talked = after(sent(state(), "a1"), { type: "chat", n: 5, seat: 1, text: "hm" });
    expect(talked && after(talked, refused("a1")).actions).toEqual([{ type: "roll" }]);
  });

  it("tells that the page is behind only when the server knows a newer position", () => {
    expect(behind(state(), refused("a1", "table.stale", { on: 3 }))).toBe(true);
    expect(behind(state(), refused("a1", "table.stale", { on: 2 }))).toBe(false);
    expect(behind(state(), refused("a1", "table.talk", { on: 3 }))).toBe(false);
  });
});

describe("the story", () => {
  const replies: Reply[] = [
    { type: "frame", n: 1, on: 0, patch: { points: [3, 3] }, scores: [3, 3], table },
    { type: "chat", n: 2, seat: 0, text: "hi" },
    frame,
    { type: "frame", n: 6, on: 4, by: 0, back: true, patch: { points: [3, 3] }, scores: [3, 3] },
  ];

  it("has an entry for each frame, with the scores after it", () => {
    const story = logOf(replies);
    expect(story.map((entry) => entry.scores)).toEqual([
      [3, 3],
      [4, 3],
      [3, 3],
    ]);
    expect(story.map((entry) => entry.note)).toEqual(["started", null, null]);
    expect(story[2].back).toBe(true);
  });

  it("goes on with what came while it was fetched, nothing twice", () => {
    const story = logOf(replies);
    const live = [entryOf(frame, table), entryOf({ ...frame, n: 7 }, table)];
    expect(joined(story, live).map((entry) => entry.n)).toEqual([1, 5, 6, 7]);
  });
});
