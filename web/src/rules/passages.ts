/** Parts a paragraph of the rules at the numbers of the law within it. */

/** Some sentences with the rules that they tell; none where they tell no rule of the law. */
export interface Passage {
  words: string;
  rules: string[];
}

/** The passages of a paragraph, each up to the numbers behind it. */
export function passages(text: string): Passage[] {
  return [...text.matchAll(/(.+?)(?: \[([\d., ]+)\]|$)/g)].map(([, words, rules]) => ({
    words,
    rules: rules?.split(", ") ?? [],
  }));
}
