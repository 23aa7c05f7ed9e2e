/** What a catalogue is, and how one of its sentences is made from values. Pure: knows nothing of the page. */
import type english from "../../../locales/en.json";
import type { ValuesOf } from "../../tools/values";

export type Key = keyof typeof english;
/** A sentence, or one per plural form of its value `count`. */
export type Sentence = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Record<Key, Sentence>;
export type Values = Record<string, string | number>;

/** The values that the sentences of these keys need: any for a key that is only known when the page runs. */
export type ValuesFor<K extends Key> = Key extends K
  ? [values?: Values]
  : [Extract<K, keyof ValuesOf>] extends [never]
    ? [values?: undefined]
    : [values: Together<Extract<K, keyof ValuesOf>>];
type Together<K extends keyof ValuesOf> = (K extends unknown ? (values: ValuesOf[K]) => void : never) extends (
  values: infer All extends Values,
) => void
  ? All
  : never;

export const LANGUAGES = ["en", "de", "fr"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language to begin with: the first of the browser's that there is a catalogue for. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = LANGUAGES.find((known) => tag.toLowerCase().split("-")[0] === known);
    if (language) return language;
  }
  return "en";
}

export function fill(sentence: Sentence, values: Values, language: Language): string {
  const pattern = typeof sentence === "string" ? sentence : pluralForm(sentence, Number(values.count), language);
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value) : value;
  });
}

function pluralForm(forms: Exclude<Sentence, string>, count: number, language: Language): string {
  return forms[new Intl.PluralRules(language).select(count)] ?? forms.other ?? "";
}

/** A number as it is shown: with a real minus sign. */
export function number(value: number): string {
  return value < 0 ? `−${-value}` : String(value);
}

/** An amount that is gained or lost, always with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : number(value);
}
