import { describe, expect, it } from "vitest";
import { MomentQueue } from "../src/table/queue";
import { handClock } from "./handClock";

function queueOf(moving = true) {
  const hand = handClock();
  const shown: string[] = [];
  const queue = new MomentQueue<string>((scene) => shown.push(scene), hand.clock, () => moving);
  return { hand, shown, queue };
}

describe("the queue of moments", () => {
  it("shows the first at once and each for its time", () => {
    const { hand, shown, queue } = queueOf();
    queue.add([
      { scene: "a", ms: 100 },
      { scene: "b", ms: 50 },
      { scene: "c", ms: 0 },
    ]);
    expect(shown).toEqual(["a"]);
    hand.pass(99);
    expect(shown).toEqual(["a"]);
    hand.pass(1);
    expect(shown).toEqual(["a", "b"]);
    hand.pass(50);
    expect(shown).toEqual(["a", "b", "c"]);
    expect(queue.busy).toBe(false);
  });

  it("plays what comes later after what is playing", () => {
    const { hand, shown, queue } = queueOf();
    queue.add([{ scene: "a", ms: 100 }]);
    queue.add([{ scene: "b", ms: 100 }]);
    expect(queue.last).toBe("b");
    expect(shown).toEqual(["a"]);
    hand.pass(100);
    expect(shown).toEqual(["a", "b"]);
  });

  it("can be hurried to the last moment, and nothing comes after", () => {
    const { hand, shown, queue } = queueOf();
    queue.add([
      { scene: "a", ms: 100 },
      { scene: "b", ms: 100 },
      { scene: "c", ms: 0 },
    ]);
    queue.skip();
    expect(shown).toEqual(["a", "c"]);
    hand.pass(1000);
    expect(shown).toEqual(["a", "c"]);
    queue.add([{ scene: "d", ms: 10 }]);
    expect(shown).toEqual(["a", "c", "d"]);
  });

  it("does what each moment asks for, in order, also when it is passed over", () => {
    const { hand, queue } = queueOf();
    const done: string[] = [];
    const moment = (scene: string, ms: number) => ({ scene, ms, then: () => void done.push(scene) });
    queue.add([moment("a", 100), moment("b", 100), moment("c", 0)]);
    expect(done).toEqual(["a"]);
    hand.pass(100);
    expect(done).toEqual(["a", "b"]);
    queue.skip();
    expect(done).toEqual(["a", "b", "c"]);
  });

  it("takes no time where nothing shall move", () => {
    const { shown, queue } = queueOf(false);
    queue.add([
      { scene: "a", ms: 100 },
      { scene: "b", ms: 100 },
    ]);
    expect(shown).toEqual(["b"]);
    expect(queue.busy).toBe(false);
  });
});
