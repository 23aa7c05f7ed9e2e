/** What lights up on the board because it is pointed at elsewhere: the cells of a line of the story, a player's figures. */
export interface Lit {
  cells: number[];
  seat: number | null;
}

export const NOTHING_LIT: Lit = { cells: [], seat: null };

/** Tells what is pointed at within a part of the page, from the first time that something is. */
export function pointing(light: (lit: Lit) => void): (part: HTMLElement) => () => void {
  return (part) => {
    const listening = new AbortController();
    const once = new AbortController();
    const begin = ({ target }: Event) => {
      once.abort();
      void import("./pointing").then(({ point }) => point(part, target as Element, light, listening.signal), () => undefined);
    };
    for (const kind of ["pointerover", "focusin"]) part.addEventListener(kind, begin, once);
    return () => {
      once.abort();
      listening.abort();
    };
  };
}
