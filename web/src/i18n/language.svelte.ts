/** The language on screen. Everything that calls `t` is drawn anew when it changes. */
import loaders from "virtual:catalogues";
import { preferences } from "../preferences.svelte";
import { fill, preferred, type Catalogue, type Key, type Language, type Values } from "./catalogue";

let current = $state.raw<{ language: Language; catalogue: Partial<Catalogue> } | null>(null);
/** The parts of the catalogue that are at hand: the page's own, and those of the games that were opened. */
const parts = new Set(["page"]);
/** The change that was asked for last: one follows the other, so that none undoes what another has brought. */
let changing: Promise<void> = Promise.resolve();

export async function startLanguage(): Promise<void> {
  await speak(preferences.language ?? preferred(navigator.languages));
}

/** Switch to a language chosen by hand, and remember it. */
export async function chooseLanguage(language: Language): Promise<void> {
  preferences.language = language;
  await speak(language);
}

/** Have the words of a game (the part `GAME`) at hand before they are said, or those of what is told of it elsewhere: its
 * options (`GAME.option`), its guided game (`lesson.GAME`), its advice (`advice.GAME`).
 */
export async function learnWords(part: string): Promise<void> {
  if (!(part in loaders.en)) return;
  await speak(null, part);
}

/** Bring every part that is needed in a language: the one on screen where none is named. */
function speak(wanted: Language | null, part = "page"): Promise<void> {
  const change = async (): Promise<void> => {
    const spoken = wanted ?? language();
    if (current?.language === spoken && parts.has(part)) return;
    const needed = new Set([...parts, part]);
    const brought = await Promise.all([...needed].map((one) => loaders[spoken][one]()));
    parts.add(part);
    current = { language: spoken, catalogue: Object.assign({}, ...brought.map((one) => one.default)) };
    document.documentElement.lang = spoken;
  };
  changing = changing.then(change, change);
  return changing;
}

export function language(): Language {
  return current?.language ?? "en";
}

/** The sentence of a key, with its values filled in. */
export function t(key: Key, values: Values = {}): string {
  if (current === null) return "";
  const sentence = current.catalogue[key];
  if (sentence === undefined) throw new Error(`the words of ${key} are not at hand: learnWords comes first`);
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
