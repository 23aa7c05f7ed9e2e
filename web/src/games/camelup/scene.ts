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
  by: "stand" | "lift" | "hop" | "land" | "slide";
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
  /** How many times longer than usual everything takes: what decides a leg is watched closely. */
  slow: number;
  /** A tile, a card or a coin on its way to whoever gets it. */
  flight: Route | null;
  /** A space whose desert tile is at work. */
  desert: number | null;
  scoring: Scoring | null;
  /** What is heard as the moment begins. */
  sound: SoundName | null;
}

export const TIMES = {
  shake: 450,
  fly: 480,
  die: 480,
  tent: 260,
  lift: 180,
  hop: 210,
  land: 200,
  slide: 380,
  desert: 350,
  coin: 450,
  tile: 700,
  place: 260,
  crossed: 1800,
  scoreHead: 1200,
  scoreRow: 800,
  scoreIdle: 150,
  scoreEnd: 2600,
  /** All race cards together, and the least and the most for one. */
  cards: 13_000,
  cardLeast: 420,
  cardMost: 1200,
} as const;

const DICE = 5;
const LAST_DIE = 1.7;
const FINISH = 2.2;

export function sceneOf(view: CamelUpState): Scene {
  return {
    view,
    camels: places(view.track),
    shaking: false,
    die: null,
    dust: null,
    finish: null,
    slow: 1,
    flight: null,
    desert: null,
    scoring: null,
    sound: null,
  };
}

const purse = (seat: number): string => `[data-purse="${seat}"]`;
/** Money on the sheet on which a scoring is written. */
const till = (seat: number): string => `[data-till="${seat}"]`;

/** What an event looks like. */
export function steps(before: Scene, event: Event): SceneStep<Scene>[] {
  const scene: Scene = { ...before, flight: null, dust: null, sound: null };
  const { view, slow } = scene;
  /** A piece flies, and only then is the view what it leads to. */
  const flown = (from: string, to: string, ms: number, changes: Partial<CamelUpState>): SceneStep<Scene>[] => [
    { scene: { ...scene, flight: { event, from, to } }, ms },
    { scene: { ...scene, view: { ...view, ...changes } }, ms: 0 },
  ];
  switch (event.type) {
    case "camel_placed": {
      const track = withStack(view.track, event.space, [...event.stack, event.camel]);
      const tents = replaced(view.tents, event.camel, event.space);
      return [rest(scene, { ...view, track, tents }, TIMES.place)];
    }
    case "leg_began":
      return [];
    case "leg_tile_taken": {
      const takers = [...view.leg_bets[event.camel], event.seat];
      const from = `[data-action="leg ${CAMELS[event.camel].name}"]`;
      return flown(from, purse(event.seat), TIMES.tile, { leg_bets: replaced(view.leg_bets, event.camel, takers) });
    }
    case "desert_placed": {
      const deserts = replaced(view.deserts, event.seat, event.side * event.space);
      return flown(purse(event.seat), `li[data-space="${event.space}"]`, TIMES.tile, { deserts });
    }
    case "card_laid": {
      const name = event.deck === "winner" ? "winner_deck" : "loser_deck";
      const deck: CamelUpState["winner_deck"] = [...view[name], [event.seat, event.camel]];
      const hand = view.hands[event.seat];
      const without = hand.filter((card, place) => (event.camel === null ? place > 0 : card !== event.camel));
      const own = event.camel === null ? purse(event.seat) : `[data-action="card ${CAMELS[event.camel].name}"]`;
      const changes = { [name]: deck, hands: replaced(view.hands, event.seat, without) };
      return flown(own, `[data-deck="${event.deck}"]`, TIMES.tile, changes);
    }
    case "pyramid_tile_taken": {
      const last = view.tents.filter((pips) => pips > 0).length === DICE - 1;
      const shaken: Scene = { ...scene, shaking: true, slow: last ? LAST_DIE : 1, sound: last ? "roll" : "rattle" };
      const flight = { event, from: '[data-action="roll"]', to: purse(event.seat) };
      const tiles = replaced(view.pyramid_tiles, event.seat, view.pyramid_tiles[event.seat] + 1);
      return [
        { scene: { ...shaken, flight }, ms: TIMES.shake * shaken.slow },
        { scene: { ...shaken, view: { ...view, pyramid_tiles: tiles } }, ms: 0 },
      ];
    }
    case "die_drawn": {
      const out: Scene = { ...scene, shaking: false };
      const { camel, pips } = event;
      const flight = { event, from: "[data-rolled]", to: `[data-die="${camel}"]` };
      const tents = replaced(view.tents, camel, pips);
      return [
        { scene: { ...out, die: { camel, pips: 0 }, sound: "die" }, ms: TIMES.fly * slow, untold: true },
        { scene: { ...out, die: { camel, pips } }, ms: TIMES.die * slow, still: true },
        { scene: { ...out, die: null, flight }, ms: TIMES.tent },
        { scene: { ...out, die: null, view: { ...view, tents } }, ms: 0 },
      ];
    }
    case "unit_lifted": {
      const track = withStack(view.track, event.space, event.left);
      return [carried(scene, track, event.unit, event.space, "lift", TIMES.lift * slow)];
    }
    case "unit_hopped": {
      const far = event.spaces.some((space) => space > LAST_SPACE);
      const near: Scene = far ? { ...scene, finish: "near", slow: FINISH } : scene;
      return event.spaces.map((space) => {
        const from: Scene = { ...near, dust: space - 1, sound: "knock" };
        return carried(from, view.track, event.unit, space, "hop", TIMES.hop * near.slow);
      });
    }
    case "desert_met":
      return [{ scene: { ...scene, desert: event.space }, ms: TIMES.desert }];
    case "pound_paid": {
      const money = replaced(view.money, event.seat, event.money);
      const flight = { event, from: `li[data-space="${scene.desert ?? 1}"]`, to: purse(event.seat) };
      return [
        { scene: { ...scene, flight, sound: "coin" }, ms: TIMES.coin },
        { scene: { ...scene, view: { ...view, money } }, ms: 0 },
      ];
    }
    case "unit_landed": {
      const track = withStack(view.track, event.space, [...event.stack, ...event.unit]);
      const landing: Scene = { ...scene, dust: event.space, sound: "knock" };
      return [settled(landing, track, event.unit, "land", TIMES.land * slow)];
    }
    case "unit_slid_under": {
      const track = withStack(view.track, event.space, [...event.unit, ...event.stack]);
      const sliding: Scene = { ...scene, dust: event.space, sound: "slide" };
      return [settled(sliding, track, event.unit, "slide", TIMES.slide * slow)];
    }
    case "finish_crossed":
      return [{ scene: { ...scene, finish: "crossed", sound: "cheer" }, ms: TIMES.crossed, still: true }];
    case "leg_ended": {
      const scoring: Scoring = { leg: event.leg, ranking: event.ranking, legs: [], cards: [], whole: false };
      return [{ scene: { ...scene, scoring, sound: "podium" }, ms: TIMES.scoreHead }];
    }
    case "leg_scored": {
      if (scene.scoring === null) return [];
      const scoring: Scoring = { ...scene.scoring, legs: [...scene.scoring.legs, event] };
      const whole = scoring.legs.length === view.money.length;
      const money = replaced(view.money, event.seat, event.money);
      const paid: Scene = { ...scene, scoring: { ...scoring, whole }, view: { ...view, money } };
      const end = { scene: paid, ms: whole ? TIMES.scoreEnd : TIMES.scoreIdle, still: whole };
      if (event.tiles.length === 0 && event.pyramid_tiles === 0) return [end];
      const flight = event.paid > 0 ? { event, from: `[data-paid="${event.seat}"]`, to: till(event.seat) } : null;
      const sound = event.paid > 0 ? "coin" : event.paid < 0 ? "loss" : null;
      return [{ scene: { ...scene, scoring, flight, sound }, ms: TIMES.scoreRow }, end];
    }
    case "race_ended": {
      const ranking = scene.scoring?.ranking ?? [];
      const scoring: Scoring = { leg: null, ranking, legs: [], cards: [], whole: false };
      return [{ scene: { ...scene, scoring, sound: "podium" }, ms: TIMES.scoreHead }];
    }
    case "card_scored": {
      if (scene.scoring === null) return [];
      const decks = { winner: view.winner_deck.length, loser: view.loser_deck.length };
      const ms = Math.min(TIMES.cardMost, Math.max(TIMES.cardLeast, TIMES.cards / (decks.winner + decks.loser)));
      const scoring: Scoring = { ...scene.scoring, cards: [...scene.scoring.cards, event] };
      const turned: Scene = { ...scene, scoring };
      const way = { from: "[data-turned]", to: till(event.seat) };
      const flight = { event, ...(event.paid > 0 ? way : { from: way.to, to: way.from }) };
      const money = replaced(view.money, event.seat, event.money);
      return [
        { scene: { ...turned, sound: "card" }, ms: ms / 2 },
        {
          scene: { ...turned, flight: event.paid === 0 ? null : flight, sound: event.right ? "coin" : "loss" },
          ms: ms / 2,
        },
        { scene: { ...turned, view: { ...view, money } }, ms: 0, still: event.place === decks[event.deck] },
      ];
    }
    case "game_ended": {
      const scoring = scene.scoring && { ...scene.scoring, whole: true };
      return [{ scene: { ...scene, scoring, sound: "fanfare" }, ms: TIMES.scoreEnd, still: true }];
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

function rest(scene: Scene, view: CamelUpState, ms: number): SceneStep<Scene> {
  return { scene: { ...scene, view, camels: places(view.track) }, ms };
}

/** The unit in the air above whatever stands on `space`; `track` is without it. */
function carried(
  scene: Scene,
  track: CamelUpState["track"],
  unit: readonly number[],
  space: number,
  by: "lift" | "hop",
  ms: number,
): SceneStep<Scene> {
  const camels = places(track);
  const below = track[space]?.length ?? 0;
  unit.forEach((camel, place) => {
    camels[camel] = { space, level: below + place, height: below + unit.length, by };
  });
  return { scene: { ...scene, view: { ...scene.view, track }, camels, desert: null }, ms };
}

function settled(
  scene: Scene,
  track: CamelUpState["track"],
  unit: readonly number[],
  by: "land" | "slide",
  ms: number,
): SceneStep<Scene> {
  const camels = places(track).map((place, camel) =>
    place !== null && unit.includes(camel) ? { ...place, by } : place,
  );
  return { scene: { ...scene, view: { ...scene.view, track }, camels, desert: null }, ms };
}

function withStack(track: CamelUpState["track"], space: number, stack: readonly number[]): CamelUpState["track"] {
  return replaced(track, space, [...stack]);
}

function replaced<T>(values: readonly T[], place: number, value: T): T[] {
  return values.map((old, at) => (at === place ? value : old));
}
