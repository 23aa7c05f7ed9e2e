/** Which component each screen is: all but the first are loaded when they are opened. */
import type { Component } from "svelte";
import type { Route } from "./router.svelte";
import type { LateModule } from "./ui/Later.svelte";

export interface Screen {
  load: () => Promise<LateModule<any>>;
  props: object;
}

function screen<Props extends object>(load: () => Promise<{ default: Component<Props> }>, props: Props): Screen {
  return { load, props };
}

type Screens = { [Name in Route["screen"]]: (route: Extract<Route, { screen: Name }>) => Screen | null };

const SCREENS: Screens = {
  home: () => null,
  new: ({ game }) => screen(() => import("./pages/new/NewTable.svelte"), { wanted: game }),
  about: () => screen(() => import("./pages/about/About.svelte"), {}),
  privacy: () => screen(() => import("./pages/privacy/PrivacyPage.svelte"), {}),
  host: () => screen(() => import("./pages/host/HostPage.svelte"), {}),
  mine: () => screen(() => import("./pages/history/HistoryPage.svelte"), {}),
  move: () => screen(() => import("./pages/handover/HandoverPage.svelte"), {}),
  table: ({ id }) => screen(() => import("./table/TablePage.svelte"), { id }),
  replay: ({ id, at, review }) => screen(() => import("./pages/replay/ReplayPage.svelte"), { id, at, review }),
  lesson: ({ game }) => screen(() => import("./pages/lesson/LessonPage.svelte"), { name: game }),
  train: ({ game, id }) =>
    id === ""
      ? screen(() => import("./pages/train/TrainPage.svelte"), { game })
      : screen(() => import("./pages/train/ExercisePage.svelte"), { name: game, id }),
  theme: ({ game, theme }) => screen(() => import("./pages/train/ThemePage.svelte"), { game, theme }),
  rules: ({ game }) => screen(() => import("./pages/rules/RulesPage.svelte"), { game }),
  insights: ({ game }) => screen(() => import("./pages/insights/InsightsPage.svelte"), { game }),
  game: ({ game, page }) => screen(() => import("./pages/GamePage.svelte"), { game, name: page }),
};

/** The screen of an address; null for the first one, which is always there. */
export function screenOf(route: Route): Screen | null {
  const make = SCREENS[route.screen] as (route: Route) => Screen | null;
  return make(route);
}

/** A screen is made anew when its key changes: a replay and an exercise even if one comes to the same address again. */
export function keyOf(route: Route): unknown {
  return route.screen === "replay" || route.screen === "train" ? route : JSON.stringify(route);
}
