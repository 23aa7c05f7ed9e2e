import { describe, expect, it } from "vitest";
import { Connection, MOVED, type Asked, type Status } from "../../src/net/connection";
import type { Reply } from "../../src/net/messages";
import { handClock } from "./handClock";
import { HandWire } from "./handWire";

/** Longer than any pause before coming back, and shorter than anybody's patience. */
const PAUSE = 4000;
const PATIENCE = 6000;
const DIALLING = 10_000;
const SILENCE = 20_000;

function setUp(random = () => 0.999) {
  const wires: HandWire[] = [];
  const heard: Reply[] = [];
  const statuses: Status[] = [];
  const hand = handClock();
  const connection = new Connection(
    (seen, seat) => {
      const wire = new HandWire({ seen, seat });
      wires.push(wire);
      return wire;
    },
    (reply) => heard.push(reply),
    (status) => statuses.push(status),
    hand.clock,
    random,
  );
  connection.start();
  return { connection, wires, heard, statuses, pass: hand.pass, wait: () => hand.pass(PAUSE) };
}

const roll: Asked = { type: "act", id: "a1", on: 3, action: { type: "roll" } };
const frame = (n: number) => ({ type: "frame", n, on: n });
const welcome = { type: "welcome", n: 5, on: 3, seat: 0, yours: [0], table: {} };

describe("a connection", () => {
  it("comes back by itself and goes on from the last number", () => {
    const { wires, heard, statuses, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    wires[0].tells(frame(6));
    wires[0].breaks();
    expect(statuses.at(-1)).toBe("lost");
    wait();
    expect(wires[1].dialled).toEqual({ seen: 6, seat: 0 });
    wires[1].opens();
    wires[1].tells(frame(6));
    wires[1].tells(frame(7));
    expect(heard.map((reply) => ("n" in reply ? reply.n : 0))).toEqual([5, 6, 7]);
    expect(statuses.at(-1)).toBe("open");
  });

  it("says again what was never answered, with the same id", () => {
    const { connection, wires, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    connection.say(roll);
    wires[0].breaks();
    wait();
    wires[1].opens();
    expect(wires[1].sent).toEqual([roll]);
    wires[1].tells({ type: "done", id: "a1", n: 6 });
    expect(connection.waiting).toBe(0);
    wires[1].breaks();
    wait();
    wires[2].opens();
    expect(wires[2].sent).toEqual([]);
  });

  it("keeps what is said while there is no line", () => {
    const { connection, wires } = setUp();
    connection.say(roll);
    wires[0].opens();
    expect(wires[0].sent).toEqual([roll]);
  });

  it("begins anew, as whoever it is then, once its seats are at another device", () => {
    const { connection, wires, heard, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    connection.say(roll);
    wires[0].breaks(MOVED);
    wait();
    expect(wires[1].dialled).toEqual({ seen: null, seat: undefined });
    wires[1].opens();
    expect(wires[1].sent).toEqual([]);
    wires[1].tells({ ...welcome, seat: null, yours: [] });
    expect(heard).toHaveLength(2);
  });

  it("takes a message without an answer for a dead line", () => {
    const { connection, wires, statuses, pass, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    connection.say(roll);
    pass(PATIENCE - 1);
    expect(statuses.at(-1)).toBe("open");
    pass(1);
    expect(statuses.at(-1)).toBe("lost");
    wait();
    wires[1].opens();
    expect(wires[1].sent).toEqual([roll]);
  });

  it("hears nothing through the old seat after looking through another", () => {
    const { connection, wires, heard, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    connection.look(1);
    wires[0].tells(frame(6));
    wires[0].tells({ ...welcome, seat: 1, n: 6 });
    wires[0].tells(frame(7));
    expect(heard.length).toBe(3);
    wires[0].breaks();
    wait();
    expect(wires[1].dialled).toEqual({ seen: 7, seat: 1 });
  });

  it("asks for nothing after a refusal", () => {
    const { connection, wires, heard } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    connection.say(roll);
    wires[0].tells({ type: "refused", id: "a1", key: "counting.leg.gone", values: {}, text: "" });
    expect(connection.waiting).toBe(0);
    expect(wires[0].sent).toEqual([roll]);
    expect(wires.length).toBe(1);
    wires[0].tells(frame(6));
    expect(heard.length).toBe(3);
  });

  it("catches up from the last number over a new line", () => {
    const { connection, wires, heard, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    wires[0].tells(frame(6));
    connection.start();
    wires[0].breaks();
    expect(wires[1].dialled).toEqual({ seen: 6, seat: 0 });
    wires[1].opens();
    wires[1].tells(frame(7));
    expect(heard.map((reply) => ("n" in reply ? reply.n : 0))).toEqual([5, 6, 7]);
    wait();
    expect(wires.length).toBe(2);
  });

  it.each([4404, 4410])("gives up only when the server says so for good (%i)", (code) => {
    const { wires, statuses, wait } = setUp();
    wires[0].breaks(1012);
    wait();
    wires[1].breaks(code);
    wait();
    expect(statuses.at(-1)).toBe("gone");
    expect(wires.length).toBe(2);
  });

  it("asks a silent line whether it is alive, and leaves it when there is no answer", () => {
    const { wires, heard, statuses, pass, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    pass(SILENCE - 1);
    wires[0].tells(frame(6));
    pass(SILENCE - 1);
    expect(wires[0].sent).toEqual([]);
    pass(1);
    expect(wires[0].sent).toEqual([{ type: "ping", id: "ping" }]);
    wires[0].tells({ type: "done", id: "ping", n: 6 });
    expect(heard.map(({ type }) => type)).toEqual(["welcome", "frame"]);
    pass(SILENCE);
    expect(wires[0].sent).toHaveLength(2);
    pass(PATIENCE);
    expect(statuses.at(-1)).toBe("lost");
    wait();
    expect(wires[1].dialled).toEqual({ seen: 6, seat: 0 });
    wires[1].opens();
    expect(wires[1].sent).toEqual([]);
    expect(statuses.at(-1)).toBe("open");
    pass(SILENCE);
    expect(wires[1].sent).toEqual([{ type: "ping", id: "ping" }]);
  });

  it("finds out at once whether a line is alive when the network is back", () => {
    const { connection, wires, statuses, pass } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    connection.hurry();
    connection.hurry();
    expect(wires[0].sent).toEqual([{ type: "ping", id: "ping" }]);
    pass(PATIENCE);
    expect(statuses.at(-1)).toBe("lost");
    connection.hurry();
    expect(wires).toHaveLength(2);
    // A line that is being dialled may have been begun while there was no network.
    connection.hurry();
    expect(wires).toHaveLength(3);
    wires[2].opens();
    wires[1].opens();
    expect(wires[1].sent).toEqual([]);
    expect(statuses.at(-1)).toBe("open");
  });

  it("does not dial for ever", () => {
    const { wires, statuses, pass, wait } = setUp();
    pass(DIALLING - 1);
    expect(statuses).toEqual(["connecting"]);
    pass(1);
    expect(statuses.at(-1)).toBe("lost");
    wait();
    expect(wires).toHaveLength(2);
    wires[1].opens();
    pass(DIALLING);
    expect(statuses.at(-1)).toBe("open");
  });

  it.each([
    [0, [125, 250, 500, 1000, 2000, 2000]],
    [0.5, [187.5, 375, 750, 1500, 3000, 3000]],
  ])("waits longer each time before it comes back, by chance %d", (drawn, pauses) => {
    const { wires, pass } = setUp(() => drawn);
    for (const pause of pauses) {
      const before = wires.length;
      // A server that takes the line and leaves it at once has not been reached.
      wires[before - 1].opens();
      wires[before - 1].breaks(1013);
      pass(pause - 0.5);
      expect(wires).toHaveLength(before);
      pass(0.5);
      expect(wires).toHaveLength(before + 1);
    }
    wires.at(-1)?.opens();
    wires.at(-1)?.tells(welcome);
    wires.at(-1)?.breaks();
    pass(pauses[0]);
    expect(wires).toHaveLength(pauses.length + 2);
  });

  it("leaves nothing behind when it stops", () => {
    const { connection, wires, statuses, pass } = setUp();
    wires[0].opens();
    connection.stop();
    connection.hurry();
    pass(SILENCE + PATIENCE + PAUSE);
    expect(wires).toHaveLength(1);
    expect(wires[0].sent).toEqual([]);
    expect(statuses.at(-1)).toBe("open");
  });
});
