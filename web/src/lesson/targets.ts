/** Where on the page what is taught is done: each game says so in a file of its own, needed by nobody else. */
export type Targets = (action: object) => string[];

const FILES = import.meta.glob<{ targets: Targets }>("../games/*/targets.ts");

/** By action, the places in the order in which they are looked for; none for a game that names none. */
export async function targetsOf(game: string): Promise<Targets> {
  const load = FILES[`../games/${game}/targets.ts`];
  return load ? (await load()).targets : () => [];
}

/** The first of these places that can be seen; a question on screen comes before what it was asked about. */
export function found(places: string[]): Element | null {
  for (const place of places.length > 0 ? ["main [role=dialog]", ...places] : []) {
    const shown = [...document.querySelectorAll(place)].find((one) => one.getBoundingClientRect().width > 0);
    if (shown) return shown;
  }
  return null;
}
