import { describe, expect, it } from "vitest";
import type { CamelUpState, Event } from "../../src/games/camelup/messages";
import { places, sceneOf, steps, type Scene } from "../../src/games/camelup/scene";
import { KNOCK, RATTLE, soundOf } from "../../src/games/camelup/sounds";
import { passed, type Step } from "../../src/table/showing";
import { CLINK } from "../../src/ui/instrument";

/** What is shown of events, and of the view that they lead to. */
function shownOf(before: Scene, events: Event[], after: CamelUpState): Step<Scene>[] {
  return [...passed(steps, before, events), { scene: sceneOf(after), ms: 0 }];
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
      scene.shaking ? "shake" : scene.die ? "die" : scene.flight ? "coin" : (scene.camels[2]?.by ?? "?"),
    );
    expect(told.filter((what, at) => what !== told[at - 1])).toEqual([
      "shake", "die", "stand", "lift", "hop", "coin", "hop", "slide", "stand",
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
    const flying = shown.findIndex(({ scene }) => scene.flight !== null);
    expect(shown[flying].scene.view.money).toEqual([3, 3]);
    expect(shown[flying].scene.flight).toMatchObject({ from: 'li[data-space="6"]', to: '[data-purse="1"]' });
    expect(shown[flying + 1].scene.view.money).toEqual([3, 4]);
  });

  it("are heard: the dice, the die that falls, the feet, the coin", () => {
    const heard = shown.map(({ scene, ms }) => (ms > 0 ? soundOf(scene) : null));
    expect(heard.filter((sound) => sound !== null)).toEqual([RATTLE, KNOCK, KNOCK, CLINK]);
  });

  it("end with the view as it is", () => {
    expect(shown.at(-1)).toEqual({ scene: sceneOf(after), ms: 0 });
  });

  it("hop space by space", () => {
    const far = shownOf(before, [{ type: "unit_hopped", unit: [4], spaces: [9, 10, 11] }], after);
    expect(far.slice(0, 3).map(({ scene }) => scene.camels[4]?.space)).toEqual([9, 10, 11]);
  });
});

describe("a scoring", () => {
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
    expect(shown.map(({ scene }) => scene.scoring?.legs.length ?? null)).toEqual([0, 1, 2, null]);
    expect(shown.map(({ scene }) => scene.view.money)).toEqual([[3, 3], [8, 3], [8, 2], [8, 2]]);
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
