/**
 * What the pyramid shows at one moment, and the steps in which an event is shown. Pure: the board draws scenes, the
 * clock gives each its time. No rule lives here; an event says what happened, and the view after it is the truth.
 */
import type { Route } from "../../table/Flight.svelte";
import type { SceneStep } from "../../session/queue";
import type { Someone } from "./geometry";
import { soundOf } from "./hearing";
import type { Event, PharaohState, ScoreCounted } from "./messages";
import { COUNTDOWN, FALLEN, FIRST_CHAMBER, MASK, NOWHERE, PASSAGES } from "./pieces";
import { route, waves } from "./route";
import type { SoundName } from "./sounds";

export interface Scene {
  view: PharaohState;
  /** Whoever is on the way from one tile to another. */
  walker: Someone | null;
  /** The cell whose tile stands on its edge while it is turned over. */
  opening: number | null;
  /** The cell where the camera flashes. */
  flash: number | null;
  /** The lamp that the curse has just blown out. */
  snuffed: { seat: number; cell: number } | null;
  /** How far mummy or curse have come: over all these cells, and to be seen on the last of one way. */
  way: { omen: "mummy" | "curse"; cells: number[]; head: number } | null;
  /** The cell to which the view draws near; null while the whole board is seen. */
  near: number | null;
  /** The death mask has been found: it grows dark and silent, then the mask's own face is seen. */
  mask: "hush" | "face" | null;
  /** A treasure on its way from hand to hand. */
  snatch: { seat: number; victim: number; value: number } | null;
  /** The figure that has just been lost, and where it fell. */
  lost: { cell: number; points: number } | null;
  /** Cells where dust rises. */
  dust: number[];
  /** Cells that crack. */
  cracking: number[];
  /** Cells on their way into the dark, with whatever stood there. */
  falling: number[];
  /** What is told in large letters over the board. */
  note: Event | null;
  /** Something on its way to whoever gets it. */
  flight: Route | null;
  /** What is heard as the moment begins. */
  sound: SoundName | null;
  /** The final scoring, player by player. */
  counted: ScoreCounted[];
}

export const TIMES = {
  step: 210,
  /** Onto the way, and off it again. */
  aside: 140,
  open: 220,
  tile: 320,
  lamp: 340,
  treasure: 380,
  note: 1300,
  /** Whoever acted sits back. */
  ended: 110,
  flash: 450,
  photo: 1300,
  fly: 800,
  short: 750,
  /** Slow enough that nothing lights up more than three times a second. */
  omenStep: 340,
  fled: 700,
  lampOut: 340,
  snatch: 900,
  hush: 900,
  face: 2400,
  crack: 900,
  fall: 950,
  lost: 700,
  rumble: 2200,
  count: 1200,
  countEnd: 2400,
} as const;

export function sceneOf(view: PharaohState): Scene {
  return {
    view,
    walker: null,
    opening: null,
    flash: null,
    snuffed: null,
    way: null,
    near: null,
    mask: null,
    snatch: null,
    lost: null,
    dust: [],
    cracking: [],
    falling: [],
    note: null,
    flight: null,
    sound: null,
    counted: [],
  };
}

/** What an event looks like, and how it sounds. */
export function steps(before: Scene, event: Event): SceneStep<Scene>[] {
  const found = seen(before, event);
  const face = found.findIndex((step) => step.scene.mask === "face");
  const last = face < 0 ? found.findLastIndex((step) => step.ms > 0) : face;
  return found.map((step, at) => ({
    ...step,
    scene: { ...step.scene, sound: soundOf(event, at, step.scene) },
    still: at === last && (step.scene.note !== null || step.scene.counted.length > 0),
  }));
}

function seen(scene: Scene, event: Event): SceneStep<Scene>[] {
  const { view } = scene;
  /** The next step: the view changed, something told, or both. */
  const then = (changes: Partial<PharaohState>, ms: number, more: Partial<Scene> = {}): SceneStep<Scene> => ({
    scene: {
      ...scene,
      walker: null,
      flash: null,
      snuffed: null,
      near: null,
      mask: null,
      snatch: null,
      lost: null,
      dust: [],
      note: null,
      flight: null,
      ...more,
      view: { ...view, ...changes },
    },
    ms,
  });
  /** A figure steps onto the way, goes from cell to cell, and steps aside where the way ends. */
  const walk = (who: Someone, way: number[], ms: number): SceneStep<Scene>[] => {
    const whose = who.figure === "archaeologist" ? "archaeologists" : "helpers";
    const at = (cell: number, walker: Someone | null, lasting: number) =>
      then({ [whose]: replaced(view[whose], who.seat, cell) }, lasting, { walker });
    const walker = { seat: who.seat, figure: who.figure };
    return [
      ...way.map((cell, step) => at(cell, walker, step === 0 ? TIMES.aside : ms)),
      ...way.slice(-1).map((cell) => at(cell, null, TIMES.aside)),
    ];
  };
  switch (event.type) {
    case "turn_began":
      return [then({ turn: event.seat, round: event.round }, 0, { way: null, falling: [] })];
    case "walked":
      return walk(event, event.way, TIMES.step);
    case "tile_opened":
      return [then({ moves_left: view.moves_left - 1 }, TIMES.open, { opening: event.cell })];
    case "tile_drawn": {
      const chamber = event.tile - PASSAGES.length;
      const unseen = replaced(view.unseen, event.tile, view.unseen[event.tile] - 1);
      if (chamber < 0) return [then({ unseen, site: event.cell, drawn: event.tile }, TIMES.tile, { opening: null })];
      const tiles = replaced(view.tiles, event.cell, FIRST_CHAMBER + chamber);
      return [then({ unseen, tiles }, TIMES.tile * 2, { opening: null, note: event, dust: [event.cell] })];
    }
    case "tile_laid":
    case "tile_turned": {
      const tiles = replaced(view.tiles, event.cell, event.openings);
      const empty = event.type === "tile_laid" ? { site: NOWHERE, drawn: NOWHERE } : {};
      return [then({ tiles, ...empty }, TIMES.tile, { dust: [event.cell] })];
    }
    case "lamp_put_up":
    case "lamp_taken_down": {
      const others = view.lamps[event.seat].filter((cell) => cell !== event.cell);
      const lit = event.type === "lamp_put_up" ? [...others, event.cell] : others;
      const supplies = replaced(view.supplies, event.seat, event.supply);
      return [then({ lamps: replaced(view.lamps, event.seat, lit), supplies }, TIMES.lamp)];
    }
    case "treasure_taken": {
      const lying = without(view.lying, event.cell, event.value);
      return [then({ lying, carried: replaced(view.carried, event.seat, event.value) }, TIMES.treasure)];
    }
    case "treasure_dropped": {
      const lying: PharaohState["lying"] = [...view.lying, [event.cell, event.value]];
      return [then({ lying, carried: replaced(view.carried, event.seat, 0) }, TIMES.treasure)];
    }
    case "treasure_stolen": {
      const carried = replaced(replaced(view.carried, event.victim, 0), event.seat, event.value);
      const { seat, victim, value, cell: near } = event;
      return [
        then({}, TIMES.snatch, { note: event, near, snatch: { seat, victim, value } }),
        then({ carried }, TIMES.short, { note: event, near }),
      ];
    }
    case "treasure_banked": {
      const museum = [...view.museums[event.seat], event.value];
      return [
        then(
          {
            carried: replaced(view.carried, event.seat, 0),
            museums: replaced(view.museums, event.seat, museum),
            points: replaced(view.points, event.seat, event.score),
          },
          TIMES.note,
          { note: event, flight: flown(event, figure(event.seat), purse(event.seat)) },
        ),
      ];
    }
    case "photo_taken": {
      const photos = replaced(view.photos, event.photo - 1, event.seat);
      const points = replaced(view.points, event.seat, event.score);
      return [
        then({}, TIMES.flash, { flash: event.cell }),
        then({}, TIMES.photo, { note: event }),
        then({ photos, points }, TIMES.fly, { note: event }),
      ];
    }
    case "treasure_laid_out": {
      const stack = replaced(view.stack, event.value - 2, view.stack[event.value - 2] - 1);
      return [then({ stack, lying: [...view.lying, [event.cell, event.value]] }, TIMES.treasure)];
    }
    case "mask_found": {
      const lying: PharaohState["lying"] = [...view.lying, [event.cell, MASK]];
      const begun = { mask_chamber: event.cell, finder: event.seat, countdown: event.turns };
      const near = event.cell;
      return [
        { ...then({ lying, ...begun }, TIMES.hush, { mask: "hush", near }), untold: true },
        then({ lying, ...begun }, TIMES.face, { mask: "face", note: event }),
        then({ lying, ...begun }, TIMES.crack, { near, note: event, cracking: [event.cell], dust: [event.cell] }),
        then({ lying, ...begun }, 0, { cracking: [] }),
      ];
    }
    case "mummy_woke":
    case "curse_spread": {
      const omen = event.type === "mummy_woke" ? "mummy" : "curse";
      const stepsThrough = waves(view.tiles, event.way);
      const walked = route(view.tiles, event.way, event.way[0]);
      return stepsThrough.map((_, at) =>
        then({}, at === 0 ? TIMES.short : TIMES.omenStep, {
          note: event,
          way: { omen, cells: stepsThrough.slice(0, at + 1).flat(), head: walked[at] ?? event.way[0] },
        }),
      );
    }
    case "figure_fled": {
      const way = route(view.tiles, scene.way?.cells ?? [], event.cell);
      return walk(event, way, TIMES.fled / Math.max(1, way.length));
    }
    case "lamp_blown_out": {
      const lit = view.lamps[event.seat].filter((cell) => cell !== event.cell);
      const supplies = replaced(view.supplies, event.seat, view.supplies[event.seat] + 1);
      const snuffed = { seat: event.seat, cell: event.cell };
      return [then({ lamps: replaced(view.lamps, event.seat, lit), supplies }, TIMES.lampOut, { snuffed })];
    }
    case "figure_shut_in":
      return [then({}, TIMES.note, { note: event, near: event.cell })];
    case "omen_slept":
    case "mask_carried_out":
      return [then({}, TIMES.note, { note: event })];
    case "countdown_went": {
      // All of them were told when the mask was found, and that none is left is told by what falls.
      const told = event.turns > 0 && event.turns < COUNTDOWN;
      return [then({ countdown: event.turns }, told ? TIMES.note : 0, { note: told ? event : null })];
    }
    case "clock_moved":
      return [then({ clock: event.seat, countdown: 0 }, TIMES.note, { note: event })];
    case "chamber_fell":
      return collapse(scene, event, [event.cell], {});
    case "ring_fell":
      return collapse(scene, event, event.cells, { ring: event.ring });
    case "rumbled":
      return [
        then({}, TIMES.rumble, { note: event, cracking: [event.cell] }),
        then({ falls: view.tiles.map((_, cell) => (cell === event.cell ? 0 : NOWHERE)) }, 0, { cracking: [] }),
      ];
    case "calmed":
      return [then({ falls: [] }, 0)];
    case "collapse_began":
      // Whoever ends the rounds drives it.
      return collapse(scene, event, [event.cell], { clock: view.turn });
    case "figure_lost": {
      const whose = event.figure === "archaeologist" ? "archaeologists" : "helpers";
      const points = replaced(view.points, event.seat, event.score);
      const { cell, points: cost } = event;
      return [
        then({ [whose]: replaced(view[whose], event.seat, NOWHERE), points }, TIMES.note, {
          note: event,
          lost: { cell, points: cost },
        }),
      ];
    }
    case "treasure_lost": {
      const lost = [...view.lost, event.value];
      const carried = event.seat === NOWHERE ? view.carried : replaced(view.carried, event.seat, 0);
      const lying = event.seat === NOWHERE ? without(view.lying, event.cell, event.value) : view.lying;
      return [then({ lost, carried, lying }, TIMES.lost, { note: event })];
    }
    case "lamp_lost": {
      const lit = view.lamps[event.seat].filter((cell) => cell !== event.cell);
      return [then({ lamps: replaced(view.lamps, event.seat, lit) }, 0)];
    }
    case "turn_ended":
      return [then({}, TIMES.ended)];
    case "score_counted": {
      const counted = [...scene.counted, event];
      return [then({}, counted.length === view.points.length ? TIMES.countEnd : TIMES.count, { counted })];
    }
    case "game_ended":
      return [];
  }
}

/** Cells crack, tilt and fall with all that stands on them; what is lost is told by the events that follow. */
function collapse(scene: Scene, event: Event, cells: number[], changes: Partial<PharaohState>): SceneStep<Scene>[] {
  const tiles = scene.view.tiles.map((code, cell) => (cells.includes(cell) ? FALLEN : code));
  const before = { ...scene, snuffed: null, near: null, lost: null, flight: null, way: null };
  return [
    { scene: { ...before, note: event, cracking: cells }, ms: TIMES.crack },
    { scene: { ...before, note: event, cracking: [], falling: cells, dust: cells }, ms: TIMES.fall },
    // What stood there stays out of sight until it has been told.
    { scene: { ...before, note: null, dust: [], falling: cells, view: { ...scene.view, ...changes, tiles } }, ms: 0 },
  ];
}

const purse = (seat: number): string => `[data-purse="${seat}"]`;
const figure = (seat: number): string => `[data-figure="${seat} archaeologist"]`;

function flown(event: Event, from: string, to: string): Route {
  return { event, from, to };
}

function without(lying: PharaohState["lying"], cell: number, value: number): PharaohState["lying"] {
  const at = lying.findIndex(([place, worth]) => place === cell && worth === value);
  return lying.filter((_, index) => index !== at);
}

function replaced<T>(values: readonly T[], place: number, value: T): T[] {
  return values.map((old, at) => (at === place ? value : old));
}

/** The cell about which the rings lie, -1 while nothing is going to fall. */
export function centreOf(view: PharaohState): number {
  return view.falls.indexOf(0);
}

/** Whether the pyramid grows restless: it falls by itself after this round if that is as quiet as those before it. */
export function restless(view: PharaohState): boolean {
  return view.falls.length > 0 && view.clock === NOWHERE && view.mask_chamber === NOWHERE;
}

/** Whether it falls without the mask's doing, a ring at the end of each round. */
export function fallsByItself(view: PharaohState): boolean {
  return view.clock !== NOWHERE && centreOf(view) !== view.mask_chamber;
}

/** The cells that fall next, as the view says; none while nothing is going to fall. */
export function doomedCells(view: PharaohState): number[] {
  const next = view.clock === NOWHERE ? 0 : view.ring + 1;
  return view.falls.flatMap((ring, cell) => (ring === next && view.tiles[cell] !== FALLEN ? [cell] : []));
}
