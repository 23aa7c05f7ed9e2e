import { describe, expect, it } from "vitest";
import type { Event, PharaohState } from "../../../src/games/pharaoh/messages";
import { CELLS, FALLEN, START } from "../../../src/games/pharaoh/pieces";
import { doomedCells, steps, sceneOf, type Scene } from "../../../src/games/pharaoh/scene";
import { route, waves } from "../../../src/games/pharaoh/route";
import type { SoundName } from "../../../src/games/pharaoh/sounds";
import { stepsThrough, type SceneStep } from "../../../src/session/queue";
import { C1, C2, C3, view } from "./view";

/** A straight way from the chamber on c3 to the start. */
const PASSAGE = CELLS.map((cell) => (cell === C1 ? START : cell === C2 ? 0b0101 : cell === C3 ? 17 : 0));

/** What is shown of events, and of the view that they lead to. */
function shownOf(before: Scene, events: Event[], after: PharaohState): SceneStep<Scene>[] {
  return [...stepsThrough(steps, before, events), { scene: sceneOf(after), ms: 0 }];
}

/** What is heard while these steps are shown. */
function heard(shown: SceneStep<Scene>[]): SoundName[] {
  return shown.flatMap(({ scene, ms }) => (ms > 0 && scene.sound !== null ? [scene.sound] : []));
}

describe("the moments of a walk", () => {
  it("pass through every lit cell", () => {
    const way = [C1, C2, C3];
    const after = view({ archaeologists: [C3, C1] });
    const shown = shownOf(sceneOf(view()), [{ type: "walked", seat: 0, figure: "archaeologist", way }], after);
    expect(shown.map(({ scene }) => scene.view.archaeologists[0])).toEqual([C1, C2, C3, C3, C3]);
    // On the way from the first step to the last, and off it at the end.
    expect(shown.map(({ scene }) => scene.walker !== null)).toEqual([true, true, true, false, false]);
    expect(heard(shown)).toEqual(["step", "step"]);
    expect(shown.at(-1)).toEqual({ scene: sceneOf(after), ms: 0 });
  });
});

describe("the moments of a chamber found", () => {
  const before = view({
    tiles: CELLS.map((cell) => (cell === C1 ? START : cell === C2 ? 0b0101 : 0)),
    archaeologists: [C2, C1],
    helpers: [C2, C1],
    lamps: [[C2], []],
    supplies: [4, 5],
  });
  const events: Event[] = [
    { type: "tile_opened", seat: 0, cell: C3, stands: C2 },
    { type: "tile_drawn", seat: 0, cell: C3, tile: 4 },
    { type: "photo_taken", seat: 0, cell: C3, photo: 3, treasures: 2, omen: "mummy", score: 1 },
    { type: "treasure_laid_out", cell: C3, value: 2 },
    { type: "treasure_laid_out", cell: C3, value: 3 },
    { type: "mummy_woke", seat: 0, way: [C3, C2, C1] },
    { type: "figure_fled", seat: 0, figure: "archaeologist", cell: C2 },
    { type: "figure_fled", seat: 0, figure: "helper", cell: C2 },
    { type: "turn_ended", seat: 0, why: "omen" },
    { type: "turn_began", seat: 1, round: 1 },
  ];
  const shown = shownOf(sceneOf(before), events, view());

  it("count what nobody has seen yet along with what is seen", () => {
    const left = shown.map(({ scene }) => [scene.view.unseen[4], ...scene.view.stack].join(" "));
    expect([...new Set(left.slice(0, -1))]).toEqual(["1 4 4", "0 4 4", "0 3 4", "0 3 3"]);
    const found: Event = { type: "mask_found", seat: 0, cell: C3, turns: 3 };
    const [{ scene }] = steps(sceneOf(before), found);
    expect(scene.view).toMatchObject({ mask_chamber: C3, finder: 0, countdown: 3 });
  });

  it("flip the tile before it is known", () => {
    expect(shown[0].scene.opening).toBe(C3);
    expect(shown[0].scene.view.tiles[C3]).toBe(0);
    expect(shown[1].scene).toMatchObject({ opening: null });
    expect(shown[1].scene.view.tiles[C3]).toBe(17);
  });

  it("are heard, each at its time", () => {
    const expected = ["stone", "chamber", "photo", "drop", "drop", "mummy", "flight", "flight", "ended"];
    expect(heard(shown)).toEqual(expected);
  });

  it("lay the treasures out one by one", () => {
    const lying = shown.map(({ scene }) => scene.view.lying.length);
    expect(lying.filter((count, at) => count !== lying[at - 1]).slice(0, 3)).toEqual([0, 1, 2]);
  });

  it("let the mummy walk cell by cell, then the figures flee to where it ends", () => {
    const ways = shown.flatMap(({ scene }) => (scene.way ? [scene.way.cells.length] : []));
    expect(ways.slice(0, 3)).toEqual([1, 2, 3]);
    const fled = shown.findIndex(({ scene }) => scene.view.archaeologists[0] === C1);
    expect(shown[fled].scene.way?.cells).toEqual([C3, C2, C1]);
    expect(shown[fled].scene.view.helpers[0]).toBe(C2);
    expect(shown.at(-2)?.scene.view.helpers[0]).toBe(C1);
  });
});

describe("an omen with several ways", () => {
  // From c3 by column b or by column d to the start on c1.
  const [B1, B2, B3, D1, D2, D3] = [1, 7, 13, 3, 9, 15];
  const cells = [C3, B3, D3, B2, D2, B1, D1, C1];
  const open: Record<number, number> = {
    [C3]: 17,
    [B3]: 0b0110,
    [B2]: 0b0101,
    [B1]: 0b0011,
    [D3]: 0b1100,
    [D2]: 0b0101,
    [D1]: 0b1001,
  };
  const tiles = view().tiles.map((code, cell) => open[cell] ?? code);

  it("goes over all of them at once, and is seen on one", () => {
    expect(waves(tiles, cells)).toEqual([[C3], [B3, D3], [B2, D2], [B1, D1], [C1]]);
    expect(route(tiles, cells, C3)).toEqual([C3, B3, B2, B1, C1]);
    expect(route(tiles, cells, D2)).toEqual([D2, D1, C1]);
  });

  it("is never seen to go through a wall", () => {
    expect(route(tiles.with(B2, 0b1010), cells, C3)).toEqual([C3, D3, D2, D1, C1]);
    expect(route(tiles, [C3, B3, C1], C3)).toEqual([]);
  });
});

describe("a curse", () => {
  it("puts the lamps out after it has gone its way", () => {
    const before = view({ tiles: PASSAGE, lamps: [[C2], [C2]], supplies: [4, 4] });
    const shown = shownOf(
      sceneOf(before),
      [
        { type: "curse_spread", seat: 0, way: [C3, C2, C1] },
        { type: "lamp_blown_out", seat: 0, cell: C2 },
        { type: "lamp_blown_out", seat: 1, cell: C2 },
      ],
      view(),
    );
    expect(shown.map(({ scene }) => scene.view.lamps.flat().length)).toEqual([2, 2, 2, 1, 0, 0]);
    expect(shown[3].scene.view.supplies).toEqual([5, 4]);
    expect(shown[2].scene.way).toEqual({ omen: "curse", cells: [C3, C2, C1], head: C1 });
    expect(heard(shown)).toEqual(["curse", "out", "out"]);
  });
});

describe("nothing flashes more than three times a second", () => {
  const way = [C3, C2, C1];
  const photo: Event = { type: "photo_taken", seat: 0, cell: C3, photo: 2, treasures: 1, omen: "curse", score: 1 };
  const curse: Event[] = [
    { type: "curse_spread", seat: 0, way },
    ...way.slice(0, 2).flatMap((cell): Event[] => [0, 1].map((seat) => ({ type: "lamp_blown_out", seat, cell }))),
  ];
  const before = view({
    tiles: PASSAGE,
    lamps: [
      [C2, C3],
      [C2, C3],
    ],
  });
  /** When something lights up or goes dark, in milliseconds, while events are shown. */
  function changes(events: Event[], lights: (scene: Scene) => unknown): number[] {
    let [last, now] = [JSON.stringify(lights(sceneOf(before))), 0];
    return stepsThrough(steps, sceneOf(before), events).flatMap(({ scene, ms }) => {
      const at = now;
      now += ms;
      if (ms === 0 || JSON.stringify(lights(scene)) === last) return [];
      last = JSON.stringify(lights(scene));
      return [at];
    });
  }
  const most = (times: number[]) =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));

  it("when a photo is taken, even if everything is shown twice as fast", () => {
    const flashes = changes([photo, photo], ({ flash }) => flash);
    expect(flashes.length).toBeGreaterThan(2);
    expect(most(flashes.map((at) => at / 2))).toBeLessThanOrEqual(3);
  });

  it("when the curse goes its way and lamps go out", () => {
    const times = changes([photo, ...curse], ({ way, view }) => [way?.cells, view.lamps]);
    expect(times).toHaveLength(7);
    expect(most(times)).toBeLessThanOrEqual(3);
  });

  it("however long it goes on: what is quicker moves, and changes no light", () => {
    const sources = import.meta.glob<string>("../../../src/games/pharaoh/**/*.svelte", {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const quick = Object.entries(sources).flatMap(([file, text]) =>
      [...text.matchAll(/animation: (\w+) ([\d.]+)s[^;]*infinite/g)]
        .filter(([, , seconds]) => Number(seconds) < 0.34)
        .map(([, name]) => ({ file, frames: text.split(`@keyframes ${name} {`)[1].split("\n  }\n")[0] })),
    );
    expect(quick.length).toBeGreaterThan(0);
    expect(quick.filter(({ frames }) => /opacity|filter|background|color/.test(frames))).toEqual([]);
  });
});

describe("the collapse", () => {
  const falls = CELLS.map((cell) => (cell === C1 ? -1 : cell === C3 ? 0 : cell === C2 ? 1 : 2));
  const before = view({
    falls,
    mask_chamber: C3,
    clock: 0,
    ring: 0,
    archaeologists: [C2, C1],
    carried: [5, 0],
    tiles: CELLS.map((cell) => (cell === C1 ? START : cell === C3 ? FALLEN : 0b0101)),
  });

  it("shows which cells fall next: first the chamber, then ring by ring, never what is gone", () => {
    expect(doomedCells(view())).toEqual([]);
    expect(doomedCells({ ...before, clock: -1, countdown: 2, tiles: view().tiles })).toEqual([C3]);
    expect(doomedCells(before)).toEqual([C2]);
    expect(doomedCells({ ...before, ring: 1 })).toHaveLength(33);
  });

  it("cracks, falls, and takes what stood there with it, told one after the other", () => {
    const after = view({ ...before, ring: 1, archaeologists: [-1, C1], carried: [0, 0], points: [-2, 0] });
    const shown = shownOf(
      sceneOf(before),
      [
        { type: "turn_ended", seat: 0, why: "end" },
        { type: "ring_fell", ring: 1, cells: [C2], unseen: 0 },
        { type: "treasure_lost", seat: 0, cell: C2, value: 5 },
        { type: "figure_lost", seat: 0, figure: "archaeologist", cell: C2, points: -2, score: -2 },
        { type: "turn_began", seat: 1, round: 1 },
      ],
      after,
    );
    const [, crack, fall, gone, treasure, figure] = shown.map(({ scene }) => scene);
    expect([crack.cracking, crack.falling]).toEqual([[C2], []]);
    expect(heard(shown)).toEqual(["ended", "crack", "fall", "lost", "lost"]);
    expect([fall.cracking, fall.falling, fall.view.tiles[C2]]).toEqual([[], [C2], 0b0101]);
    expect([gone.falling, gone.view.tiles[C2], gone.view.archaeologists[0]]).toEqual([[C2], FALLEN, C2]);
    expect(treasure.view.carried).toEqual([0, 0]);
    expect([figure.view.archaeologists[0], figure.view.points[0]]).toEqual([-1, -2]);
    expect(figure.note?.type).toBe("figure_lost");
    expect(shown.at(-1)?.scene).toEqual(sceneOf(after));
  });
});

describe("the final scoring", () => {
  it("adds one player after the other", () => {
    const line = { type: "score_counted" as const, photos: 1, treasures: [3], lost: 0, total: 4 };
    const shown = shownOf(
      sceneOf(view()),
      [
        { ...line, seat: 0 },
        { ...line, seat: 1 },
      ],
      view(),
    );
    expect(shown.map(({ scene }) => scene.counted.length)).toEqual([1, 2, 0]);
    expect(shown[1].ms).toBeGreaterThan(shown[0].ms);
    expect(heard(shown)).toEqual(["fanfare"]);
  });
});
