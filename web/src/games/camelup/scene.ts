/**
 * What the board shows at one moment, and the steps in which an event is shown. Pure: the board draws scenes, the clock
 * gives each its time. No rule lives here; an event says what happened, and the view that follows it is the truth.
 */
import type { Route } from "../../table/Flight.svelte";
import type { SceneStep } from "../../session/queue";
import { CAMELS } from "./art/camels";
import type { Event, CamelUpState, LegScored, CardScored } from "./messages";
import { LAST_SPACE } from "./pieces";
import type { SoundName } from "./sounds";

export interface Place {
  space: number;
  level: number;
  height: number;
  /** How the camel comes here from where it was. */
  by: "stand" | "tumble" | "lift" | "hop" | "land" | "slide";
}

export interface Scoring {
  /** null for the race cards. */
  leg: number | null;
  ranking: number[];
  legs: LegScored[];
  cards: CardScored[];
  /** Whether everything has been paid. */
  whole: boolean;
}

export interface Scene {
  view: CamelUpState;
  /** By camel; null before it is placed. */
  camels: (Place | null)[];
  /** The pyramid is being shaken. */
  shaking: boolean;
  /** A die in the open air; its pips are 0 until it lies still. */
  die: { camel: number; pips: number } | null;
  /** A space from which sand flies up. */
  dust: number | null;
  /** Somebody is about to run over the finish line, or has done so. */
  finish: "near" | "crossed" | null;
  /** How many times longer than usual everything takes, at a calm pace: what decides a leg is watched closely. */
  slow: number;
  /** The space to which the eye is drawn: a big stack moves there, or somebody runs for the finish. */
  near: number | null;
  /** Everybody holds their breath: the last die of a leg is on its way. */
  hush: boolean;
  /** A tile, a card or a coin on its way to whoever gets it. */
  flight: Route | null;
  /** A space whose desert tile is at work. */
  desert: number | null;
  scoring: Scoring | null;
  /** What is heard as the moment begins. */
  sound: SoundName | null;
}

/** Milliseconds for each step, and how many more it is watched at a calm pace. */
export const TIMES = {
  shake: [300, 350],
  hush: [0, 500],
  fly: [340, 260],
  die: [280, 300],
  tent: [160, 100],
  lift: [120, 100],
  hop: [150, 80],
  land: [140, 80],
  slide: [200, 260],
  desert: [120, 260],
  coin: [200, 250],
  tile: [350, 350],
  place: [170, 330],
  crossed: [500, 1500],
  scoreHead: [600, 600],
  scoreRow: [400, 400],
  scoreIdle: [75, 75],
  scoreEnd: [1300, 1300],
} as const;

/** Milliseconds for all race cards together, and the least and the most for one. */
const CARDS = { all: 13_000, least: 420, most: 1200 };

/** A time of its own for a step, so many times as long at a calm pace. */
function lasting([ms, linger]: readonly [number, number], slow = 1): { ms: number; linger: number } {
  return { ms, linger: slow * (ms + linger) - ms };
}

const DICE = 5;
const LAST_DIE = 1.7;
const FINISH = 2.2;
/** From how many camels on a stack is one to look at. */
const BIG = 3;

export function sceneOf(view: CamelUpState): Scene {
  return {
    view,
    camels: places(view.track),
    shaking: false,
    die: null,
    dust: null,
    finish: null,
    slow: 1,
    near: null,
    hush: false,
    flight: null,
    desert: null,
    scoring: null,
    sound: null,
  };
}

/** The board before the camels come out. */
export function openingOf(view: CamelUpState): Scene {
  return sceneOf({ ...view, track: view.track.map(() => []) });
}

const purse = (seat: number): string => `[data-purse="${seat}"]`;
/** Money on the sheet on which a scoring is written. */
const till = (seat: number): string => `[data-till="${seat}"]`;

/** What an event looks like. */
export function steps(before: Scene, event: Event): SceneStep<Scene>[] {
  const scene: Scene = { ...before, hush: false, flight: null, dust: null, sound: null };
  const { view, slow } = scene;
  /** A piece flies, and only then is the view what it leads to. */
  const flown = (sound: SoundName, from: string, to: string, changes: Partial<CamelUpState>): SceneStep<Scene>[] => [
    { scene: { ...scene, flight: { event, from, to }, sound }, ...lasting(TIMES.tile) },
    { scene: { ...scene, view: { ...view, ...changes } }, ms: 0 },
  ];
  switch (event.type) {
    case "camel_placed": {
      const track = withStack(view.track, event.space, [...event.stack, event.camel]);
      const tents = replaced(view.tents, event.camel, event.space);
      const camels = places(track).map((place, camel) => (place && camel === event.camel ? tumbling(place) : place));
      return [
        { scene: { ...scene, view: { ...view, track, tents }, camels, sound: "tumble" }, ...lasting(TIMES.place) },
      ];
    }
    case "leg_began":
      return [];
    case "leg_tile_taken": {
      const takers = [...view.leg_bets[event.camel], event.seat];
      const from = `[data-action="leg ${CAMELS[event.camel].name}"]`;
      return flown("bet", from, purse(event.seat), { leg_bets: replaced(view.leg_bets, event.camel, takers) });
    }
    case "desert_placed": {
      const deserts = replaced(view.deserts, event.seat, event.side * event.space);
      return flown("tile", purse(event.seat), `li[data-space="${event.space}"]`, { deserts });
    }
    case "card_laid": {
      const name = event.deck === "winner" ? "winner_deck" : "loser_deck";
      const deck: CamelUpState["winner_deck"] = [...view[name], [event.seat, event.camel]];
      const hand = view.hands[event.seat];
      const without = hand.filter((card, place) => (event.camel === null ? place > 0 : card !== event.camel));
      const own = event.camel === null ? purse(event.seat) : `[data-action="card ${CAMELS[event.camel].name}"]`;
      const changes = { [name]: deck, hands: replaced(view.hands, event.seat, without) };
      return flown("bury", own, `[data-deck="${event.deck}"]`, changes);
    }
    case "pyramid_tile_taken": {
      const last = view.tents.filter((pips) => pips > 0).length === DICE - 1;
      const shaken: Scene = {
        ...scene,
        shaking: true,
        hush: last,
        slow: last ? LAST_DIE : 1,
        sound: last ? "roll" : "rattle",
      };
      const hush = last ? [{ scene: { ...shaken, shaking: false, sound: null }, ...lasting(TIMES.hush) }] : [];
      const flight = { event, from: '[data-action="roll"]', to: purse(event.seat) };
      const tiles = replaced(view.pyramid_tiles, event.seat, view.pyramid_tiles[event.seat] + 1);
      return [
        ...hush,
        { scene: { ...shaken, flight }, ...lasting(TIMES.shake, shaken.slow) },
        { scene: { ...shaken, view: { ...view, pyramid_tiles: tiles } }, ms: 0 },
      ];
    }
    case "die_drawn": {
      const out: Scene = { ...scene, shaking: false };
      const { camel, pips } = event;
      const flight = { event, from: "[data-rolled]", to: `[data-die="${camel}"]` };
      const tents = replaced(view.tents, camel, pips);
      return [
        {
          scene: { ...out, hush: slow > 1, die: { camel, pips: 0 }, sound: "die" },
          ...lasting(TIMES.fly, slow),
          untold: true,
        },
        { scene: { ...out, die: { camel, pips }, sound: "rest" }, ...lasting(TIMES.die, slow), still: true },
        { scene: { ...out, die: null, flight }, ...lasting(TIMES.tent) },
        { scene: { ...out, die: null, view: { ...view, tents } }, ms: 0 },
      ];
    }
    case "unit_lifted": {
      const track = withStack(view.track, event.space, event.left);
      const near = event.unit.length >= BIG ? event.space : null;
      return [carried({ ...scene, near }, track, event.unit, event.space, "lift", lasting(TIMES.lift, slow))];
    }
    case "unit_hopped": {
      const far = event.spaces.some((space) => space > LAST_SPACE);
      const near: Scene = far ? { ...scene, finish: "near", slow: FINISH } : scene;
      return event.spaces.map((space) => {
        const followed = far ? LAST_SPACE : scene.near && space;
        const from: Scene = { ...near, near: followed, dust: space - 1, sound: "knock" };
        return carried(from, view.track, event.unit, space, "hop", lasting(TIMES.hop, near.slow));
      });
    }
    case "desert_met":
      return [
        {
          scene: { ...scene, desert: event.space, sound: event.side > 0 ? "oasis" : "mirage" },
          ...lasting(TIMES.desert),
        },
      ];
    case "pound_paid": {
      const money = replaced(view.money, event.seat, event.money);
      const flight = { event, from: `li[data-space="${scene.desert ?? 1}"]`, to: purse(event.seat) };
      return [
        { scene: { ...scene, flight, sound: "coin" }, ...lasting(TIMES.coin) },
        { scene: { ...scene, view: { ...view, money } }, ms: 0 },
      ];
    }
    case "unit_landed": {
      const track = withStack(view.track, event.space, [...event.stack, ...event.unit]);
      const sound = event.stack.length > 0 ? "land" : "knock";
      const landing: Scene = { ...scene, near: scene.finish && scene.near, dust: event.space, sound };
      return settled(landing, track, event.unit, "land", lasting(TIMES.land, slow));
    }
    case "unit_slid_under": {
      const track = withStack(view.track, event.space, [...event.unit, ...event.stack]);
      const sliding: Scene = { ...scene, near: scene.finish && scene.near, dust: event.space, sound: "slide" };
      return settled(sliding, track, event.unit, "slide", lasting(TIMES.slide, slow));
    }
    case "finish_crossed":
      return [{ scene: { ...scene, finish: "crossed", sound: "cheer" }, ...lasting(TIMES.crossed), still: true }];
    case "leg_ended": {
      const scoring: Scoring = { leg: event.leg, ranking: event.ranking, legs: [], cards: [], whole: false };
      return [{ scene: { ...scene, near: null, scoring, sound: "podium" }, ...lasting(TIMES.scoreHead) }];
    }
    case "leg_scored": {
      if (scene.scoring === null) return [];
      const scoring: Scoring = { ...scene.scoring, legs: [...scene.scoring.legs, event] };
      const whole = scoring.legs.length === view.money.length;
      const money = replaced(view.money, event.seat, event.money);
      const paid: Scene = { ...scene, scoring: { ...scoring, whole }, view: { ...view, money } };
      const end = { scene: paid, ...lasting(whole ? TIMES.scoreEnd : TIMES.scoreIdle), still: whole };
      if (event.tiles.length === 0 && event.pyramid_tiles === 0) return [end];
      const flight = event.paid > 0 ? { event, from: `[data-paid="${event.seat}"]`, to: till(event.seat) } : null;
      const sound = event.paid > 1 ? "gain" : event.paid > 0 ? "coin" : event.paid < 0 ? "loss" : null;
      return [{ scene: { ...scene, scoring, flight, sound }, ...lasting(TIMES.scoreRow) }, end];
    }
    case "race_ended": {
      const ranking = scene.scoring?.ranking ?? [];
      const scoring: Scoring = { leg: null, ranking, legs: [], cards: [], whole: false };
      return [{ scene: { ...scene, near: null, scoring, sound: "podium" }, ...lasting(TIMES.scoreHead) }];
    }
    case "card_scored": {
      if (scene.scoring === null) return [];
      const decks = { winner: view.winner_deck.length, loser: view.loser_deck.length };
      const ms = Math.min(CARDS.most, Math.max(CARDS.least, CARDS.all / (decks.winner + decks.loser)));
      const scoring: Scoring = { ...scene.scoring, cards: [...scene.scoring.cards, event] };
      const turned: Scene = { ...scene, scoring };
      const way = { from: "[data-turned]", to: till(event.seat) };
      const flight = { event, ...(event.paid > 0 ? way : { from: way.to, to: way.from }) };
      const money = replaced(view.money, event.seat, event.money);
      return [
        { scene: { ...turned, sound: "card" }, ms: ms / 2 },
        {
          scene: { ...turned, flight: event.paid === 0 ? null : flight, sound: event.right ? "gain" : "loss" },
          ms: ms / 2,
        },
        { scene: { ...turned, view: { ...view, money } }, ms: 0, still: event.place === decks[event.deck] },
      ];
    }
    case "game_ended": {
      const scoring = scene.scoring && { ...scene.scoring, whole: true };
      return [{ scene: { ...scene, scoring, sound: "fanfare" }, ...lasting(TIMES.scoreEnd), still: true }];
    }
  }
}

/** Where every camel stands when nothing moves. */
export function places(track: readonly (readonly number[])[]): (Place | null)[] {
  const found: (Place | null)[] = [null, null, null, null, null];
  track.forEach((stack, space) => {
    stack.forEach((camel, level) => {
      found[camel] = { space, level, height: stack.length, by: "stand" };
    });
  });
  return found;
}

/** The camels from first to last, those in the air included; nothing before all are on the track. */
export function runningOrder(camels: readonly (Place | null)[]): number[] {
  const placed = camels.flatMap((place, camel) =>
    place ? [{ camel, at: place.space * camels.length + place.level }] : [],
  );
  if (placed.length < camels.length) return [];
  return placed.sort((a, b) => b.at - a.at).map(({ camel }) => camel);
}

function tumbling(place: Place): Place {
  return { ...place, by: "tumble" };
}

/** The unit in the air above whatever stands on `space`; `track` is without it. */
function carried(
  scene: Scene,
  track: CamelUpState["track"],
  unit: readonly number[],
  space: number,
  by: "lift" | "hop",
  time: { ms: number; linger: number },
): SceneStep<Scene> {
  const camels = places(track);
  const below = track[space]?.length ?? 0;
  unit.forEach((camel, place) => {
    camels[camel] = { space, level: below + place, height: below + unit.length, by };
  });
  return { scene: { ...scene, view: { ...scene.view, track }, camels, desert: null }, ...time };
}

/** The unit comes to its place; only there is that told. */
function settled(
  scene: Scene,
  track: CamelUpState["track"],
  unit: readonly number[],
  by: "land" | "slide",
  time: { ms: number; linger: number },
): SceneStep<Scene>[] {
  const camels = places(track).map((place, camel) =>
    place !== null && unit.includes(camel) ? { ...place, by } : place,
  );
  const there = { ...scene, view: { ...scene.view, track }, camels, desert: null };
  return [
    { scene: there, ...time, untold: true },
    { scene: { ...there, dust: null, sound: null }, ms: 0 },
  ];
}

function withStack(track: CamelUpState["track"], space: number, stack: readonly number[]): CamelUpState["track"] {
  return replaced(track, space, [...stack]);
}

function replaced<T>(values: readonly T[], place: number, value: T): T[] {
  return values.map((old, at) => (at === place ? value : old));
}
