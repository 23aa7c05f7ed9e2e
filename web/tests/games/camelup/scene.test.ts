import { describe, expect, it } from "vitest";
import type { CamelUpState, Event } from "../../../src/games/camelup/messages";
import { places, runningOrder, sceneOf, steps, type Scene } from "../../../src/games/camelup/scene";
import type { SoundName } from "../../../src/games/camelup/sounds";
import { stepsThrough, type SceneStep } from "../../../src/session/queue";

/** What is shown of events, and of the view that they lead to. */
function shownOf(before: Scene, events: Event[], after: CamelUpState): SceneStep<Scene>[] {
  return [...stepsThrough(steps, before, events), { scene: sceneOf(after), ms: 0 }];
}

/** What is heard while these steps are shown. */
function heard(shown: SceneStep<Scene>[]): SoundName[] {
  return shown.flatMap(({ scene, ms }) => (ms > 0 && scene.sound !== null ? [scene.sound] : []));
}

/** How long all of them last. */
function lasting(shown: SceneStep<Scene>[]): number {
  return shown.reduce((sum, { ms, linger = 0 }) => sum + ms + linger, 0);
}

function view(stacks: Record<number, number[]>, more: Partial<CamelUpState> = {}): CamelUpState {
  return {
    actor: 0,
    options: {},
    leg: 1,
    turn: 0,
    marker: 0,
    track: Array.from({ length: 20 }, (_, space) => stacks[space] ?? []),
    tents: [0, 0, 0, 0, 0],
    pyramid_tiles: [0, 0],
    leg_bets: [[], [], [], [], []],
    deserts: [0, 0],
    money: [3, 3],
    hands: [
      [0, 1, 2, 3, 4],
      [null, null, null, null, null],
    ],
    winner_deck: [],
    loser_deck: [],
    ...more,
  };
}

describe("the steps of a roll", () => {
  const before = sceneOf(view({ 5: [1, 3, 2, 0], 8: [4] }));
  const after = view({ 5: [2, 0, 1, 3], 8: [4] }, { money: [3, 4], deserts: [0, -6] });
  const events: Event[] = [
    { type: "pyramid_tile_taken", seat: 0 },
    { type: "die_drawn", seat: 0, camel: 2, pips: 1 },
    { type: "unit_lifted", space: 5, unit: [2, 0], left: [1, 3] },
    { type: "unit_hopped", unit: [2, 0], spaces: [6] },
    { type: "desert_met", space: 6, side: -1, owner: 1 },
    { type: "pound_paid", seat: 1, amount: 1, money: 4 },
    { type: "unit_slid_under", unit: [2, 0], space: 5, stack: [1, 3] },
  ];
  const shown = shownOf(before, events, after);

  it("come in the order in which things happened", () => {
    const told = shown.map(({ scene }) =>
      scene.shaking
        ? "shake"
        : scene.die
          ? "die"
          : scene.flight
            ? (scene.flight.event as Event).type
            : (scene.camels[2]?.by ?? "?"),
    );
    expect(told.filter((what, at) => what !== told[at - 1])).toEqual([
      "shake",
      "die",
      "die_drawn",
      "stand",
      "lift",
      "hop",
      "pound_paid",
      "hop",
      "slide",
      "stand",
    ]);
  });

  it("carry the riders and leave the others", () => {
    const lifted = shown.find(({ scene }) => scene.camels[2]?.by === "lift")?.scene;
    expect(lifted?.camels[0]).toMatchObject({ space: 5, level: 3, by: "lift" });
    expect(lifted?.camels[1]).toMatchObject({ space: 5, level: 0, by: "stand" });
    const hopped = shown.find(({ scene }) => scene.camels[2]?.by === "hop")?.scene;
    expect(hopped?.camels[0]).toMatchObject({ space: 6, level: 1 });
  });

  it("pay the owner only when the coin has arrived", () => {
    const flying = shown.findIndex(({ scene }) => (scene.flight?.event as Event | undefined)?.type === "pound_paid");
    expect(shown[flying].scene.view.money).toEqual([3, 3]);
    expect(shown[flying].scene.flight).toMatchObject({ from: 'li[data-space="6"]', to: '[data-purse="1"]' });
    expect(shown[flying + 1].scene.view.money).toEqual([3, 4]);
  });

  it("are heard: the dice, the die that falls, the feet, the coin", () => {
    expect(heard(shown)).toEqual(["rattle", "die", "rest", "knock", "mirage", "coin", "slide"]);
  });

  it("put the die on its tent, and the pyramid tile before its owner, only when they have arrived", () => {
    const flying = shown.findIndex(({ scene }) => (scene.flight?.event as Event | undefined)?.type === "die_drawn");
    expect(shown[flying].scene.view.tents[2]).toBe(0);
    expect(shown[flying + 1].scene.view.tents[2]).toBe(1);
    expect(shown[0].scene.view.pyramid_tiles[0]).toBe(0);
    expect(shown[1].scene.view.pyramid_tiles[0]).toBe(1);
  });

  it("show who leads at every moment, in the air as well", () => {
    expect(runningOrder(before.camels)).toEqual([4, 0, 2, 3, 1]);
    const slid = shown
      .filter(({ scene }) => scene.camels[2]?.by === "slide")
      .map(({ scene }) => runningOrder(scene.camels));
    expect(slid[0]).toEqual([4, 3, 1, 0, 2]);
    expect(runningOrder(places([[], [0, 1, 2, 3]]))).toEqual([]);
  });

  it("do not tell what the die shows before it lies still", () => {
    const shown = stepsThrough(steps, before, events).filter(({ scene }) => scene.die !== null);
    expect(shown.map(({ scene, events }) => [scene.die?.pips, events])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it("tell where the camels come only when they are there", () => {
    const shown = stepsThrough(steps, before, events).slice(-2);
    expect(shown.map(({ scene, events: told }) => [scene.camels[2]?.by, scene.dust, told])).toEqual([
      ["slide", 5, events.length - 1],
      ["slide", null, events.length],
    ]);
  });

  it("throw up sand where the camels leave and where they come down", () => {
    const sand = shown.flatMap(({ scene }) => scene.dust ?? []);
    expect(sand).toEqual([5, 5]);
  });

  it("take longer for the last die of a leg", () => {
    const roll = (tents: number[]) => stepsThrough(steps, sceneOf(view({ 5: [2] }, { tents })), events.slice(0, 4));
    expect(lasting(roll([1, 1, 0, 1, 1]))).toBeGreaterThan(1.4 * lasting(roll([1, 0, 0, 1, 1])));
    expect(heard(roll([1, 1, 0, 1, 1]))[0]).toBe("roll");
  });

  it("take no more than 1.2 seconds at a brisk pace, whatever is met on the way and even across the finish", () => {
    const brisk = (found: Event[], from: Scene) =>
      stepsThrough(steps, from, found).reduce((sum, { ms }) => sum + ms, 0) / 2;
    const unit = [2, 0];
    const rolled = events.slice(0, 3);
    const hops = (spaces: number[]): Event => ({ type: "unit_hopped", unit, spaces });
    const landed = (space: number): Event => ({ type: "unit_landed", unit, space, stack: [] });
    for (const way of [
      [...rolled, hops([6, 7, 8]), landed(8)],
      [...rolled, hops([6, 7, 8]), ...events.slice(4, 6), hops([9]), landed(9)],
      [...rolled, hops([6, 7, 8]), ...events.slice(4)],
      [...rolled, hops([16, 17, 18]), landed(18), { type: "finish_crossed", unit, space: 18 } as Event],
    ])
      for (const tents of [
        [0, 0, 0, 0, 0],
        [1, 1, 0, 1, 1],
      ])
        expect(brisk(way, sceneOf(view({ 5: [1, 3, 2, 0] }, { tents })))).toBeLessThanOrEqual(1200);
  });

  it("draw the eye to a big stack that moves, until it has landed, and to no small one", () => {
    const near = (unit: number[]) =>
      stepsThrough(steps, sceneOf(view({ 5: unit })), [
        { type: "unit_lifted", space: 5, unit, left: [] },
        { type: "unit_hopped", unit, spaces: [6, 7] },
        { type: "unit_landed", unit, space: 7, stack: [] },
      ]).map(({ scene }) => scene.near);
    expect(near([1, 3, 2])).toEqual([5, 6, 7, null, null]);
    expect(near([1, 3])).toEqual([null, null, null, null, null]);
  });

  it("begin with a hush before the last die of a leg, for those who watch calmly", () => {
    const [first] = stepsThrough(steps, sceneOf(view({ 5: [2] }, { tents: [1, 1, 0, 1, 1] })), events.slice(0, 2));
    expect([first.scene.hush, first.scene.shaking, first.ms]).toEqual([true, false, 0]);
    expect(first.linger).toBeGreaterThan(0);
  });

  it("end with the view as it is", () => {
    expect(shown.at(-1)).toEqual({ scene: sceneOf(after), ms: 0 });
  });

  it("hop space by space", () => {
    const far = shownOf(before, [{ type: "unit_hopped", unit: [4], spaces: [9, 10, 11] }], after);
    expect(far.slice(0, 3).map(({ scene }) => scene.camels[4]?.space)).toEqual([9, 10, 11]);
  });
});

describe("the finish", () => {
  const far: Event[] = [
    { type: "unit_lifted", space: 15, unit: [2], left: [] },
    { type: "unit_hopped", unit: [2], spaces: [16, 17] },
    { type: "unit_landed", unit: [2], space: 17, stack: [] },
    { type: "finish_crossed", unit: [2], space: 17 },
  ];
  const shown = stepsThrough(steps, sceneOf(view({ 15: [2] })), far);

  it("is marked while a camel runs towards it, and crossed only when it has landed beyond", () => {
    expect(shown.map(({ scene }) => scene.finish)).toEqual([null, "near", "near", "near", "near", "crossed"]);
  });

  it("takes its time, is heard, and is told where nothing moves", () => {
    const near = stepsThrough(steps, sceneOf(view({ 13: [2] })), [
      { type: "unit_hopped", unit: [2], spaces: [14, 15] },
    ]);
    expect(lasting(shown.slice(1, 2))).toBeGreaterThan(2 * lasting(near.slice(0, 1)));
    expect(heard(shown).at(-1)).toBe("cheer");
    expect(shown.at(-1)?.still).toBe(true);
  });
});

describe("what is heard", () => {
  it("is something else for every action", () => {
    const actions: Event[] = [
      { type: "leg_tile_taken", seat: 0, camel: 1, value: 5 },
      { type: "desert_placed", seat: 0, space: 9, side: 1, moved_from: 0 },
      { type: "card_laid", seat: 0, camel: 2, deck: "winner", place: 1 },
      { type: "pyramid_tile_taken", seat: 0 },
      { type: "desert_met", space: 9, side: 1, owner: 0 },
      { type: "desert_met", space: 9, side: -1, owner: 0 },
    ];
    const sounds = actions.map((event) => heard(steps(sceneOf(view({})), event)));
    expect(sounds).toEqual([["bet"], ["tile"], ["bury"], ["rattle"], ["oasis"], ["mirage"]]);
  });
});

describe("a scoring", () => {
  it("turns the race cards one by one, pays each when its coin has arrived, and is whole at the end", () => {
    const decks: Partial<CamelUpState> = {
      winner_deck: [
        [0, 4],
        [1, 2],
      ],
      loser_deck: [[1, 0]],
      money: [3, 0],
    };
    const card = { type: "card_scored" as const };
    const shown = stepsThrough(steps, sceneOf(view({ 17: [0, 1, 2, 3, 4] }, decks)), [
      { type: "leg_ended", leg: 1, ranking: [4, 3, 2, 1, 0] },
      { type: "race_ended", winner: 4, loser: 0 },
      { ...card, deck: "winner", place: 1, seat: 0, camel: 4, right: true, amount: 8, paid: 8, money: 11 },
      { ...card, deck: "winner", place: 2, seat: 1, camel: 2, right: false, amount: -1, paid: 0, money: 0 },
      { ...card, deck: "loser", place: 1, seat: 1, camel: 0, right: true, amount: 8, paid: 8, money: 8 },
      { type: "game_ended", money: [11, 8], winners: [0] },
    ]);
    const turned = shown.slice(2).map(({ scene }) => [scene.scoring?.cards.length, ...scene.view.money]);
    expect(turned).toEqual([
      [1, 3, 0],
      [1, 3, 0],
      [1, 11, 0],
      [2, 11, 0],
      [2, 11, 0],
      [2, 11, 0],
      [3, 11, 0],
      [3, 11, 0],
      [3, 11, 8],
      [3, 11, 8],
    ]);
    expect(shown.map(({ scene }) => scene.scoring?.whole)).toEqual([...Array<boolean>(11).fill(false), true]);
    // Where nothing moves each deck is told as a whole.
    expect(shown.filter(({ still }) => still).map(({ scene }) => scene.scoring?.cards.length)).toEqual([2, 3, 3]);
  });

  it("adds one player after the other and then goes away", () => {
    const after = view({ 5: [0, 1, 2, 3, 4] }, { money: [8, 2] });
    const row = { type: "leg_scored" as const, pyramid_tiles: 0, total: 5, paid: 5 };
    const shown = shownOf(
      sceneOf(view({ 5: [0, 1, 2, 3, 4] })),
      [
        { type: "leg_ended", leg: 1, ranking: [4, 3, 2, 1, 0] },
        { ...row, seat: 0, tiles: [{ camel: 4, value: 5, amount: 5 }], money: 8 },
        { ...row, seat: 1, tiles: [{ camel: 1, value: 5, amount: -1 }], total: -1, paid: -1, money: 2 },
      ],
      after,
    );
    expect(shown.map(({ scene }) => scene.scoring?.legs.length ?? null)).toEqual([0, 1, 1, 2, 2, null]);
    expect(shown.map(({ scene }) => scene.view.money)).toEqual([
      [3, 3],
      [3, 3],
      [8, 3],
      [8, 3],
      [8, 2],
      [8, 2],
    ]);
    expect(shown.map(({ scene }) => scene.scoring?.whole ?? null)).toEqual([false, false, false, false, true, null]);
  });
});

describe("places", () => {
  it("are null for camels that are not on the track yet", () => {
    expect(places(view({ 2: [1, 4] }).track)).toEqual([
      null,
      { space: 2, level: 0, height: 2, by: "stand" },
      null,
      null,
      { space: 2, level: 1, height: 2, by: "stand" },
    ]);
  });
});
