/** The language on screen. Everything that calls `t` is drawn anew when it changes. */
import { settings } from "../settings.svelte";
import { fill, preferred, type Catalogue, type Key, type Language, type Values } from "./catalogue";

const LOADERS: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => import("../../../locales/en.json"),
  de: () => import("../../../locales/de.json"),
  fr: () => import("../../../locales/fr.json"),
};

let current = $state.raw<{ language: Language; catalogue: Catalogue } | null>(null);

export async function startLanguage(): Promise<void> {
  await speak(settings.language ?? preferred(navigator.languages));
}

/** Switch to a language chosen by hand, and remember it. */
export async function chooseLanguage(language: Language): Promise<void> {
  settings.language = language;
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  const catalogue = (await LOADERS[language]()).default as Catalogue;
  current = { language, catalogue };
  document.documentElement.lang = language;
}

export function language(): Language {
  return current?.language ?? "en";
}

/** The sentence of a key, with its values filled in. */
export function t(key: Key, values: Values = {}): string {
  if (current === null) return "";
  return fill(current.catalogue[key], values, current.language);
}

/** Whether a name that came over the wire (a reason, an option, a bot) is a key that can be said. */
export function isKey(name: string): name is Key {
  return current !== null && name in current.catalogue;
}

/** Several names as one would say them: a, b and c. */
export function list(names: string[]): string {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}

/** A sentence that begins with a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}
