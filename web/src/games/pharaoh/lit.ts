/** What lights up on the board because it is pointed at elsewhere: what a line of the story is about, a player's figures. */
import type { LogEntry } from "../../session/log";
import type { Someone } from "./geometry";

export interface Lit {
  cells: number[];
  figures: Someone[];
  /** The player who was chosen, not only passed by a mouse. */
  seat: number | null;
}

export const NOTHING_LIT: Lit = { cells: [], figures: [], seat: null };

/** Tells what is pointed at within a part of the page, from the first time that something is. */
export function pointing(light: (lit: Lit) => void, log: () => LogEntry[]): (part: HTMLElement) => () => void {
  return (part) => {
    const listening = new AbortController();
    const once = new AbortController();
    let last: Event | null = null;
    const begin = (event: Event) => {
      // A finger means what it taps, not what it passes.
      if (event.type === "pointerover" && (event as PointerEvent).pointerType !== "mouse") return;
      const begun = last !== null;
      last = event;
      if (begun) return;
      void import("./pointing").then(
        ({ point }) => {
          once.abort();
          if (last !== null) point(part, last, light, log, listening.signal);
        },
        () => (last = null),
      );
    };
    for (const kind of ["pointerover", "focusin", "click"]) part.addEventListener(kind, begin, once);
    return () => {
      once.abort();
      listening.abort();
    };
  };
}
