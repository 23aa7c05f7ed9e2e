import { describe, expect, it } from "vitest";
import { Guide, type LessonStage } from "../../src/session/guide";
import type { Frame, Reply } from "../../src/net/messages";
import { stillsOf, turnOf } from "../../src/session/stills";
import { Stepper } from "../../src/session/stepper";
import type { Staging } from "../../src/session/queue";
import { table } from "./counting";
import { handClock } from "./handClock";

interface View {
  count: number;
}

/** A game in which everybody counts; a scene shows the count, and every number on the way for a tenth of a second. */
const game: Staging = {
  sceneOf: (view) => ({ shown: (view as View).count }),
  steps: (_before, event) => [{ scene: { shown: (event as { to: number }).to }, ms: 100 }],
};
const calm = { moving: true, scale: 1, between: 0, visible: true };

const OFFERED = [
  { type: "add", by: 1 },
  { type: "add", by: 2 },
];

function counted(n: number, by: number | null, count: number, more: Partial<Frame> = {}): Reply {
  const action = by === null ? undefined : { type: "add", by: 1 };
  return { type: "frame", n, on: n, by, action, events: [{ to: count - 0.5 }], patch: { count }, ...more };
}

const FRAMES: Reply[] = [
  { type: "table", n: 0, seat: 0, yours: [0], table },
  counted(1, null, 0, { actions: OFFERED }),
  counted(2, 0, 1),
  { type: "chat", n: 3, seat: 1, text: "well" },
  counted(4, 1, 2, { actions: [OFFERED[0]] }),
  counted(5, 0, 3, { actions: OFFERED }),
  counted(6, 0, 4),
  counted(7, 1, 5),
];

function stepperOf(moving = true, frames = FRAMES) {
  const hand = handClock();
  const stills = stillsOf(table, 0, frames);
  const seen: number[] = [];
  const shown = () => (stepper.moment.scene as { shown: number }).shown;
  const stepper = new Stepper(
    stills,
    game,
    ({ moment }) => seen.push((moment.scene as { shown: number }).shown),
    () => ({ ...calm, moving }),
    hand.clock,
  );
  return { hand, stills, stepper, seen, shown };
}

describe("the stills of a game", () => {
  it("are the stills after each frame, with what was said on them", () => {
    const { stills } = stepperOf();
    expect(stills.map(({ state }) => (state.view as View).count)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(stills.map(({ state }) => state.chat.length)).toEqual([0, 1, 1, 1, 1, 1]);
    expect(stills.every(({ state }) => state.yours.length === 0)).toBe(true);
  });
});

describe("the turns of a still", () => {
  it("are what players did, less what they took back", () => {
    const stills = stillsOf(table, 0, [
      ...FRAMES,
      counted(8, 1, 4, { back: true }),
      counted(9, 1, 6),
      counted(10, null, 6),
    ]);
    expect(stills.map((_, at) => turnOf(stills, at))).toEqual([0, 1, 2, 3, 4, 5, 4, 5, 5]);
  });
});

describe("stepping", () => {
  it("forwards plays what happened, backwards and far away jumps", () => {
    const { hand, stepper, seen, shown } = stepperOf();
    stepper.forward();
    expect([stepper.at, shown()]).toEqual([0, 0.5]);
    hand.pass(100);
    expect([stepper.at, shown()]).toEqual([1, 1]);
    seen.length = 0;
    stepper.jump(4);
    stepper.jump(3);
    expect([stepper.at, new Set(seen)]).toEqual([3, new Set([4, 3])]);
  });

  it("comes to the same screen on every way", () => {
    const { hand, stepper, shown } = stepperOf();
    for (let n = 0; n < 5; n++) stepper.forward();
    hand.pass(1000);
    const straight = shown();
    for (let n = 0; n < 9; n++) stepper.jump(stepper.at - 1);
    expect([stepper.at, shown()]).toEqual([0, 0]);
    for (let n = 0; n < 9; n++) stepper.forward();
    expect([stepper.at, shown()]).toEqual([5, straight]);
    stepper.jump(99);
    expect(shown()).toBe(straight);
  });

  it("before the last step was shown begins the next from its end", () => {
    const { hand, stepper, seen } = stepperOf();
    stepper.forward();
    stepper.forward();
    hand.pass(1000);
    expect(seen.filter((one, at) => one !== seen[at - 1])).toEqual([0, 0.5, 1, 1.5, 2]);
  });

  it("shows an action that was taken back without playing it", () => {
    const hand = handClock();
    const undone = [...FRAMES, counted(8, 1, 4, { back: true })];
    const seen: number[] = [];
    const see = ({ moment }: Stepper) => seen.push((moment.scene as { shown: number }).shown);
    const stepper = new Stepper(stillsOf(table, 0, undone), game, see, () => calm, hand.clock);
    seen.length = 0;
    stepper.jump(5);
    stepper.forward();
    expect(new Set(seen)).toEqual(new Set([5, 4]));
  });
});

describe("playing by itself", () => {
  it("goes to the end and stops there", () => {
    const { hand, stepper } = stepperOf();
    stepper.play();
    expect(stepper.running).toBe(true);
    hand.pass(60_000);
    expect([stepper.at, stepper.running]).toEqual([5, false]);
    stepper.play();
    expect([stepper.at, stepper.running]).toEqual([0, true]);
  });

  it("takes half the time at double speed, and less time where nothing moves", () => {
    const needed = (speed: number, moving: boolean): number => {
      const { hand, stepper } = stepperOf(moving);
      stepper.speed = speed;
      stepper.play();
      let ms = 0;
      for (; stepper.running; ms += 10) hand.pass(10);
      return ms;
    };
    expect(needed(2, true)).toBeCloseTo(needed(1, true) / 2, -2);
    expect(needed(1, false)).toBeLessThan(needed(1, true));
  });

  it("stops when asked to, and goes on from wherever it was put", () => {
    const { hand, stepper } = stepperOf();
    stepper.play();
    stepper.pause();
    hand.pass(60_000);
    expect(stepper.at).toBe(1);
    stepper.play();
    stepper.jump(3);
    hand.pass(60_000);
    expect(stepper.at).toBe(5);
  });

  it("catches up with what is playing, and goes on from there", () => {
    const { hand, stepper, shown } = stepperOf();
    stepper.play();
    stepper.catchUp();
    expect(shown()).toBe(1);
    hand.pass(810);
    expect(stepper.at).toBe(2);
  });
});

describe("a guided game", () => {
  function guided(frames = FRAMES) {
    const { hand, stills, stepper, shown } = stepperOf(true, frames);
    const stages: LessonStage[] = [];
    const guide: Guide = new Guide(stills, 0, stepper, () => stages.push(guide.stage), hand.clock);
    return { hand, stepper, shown, guide, stages };
  }

  it("waits for the taught action, explains what came of it, and plays the others by itself", () => {
    const { hand, stepper, guide, stages } = guided();
    expect([guide.stage, guide.steps]).toEqual(["intro", 2]);
    guide.goOn();
    hand.pass(60_000);
    expect([guide.stage, guide.step, stepper.at]).toEqual(["do", 1, 0]);
    guide.act({ type: "add", by: 1 });
    hand.pass(60_000);
    expect([guide.stage, stepper.at]).toEqual(["done", 1]);
    guide.goOn();
    hand.pass(60_000);
    // The bot's action and the learner's forced one were played; now there is a choice again.
    expect([guide.stage, guide.step, stepper.at]).toEqual(["do", 2, 3]);
    guide.act(guide.taught ?? {});
    hand.pass(60_000);
    guide.goOn();
    hand.pass(60_000);
    expect([guide.stage, stepper.at]).toEqual(["end", 5]);
    expect(new Set(stages)).toEqual(new Set(["do", "playing", "done", "end"]));
  });

  it("goes straight on where the next thing to do is the learner's", () => {
    const begun = FRAMES.slice(0, 2);
    const twice = [...begun, counted(2, 0, 1, { actions: OFFERED }), counted(3, 0, 2), counted(4, 1, 3)];
    const { hand, guide, stages } = guided(twice);
    guide.goOn();
    guide.act({ type: "add", by: 1 });
    expect([guide.stage, guide.step]).toEqual(["playing", 1]);
    hand.pass(60_000);
    // What came of the first step is told together with the second, and no longer afterwards.
    expect([guide.stage, guide.step, guide.past]).toEqual(["do", 2, 1]);
    guide.act({ type: "add", by: 1 });
    hand.pass(60_000);
    guide.goOn();
    expect([guide.past, stages]).toEqual([0, ["do", "playing", "do", "playing", "done", "playing"]]);
  });

  it("lets nothing else through and loses nothing by it", () => {
    const { hand, stepper, guide } = guided();
    guide.act({ type: "add", by: 1 });
    expect(stepper.at).toBe(0);
    guide.goOn();
    guide.act({ type: "add", by: 2 });
    guide.act({ type: "add", by: 2 });
    hand.pass(60_000);
    expect([guide.stage, guide.step, guide.strayed, stepper.at]).toEqual(["do", 1, 2, 0]);
    guide.act({ type: "add", by: 1 });
    hand.pass(60_000);
    guide.goOn();
    hand.pass(60_000);
    expect([guide.step, guide.strayed]).toEqual([2, 0]);
  });

  it("can be begun again from anywhere", () => {
    const { hand, stepper, guide } = guided();
    guide.goOn();
    guide.act({ type: "add", by: 1 });
    hand.pass(60_000);
    guide.goOn();
    guide.again();
    hand.pass(60_000);
    expect([guide.stage, guide.step, stepper.at]).toEqual(["intro", 0, 0]);
  });
});
