import { describe, expect, it } from "vitest";
import { CELL, corner, nearestAngle, neighbourIn, RIM, sideTowards, slots, standings } from "../src/games/pharaoh/geometry";
import type { Action, Event, PharaohState } from "../src/games/pharaoh/messages";
import { canMove, cellOffers, nextWay, nothingButEnd, offersOf } from "../src/games/pharaoh/offers";
import { cellName, CELLS, drawingOf, FALLEN, quarterTurn, READING_ORDER, sidesOf, START } from "../src/games/pharaoh/pieces";
import { doomedCells, sceneOf, steps, type Scene } from "../src/games/pharaoh/scene";
import { SOUNDS, type SoundName } from "../src/games/pharaoh/sounds";
import type { Step } from "../src/table/queue";

const [C1, C2, C3] = [2, 8, 14];

function view(more: Partial<PharaohState> = {}): PharaohState {
  return {
    actor: 0,
    options: {},
    round: 1,
    turn: 0,
    moves_left: 3,
    acts_left: 12,
    plies: 0,
    tiles: CELLS.map((cell) => (cell === C1 ? START : 0)),
    unseen: [12, 10, 8, 1, 1, 1, 1, 1],
    site: -1,
    drawn: -1,
    photo: 0,
    due: 0,
    photos: [-1, -1, -1, -1, -1],
    stack: [4, 4],
    lying: [],
    lost: [],
    archaeologists: [C1, C1],
    helpers: [C1, C1],
    carried: [0, 0],
    lamps: [[], []],
    supplies: [5, 5],
    museums: [[], []],
    points: [0, 0],
    changed: [0, 0],
    mask_chamber: -1,
    finder: -1,
    countdown: 0,
    clock: -1,
    ring: 0,
    falls: [],
    ...more,
  };
}

describe("the pyramid", () => {
  it("is read from the top row down, each row from west to east", () => {
    expect(READING_ORDER.slice(0, 3).map(cellName)).toEqual(["a6", "b6", "c6"]);
    expect(READING_ORDER.slice(-2).map(cellName)).toEqual(["e1", "f1"]);
  });

  it("fills the frame, a1 in the lower left corner", () => {
    expect(corner(0)).toEqual({ x: RIM, y: RIM + 5 * CELL });
    expect(corner(35).x + CELL).toBeCloseTo(100 - RIM);
    expect(corner(35).y).toBe(RIM);
  });

  it("leaves a touchable 44 pixels to every cell on the narrowest phone", () => {
    expect(((360 - 2 * 8) * CELL) / 100).toBeGreaterThanOrEqual(44);
  });

  it("draws every way a passage can lie", () => {
    expect(drawingOf(0b0011)).toEqual({ passage: "corner", angle: 0 });
    expect(drawingOf(0b1001)).toEqual({ passage: "corner", angle: 270 });
    expect(drawingOf(0b1010)).toEqual({ passage: "straight", angle: 90 });
    expect(drawingOf(0b1110)).toEqual({ passage: "tee", angle: 90 });
    for (let openings = 1; openings < 15; openings += 1) {
      const open = sidesOf(openings).length;
      if (open === 2 || open === 3) expect(sidesOf(quarterTurn(openings))).toHaveLength(open);
    }
  });

  it("turns a tile the short way round", () => {
    expect(nearestAngle(270, 0)).toBe(360);
    expect(nearestAngle(0, 270)).toBe(-90);
    expect(nearestAngle(360, 90)).toBe(450);
  });

  it("finds the next cell for an arrow key, straight ahead first", () => {
    const up = { x: 0, y: -1 };
    expect(neighbourIn(up, C1, [C2, C3, 7])).toBe(C2);
    expect(neighbourIn(up, C3, [C1, C2])).toBeNull();
    expect(neighbourIn({ x: 1, y: 0 }, 0, [7, C1])).toBe(C1);
  });

  it("knows on which side a neighbour lies", () => {
    expect([C2, 3, 1].map((cell) => sideTowards(C1, cell))).toEqual([1, 2, 8]);
    expect(sideTowards(C2, C1)).toBe(4);
    expect(sideTowards(C1, C3)).toBe(0);
  });
});

describe("figures that share a cell", () => {
  it("all stand within it, no two on the same spot, up to eight", () => {
    for (let count = 1; count <= 8; count += 1) {
      const places = slots(count);
      expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
      for (const { x, y } of places) {
        expect(x).toBeGreaterThan(0.1);
        expect(x).toBeLessThan(0.9);
        expect(y).toBeGreaterThan(0.4);
        expect(y).toBeLessThan(1);
      }
    }
  });

  it("are drawn smaller only where it is crowded, and lost ones not at all", () => {
    const [lone] = standings(view({ archaeologists: [C2, -1], helpers: [-1, -1] }));
    const crowd = standings(view({ archaeologists: [C1, C1, C1, C1], helpers: [C1, C1, C1, C1] }));
    expect(crowd).toHaveLength(8);
    expect(crowd[0].width).toBeLessThan(lone.width);
    expect(standings(view({ archaeologists: [-1, -1], helpers: [-1, -1] }))).toEqual([]);
  });
});

describe("what is on offer", () => {
  const actions: Action[] = [
    { type: "archaeologist", cell: C2 },
    { type: "helper", cell: C1 },
    { type: "helper", cell: C3 },
    { type: "reveal", cell: 3 },
    { type: "turn", cell: C2, openings: 0b1010 },
    { type: "turn", cell: C3, openings: 0b0110 },
    { type: "turn", cell: C3, openings: 0b1100 },
    { type: "lamp" },
    { type: "take", value: 3 },
    { type: "steal", seat: 1 },
    { type: "end" },
  ];
  const offers = offersOf(actions);
  const kinds = (figure: "archaeologist" | "helper", turning: boolean, other = -1) =>
    Object.fromEntries([...cellOffers(offers, figure, turning, other)].map(([cell, { kind }]) => [cellName(cell), kind]));

  it("lights up the picked figure's cells", () => {
    expect(kinds("archaeologist", false)).toEqual({ d1: "reveal", c2: "walk" });
    expect(kinds("helper", false)).toEqual({ c1: "walk", c2: "turn", c3: "walk" });
  });

  it("turns tiles instead of walking on them when asked to", () => {
    expect(kinds("helper", true)).toEqual({ c2: "turn", c3: "turn" });
  });

  it("picks the other figure by its cell unless something else is to be done there", () => {
    expect(kinds("archaeologist", false, 20)).toEqual({ c4: "pick", d1: "reveal", c2: "walk" });
    expect(kinds("archaeologist", false, C2)).toEqual({ d1: "reveal", c2: "walk" });
  });

  it("says which figure can move, and when nothing but the end is left", () => {
    expect([canMove(offers, "archaeologist"), canMove(offers, "helper")]).toEqual([true, true]);
    const rest = offersOf([{ type: "take", value: 2 }, { type: "end" }]);
    expect([canMove(rest, "archaeologist"), canMove(rest, "helper")]).toEqual([false, false]);
    expect(nothingButEnd([{ type: "end" }])).toBe(true);
    expect(nothingButEnd([{ type: "drop" }, { type: "end" }])).toBe(false);
    expect(nothingButEnd([])).toBe(false);
  });

  it("turns a tile on clockwise through the ways it may lie", () => {
    const ways = [{ openings: 0b0011 }, { openings: 0b0110 }, { openings: 0b1100 }, { openings: 0b1001 }];
    expect(nextWay(ways, 0b0011)).toBe(ways[1]);
    expect(nextWay(ways, 0b1001)).toBe(ways[0]);
    expect(nextWay(ways.slice(0, 2), 0b0110)).toBe(ways[0]);
    expect(nextWay([{ openings: 0b1010 }], 0b0101).openings).toBe(0b1010);
  });
});

/** What is heard while these moments are shown. */
function heard(moments: Step<Scene>[]): SoundName[] {
  return moments.flatMap(({ scene, ms }) => (ms > 0 && scene.sound !== null ? [scene.sound] : []));
}

describe("a sound", () => {
  it("is short, and no tone of it is loud", () => {
    for (const [name, notes] of Object.entries(SOUNDS)) {
      expect([name, notes.every((note) => note.at + note.length <= 1.4)]).toEqual([name, true]);
      expect([name, notes.filter((note) => note.kind === "tone" && note.loud > 0.2)]).toEqual([name, []]);
    }
  });
});

describe("the moments of a walk", () => {
  it("pass through every lit cell", () => {
    const way = [C1, C2, C3];
    const after = view({ archaeologists: [C3, C1] });
    const moments = steps(sceneOf(view()), [{ type: "walked", seat: 0, figure: "archaeologist", way }], after);
    expect(moments.map(({ scene }) => scene.view.archaeologists[0])).toEqual([C2, C3, C3]);
    expect(heard(moments)).toEqual(["step", "step"]);
    expect(moments.at(-1)).toEqual({ scene: sceneOf(after), ms: 0 });
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
  const moments = steps(sceneOf(before), events, view());

  it("flip the tile before it is known", () => {
    expect(moments[0].scene.opening).toBe(C3);
    expect(moments[0].scene.view.tiles[C3]).toBe(0);
    expect(moments[1].scene).toMatchObject({ opening: null });
    expect(moments[1].scene.view.tiles[C3]).toBe(17);
  });

  it("are heard, each at its time", () => {
    const expected = ["stone", "chamber", "photo", "gold", "gold", "mummy", "flight", "flight"];
    expect(heard(moments)).toEqual(expected);
  });

  it("lay the treasures out one by one", () => {
    const lying = moments.map(({ scene }) => scene.view.lying.length);
    expect(lying.filter((count, at) => count !== lying[at - 1]).slice(0, 3)).toEqual([0, 1, 2]);
  });

  it("let the mummy walk cell by cell, then the figures flee to where it ends", () => {
    const ways = moments.flatMap(({ scene }) => (scene.way ? [scene.way.cells.length] : []));
    expect(ways.slice(0, 3)).toEqual([1, 2, 3]);
    const fled = moments.findIndex(({ scene }) => scene.view.archaeologists[0] === C1);
    expect(moments[fled].scene.way?.cells).toEqual([C3, C2, C1]);
    expect(moments[fled].scene.view.helpers[0]).toBe(C2);
    expect(moments[fled + 1].scene.view.helpers[0]).toBe(C1);
  });
});

describe("a curse", () => {
  it("puts the lamps out after it has gone its way", () => {
    const before = view({ lamps: [[C2], [C2]], supplies: [4, 4] });
    const moments = steps(
      sceneOf(before),
      [
        { type: "curse_spread", seat: 0, way: [C3, C2, C1] },
        { type: "lamp_blown_out", seat: 0, cell: C2 },
        { type: "lamp_blown_out", seat: 1, cell: C2 },
      ],
      view(),
    );
    expect(moments.map(({ scene }) => scene.view.lamps.flat().length)).toEqual([2, 2, 2, 1, 0, 0]);
    expect(moments[3].scene.view.supplies).toEqual([5, 4]);
    expect(moments[2].scene.way).toEqual({ omen: "curse", cells: [C3, C2, C1] });
    expect(heard(moments)).toEqual(["curse", "out", "out"]);
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
    const moments = steps(
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
    const [crack, fall, gone, treasure, figure] = moments.map(({ scene }) => scene);
    expect([crack.cracking, crack.falling]).toEqual([[C2], []]);
    expect(heard(moments)).toEqual(["crack", "fall", "lost", "lost"]);
    expect([fall.cracking, fall.falling, fall.view.tiles[C2]]).toEqual([[], [C2], 0b0101]);
    expect([gone.falling, gone.view.tiles[C2], gone.view.archaeologists[0]]).toEqual([[C2], FALLEN, C2]);
    expect(treasure.view.carried).toEqual([0, 0]);
    expect([figure.view.archaeologists[0], figure.view.points[0]]).toEqual([-1, -2]);
    expect(figure.note?.type).toBe("figure_lost");
    expect(moments.at(-1)?.scene).toEqual(sceneOf(after));
  });
});

describe("the final scoring", () => {
  it("adds one player after the other", () => {
    const line = { type: "score_counted" as const, photos: 1, treasures: [3], lost: 0, total: 4 };
    const moments = steps(sceneOf(view()), [{ ...line, seat: 0 }, { ...line, seat: 1 }], view());
    expect(moments.map(({ scene }) => scene.counted.length)).toEqual([1, 2, 0]);
    expect(moments[1].ms).toBeGreaterThan(moments[0].ms);
    expect(heard(moments)).toEqual(["fanfare"]);
  });
});
