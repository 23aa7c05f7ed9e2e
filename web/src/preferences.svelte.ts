/** What this browser remembers about how its visitor likes the page. */
import { LANGUAGES, type Language } from "./i18n/catalogue";
import type { Pace } from "./table/showing";

export interface Preferences {
  /** null: as the browser says */
  language: Language | null;
  theme: "system" | "light" | "dark";
  motion: "system" | "full" | "none";
  /** How long what others do, and all that moves, takes. */
  pace: PaceName;
  sound: boolean;
  /** How loud: above 0, up to 1. */
  volume: number;
  /** Whether to ask before what cannot be undone. */
  careful: boolean;
  /** Whether single keys do something at a table. */
  shortcuts: boolean;
  /** Whether to show the odds where a table allows it. */
  odds: boolean;
  /** Whether to tell of one's turn by a notification while the page is in the background. */
  notify: boolean;
  /** Whether that has been asked for at a table. */
  notifyAsked: boolean;
  /** The name last used at a table. */
  name: string;
  /** By game: the level last played against. */
  levels: Record<string, string>;
  /** By game: how many bots were played against last. */
  opponents: Record<string, number>;
}

/** The colour of the page, for the bars of whatever shows it: as in the theme. */
const PAPER = { light: "#fbf3e4", dark: "#1b1410" };

export const PACES = ["calm", "brisk", "instant"] as const;
export type PaceName = (typeof PACES)[number];

const SCALES: Record<PaceName, number> = { calm: 1, brisk: 0.5, instant: 0 };
/** Milliseconds between what two others do; longer where no motion leads from one to the next. */
const BETWEEN = { moving: 450, still: 1500 };

/** The name under which browsers have kept them from the beginning. */
const STORE = "serai.settings";

function remembered(): Preferences {
  const defaults: Preferences = {
    language: null,
    theme: "system",
    motion: "system",
    pace: "calm",
    sound: true,
    volume: 1,
    careful: false,
    shortcuts: true,
    odds: false,
    notify: false,
    notifyAsked: false,
    name: "",
    levels: {},
    opponents: {},
  };
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    const kept = { ...defaults, ...(stored as Partial<Preferences>) };
    if (!PACES.includes(kept.pace)) kept.pace = defaults.pace;
    if (kept.language !== null && !LANGUAGES.includes(kept.language)) kept.language = null;
    return kept;
  } catch {
    return defaults;
  }
}

export const preferences: Preferences = $state(remembered());

$effect.root(() => {
  $effect(() => {
    const text = JSON.stringify(preferences);
    try {
      localStorage.setItem(STORE, text);
    } catch {
      // A browser that stores nothing still plays.
    }
  });
  $effect(() => {
    const root = document.documentElement;
    if (preferences.theme === "system") delete root.dataset.theme;
    else root.dataset.theme = preferences.theme;
    root.dataset.motion = preferences.motion;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const theme = preferences.theme === "system" ? (meta.media.includes("dark") ? "dark" : "light") : preferences.theme;
      meta.content = PAPER[theme];
    }
  });
});

/** Whether things should move. */
export function moving(): boolean {
  if (preferences.motion !== "system") return preferences.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** How fast things are shown here and now; nobody sees what a hidden page shows. */
export function pace(): Pace {
  const moves = moving();
  const visible = document.visibilityState === "visible";
  const between = moves ? BETWEEN.moving : BETWEEN.still;
  return { moving: moves, scale: visible ? SCALES[preferences.pace] : 0, between, visible };
}
