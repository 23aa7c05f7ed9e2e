/** What this browser remembers about how its visitor likes the page. */
import { LANGUAGES, type Language } from "./i18n/catalogue";

export interface Settings {
  /** null: as the browser says */
  language: Language | null;
  theme: "system" | "light" | "dark";
  motion: "system" | "full" | "none";
  sound: boolean;
  /** Whether to ask before what cannot be undone. */
  confirm: boolean;
  /** Whether to show the odds where a table allows it. */
  odds: boolean;
  /** Whether to tell of one's turn by a notification while the page is in the background. */
  notify: boolean;
  /** The name last used at a table. */
  name: string;
}

const STORE = "serai.settings";

function remembered(): Settings {
  const touch = matchMedia("(pointer: coarse)").matches;
  const defaults: Settings = {
    language: null,
    theme: "system",
    motion: "system",
    sound: true,
    confirm: touch,
    odds: false,
    notify: false,
    name: "",
  };
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    const settings = { ...defaults, ...(stored as Partial<Settings>) };
    if (settings.language !== null && !LANGUAGES.includes(settings.language)) settings.language = null;
    return settings;
  } catch {
    return defaults;
  }
}

export const settings: Settings = $state(remembered());

$effect.root(() => {
  $effect(() => {
    const text = JSON.stringify(settings);
    try {
      localStorage.setItem(STORE, text);
    } catch {
      // A browser that stores nothing still plays.
    }
  });
  $effect(() => {
    const root = document.documentElement;
    if (settings.theme === "system") delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
    root.dataset.motion = settings.motion;
  });
});

/** Whether things should move. */
export function moving(): boolean {
  if (settings.motion !== "system") return settings.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
