/** What this browser remembers about how its visitor likes the page. */
import { untrack } from "svelte";
import { keep, keptFields } from "../kept";
import { LANGUAGES, type Language } from "../i18n/catalogue";

export interface Preferences {
  /** null: as the browser says */
  language: Language | null;
  /** `system`: as the device, or as the game on screen wants it */
  theme: "system" | "light" | "dark";
  motion: "system" | "full" | "none";
  /** How long what others do, and all that moves, takes. */
  pace: PaceName;
  sound: boolean;
  /** How loud: above 0, up to 1. */
  volume: number;
  /** Whether what is always there is heard, too: people, wind. */
  ambience: boolean;
  /** Whether a device that is held in the hand may shake. */
  vibration: boolean;
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
    ambience: false,
    vibration: true,
    careful: false,
    shortcuts: true,
    odds: false,
    notify: false,
    notifyAsked: false,
    name: "",
    levels: {},
    opponents: {},
  };
  const found = { ...defaults, ...keptFields(STORE) };
  if (!PACES.includes(found.pace)) found.pace = defaults.pace;
  if (found.language !== null && !LANGUAGES.includes(found.language)) found.language = null;
  return found;
}

export const preferences: Preferences = $state(remembered());

/** What the browser keeps of each, as far as this tab knows. */
let known = written();

function written(): Map<string, string> {
  return new Map(Object.entries(preferences).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Keep what was changed here; what another tab has changed stays. */
function save(): void {
  const now = written();
  const changed = Object.entries(preferences).filter(([name]) => now.get(name) !== known.get(name));
  known = now;
  if (changed.length > 0) keep(STORE, { ...keptFields(STORE), ...Object.fromEntries(changed) });
}

/** Take over what another tab has changed. */
function follow(): void {
  const found = remembered();
  for (const name of Object.keys(found) as (keyof Preferences)[])
    if (JSON.stringify(found[name]) !== known.get(name)) Object.assign(preferences, { [name]: found[name] });
  known = written();
}

/** How much of what is on screen is played by night. */
let nights = $state(0);

/** Night until what is returned is called, unless the visitor has chosen a theme. */
export function byNight(): () => void {
  const add = (more: number) => untrack(() => (nights += more));
  add(1);
  return () => add(-1);
}

/** Whether it is night on the page. */
export function night(): boolean {
  const theme = preferences.theme === "system" && nights > 0 ? "dark" : preferences.theme;
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

$effect.root(() => {
  $effect(save);
  $effect(() => {
    addEventListener("storage", ({ key }) => {
      // Without a name everything was cleared.
      if (key === STORE || key === null) follow();
    });
  });
  $effect(() => {
    const root = document.documentElement;
    const theme = preferences.theme === "system" && nights > 0 ? "dark" : preferences.theme;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    root.dataset.motion = preferences.motion;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = PAPER[theme === "system" ? (meta.media.includes("dark") ? "dark" : "light") : theme];
    }
  });
});

/** Whether things should move. */
export function moving(): boolean {
  if (preferences.motion !== "system") return preferences.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
