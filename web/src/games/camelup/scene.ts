/**
 * What the board shows at one moment, and the steps in which an event is shown. Pure: the board draws scenes, the clock
 * gives each its time. No rule lives here; an event says what happened, and the view that follows it is the truth.
 */
import type { Route } from "../../table/Flight.svelte";
import type { Step } from "../../table/showing";
import { CAMELS } from "./art/camels";
import type { Event, CamelUpState, LegScored, CardScored } from "./messages";

export interface Place {
  space: number;
  level: number;
  height: number;
  /** How the camel comes here from where it was. */
  by: "stand" | "lift" | "hop" | "land" | "slide";
}

export interface Scoring {
  leg: number | null;
  ranking: number[];
  legs: LegScored[];
  cards: CardScored[];
}

export interface Scene {
  view: CamelUpState;
  /** By camel; null before it is placed. */
  camels: (Place | null)[];
  /** The pyramid is being shaken. */
  shaking: boolean;
  /** A die in the open air. */
  die: { camel: number; pips: number } | null;
  /** A tile, a card or a coin on its way to whoever gets it. */
  flight: Route | null;
  /** A space whose desert tile is at work. */
  desert: number | null;
  scoring: Scoring | null;
}

export const TIMES = {
  shake: 450,
  die: 650,
  lift: 180,
  hop: 210,
  land: 200,
  slide: 380,
  desert: 350,
  coin: 450,
  tile: 700,
  place: 260,
  scoreHead: 900,
  scoreRow: 1000,
  scoreCard: 750,
  scoreEnd: 2600,
} as const;

export function sceneOf(view: CamelUpState): Scene {
  return {
    view,
    camels: places(view.track),
    shaking: false,
    die: null,
    flight: null,
    desert: null,
    scoring: null,
  };
}

const purse = (seat: number): string => `[data-purse="${seat}"]`;

/** What an event looks like. */
export function steps(before: Scene, event: Event): Step<Scene>[] {
  const scene: Scene = { ...before, flight: null };
  const { view } = scene;
  /** A piece flies, and only then is the view what it leads to. */
  const flown = (from: string, to: string, ms: number, changes: Partial<CamelUpState>): Step<Scene>[] => [
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
      const tiles = replaced(view.pyramid_tiles, event.seat, view.pyramid_tiles[event.seat] + 1);
      return [{ scene: { ...scene, shaking: true, view: { ...view, pyramid_tiles: tiles } }, ms: TIMES.shake }];
    }
    case "die_drawn": {
      const die = { camel: event.camel, pips: event.pips };
      const tents = replaced(view.tents, event.camel, event.pips);
      return [
        { scene: { ...scene, shaking: false, die }, ms: TIMES.die, still: true },
        { scene: { ...scene, shaking: false, die: null, view: { ...view, tents } }, ms: 0 },
      ];
    }
    case "unit_lifted": {
      const track = withStack(view.track, event.space, event.left);
      return [carried(scene, track, event.unit, event.space, "lift", TIMES.lift)];
    }
    case "unit_hopped":
      return event.spaces.map((space) => carried(scene, view.track, event.unit, space, "hop", TIMES.hop));
    case "desert_met":
      return [{ scene: { ...scene, desert: event.space }, ms: TIMES.desert }];
    case "pound_paid": {
      const money = replaced(view.money, event.seat, event.money);
      return flown(`li[data-space="${scene.desert ?? 1}"]`, purse(event.seat), TIMES.coin, { money });
    }
    case "unit_landed": {
      const track = withStack(view.track, event.space, [...event.stack, ...event.unit]);
      return [settled(scene, track, event.unit, "land", TIMES.land)];
    }
    case "unit_slid_under": {
      const track = withStack(view.track, event.space, [...event.unit, ...event.stack]);
      return [settled(scene, track, event.unit, "slide", TIMES.slide)];
    }
    case "finish_crossed":
      return [{ scene, ms: TIMES.scoreHead }];
    case "leg_ended": {
      const scoring: Scoring = { leg: event.leg, ranking: event.ranking, legs: [], cards: [] };
      return [{ scene: { ...scene, scoring }, ms: TIMES.scoreHead }];
    }
    case "leg_scored": {
      if (scene.scoring === null) return [];
      const scoring = { ...scene.scoring, legs: [...scene.scoring.legs, event] };
      const money = replaced(view.money, event.seat, event.money);
      const last = scoring.legs.length === view.money.length;
      const nothing = event.tiles.length === 0 && event.pyramid_tiles === 0;
      const ms = last ? TIMES.scoreEnd : nothing ? TIMES.scoreRow / 3 : TIMES.scoreRow;
      const flight = event.paid > 0 ? { event, from: `[data-row="${event.seat}"]`, to: purse(event.seat) } : null;
      return [{ scene: { ...scene, flight, scoring, view: { ...view, money } }, ms, still: last }];
    }
    case "race_ended": {
      const scoring: Scoring = { leg: null, ranking: scene.scoring?.ranking ?? [], legs: [], cards: [] };
      return [{ scene: { ...scene, scoring }, ms: TIMES.scoreHead }];
    }
    case "card_scored": {
      if (scene.scoring === null) return [];
      const scoring = { ...scene.scoring, cards: [...scene.scoring.cards, event] };
      const money = replaced(view.money, event.seat, event.money);
      return [{ scene: { ...scene, scoring, view: { ...view, money } }, ms: TIMES.scoreCard }];
    }
    case "game_ended":
      return [{ scene, ms: TIMES.scoreRow, still: true }];
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

function rest(scene: Scene, view: CamelUpState, ms: number): Step<Scene> {
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
): Step<Scene> {
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
): Step<Scene> {
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
