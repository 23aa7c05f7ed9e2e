/** The language on screen. Everything that calls `t` is drawn anew when it changes. */
import loaders from "virtual:catalogues";
import { fill, preferred, type Catalogue, type Key, type Language, type ValuesFor } from "./catalogue";

let current = $state.raw<{ language: Language; catalogue: Partial<Catalogue> } | null>(null);
/** The parts of the catalogue that are at hand besides the page's own, as those of the games that were opened. */
const known = new Set<string>();
/** The change that was asked for last: one follows the other, so that none undoes what another has brought. */
let changing: Promise<void> = Promise.resolve();

/** Begin with the language that was chosen before, or else with the browser's. */
export async function startLanguage(chosen: Language | null): Promise<void> {
  await speak(chosen ?? preferred(navigator.languages));
}

export async function chooseLanguage(language: Language): Promise<void> {
  await speak(language);
}

/**
 * Bring parts of the catalogue before they are said: those of a game (`GAME`), of its options (`GAME.option`), of its
 * guided game (`lesson.GAME`), of its advice (`advice.GAME`) and so on. A component that is shown by `ui/Later` names
 * its parts as `words` instead.
 */
export async function learnWords(...parts: string[]): Promise<void> {
  await speak(null, parts);
}

/** Bring every part that is needed in a language, the one on screen where none is named, and some parts more. */
function speak(wanted: Language | null, more: readonly string[] = []): Promise<void> {
  const change = async (): Promise<void> => {
    const spoken = wanted ?? language();
    if (current?.language === spoken && more.every((part) => known.has(part))) return;
    const page = await loaders[spoken]();
    const missing = more.filter((part) => part in page.parts && !known.has(part));
    if (current?.language === spoken && missing.length === 0) return;
    const needed = new Set([...known, ...missing]);
    const brought = await Promise.all([page, ...[...needed].map((part) => page.parts[part]!())]);
    for (const part of missing) known.add(part);
    current = { language: spoken, catalogue: Object.assign({}, ...brought.map((one) => one.default)) };
    document.documentElement.lang = spoken;
  };
  changing = changing.then(change, change);
  return changing;
}

export function language(): Language {
  return current?.language ?? "en";
}

/** How dates are written: our English is British. */
export function dateLocale(): string {
  return language() === "en" ? "en-GB" : language();
}

/** The sentence of a key, with its values filled in. */
export function t<K extends Key>(key: K, ...[values = {}]: ValuesFor<K>): string {
  if (current === null) return "";
  const sentence = current.catalogue[key];
  if (sentence === undefined) throw new Error(`${key} is said before its part of the catalogue is loaded`);
  return fill(sentence, values, current.language);
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
