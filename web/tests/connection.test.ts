import { describe, expect, it } from "vitest";
import { Connection, MOVED, type Asked, type Status, type Wire } from "../src/net/connection";
import type { Reply } from "../src/net/messages";

class FakeWire implements Wire {
  sent: unknown[] = [];
  open = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly dialled: { seen: number | null; seat: number | null | undefined }) {}

  send(text: string) {
    if (!this.open) throw new Error("not open");
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.open = false;
  }

  opens() {
    this.open = true;
    this.onopen?.();
  }

  tells(reply: object) {
    this.onmessage?.({ data: JSON.stringify(reply) });
  }

  breaks(code = 1006) {
    this.open = false;
    this.onclose?.({ code });
  }
}

function setUp() {
  const wires: FakeWire[] = [];
  const heard: Reply[] = [];
  const statuses: Status[] = [];
  let timers: (() => void)[] = [];
  const connection = new Connection(
    (seen, seat) => {
      const wire = new FakeWire({ seen, seat });
      wires.push(wire);
      return wire;
    },
    (reply) => heard.push(reply),
    (status) => statuses.push(status),
    {
      after(_ms, then) {
        timers.push(then);
        return () => (timers = timers.filter((other) => other !== then));
      },
    },
  );
  connection.start();
  return {
    connection,
    wires,
    heard,
    statuses,
    /** Lets the timers that are running come to their end. */
    wait() {
      const due = timers;
      timers = [];
      for (const then of due) then();
    },
  };
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

  it("takes a long silence for a dead line", () => {
    const { connection, wires, statuses, wait } = setUp();
    wires[0].opens();
    wires[0].tells(welcome);
    connection.say(roll);
    wait();
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
    connection.catchUp();
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
});
