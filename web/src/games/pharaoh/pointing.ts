/** Finds out what is pointed at in the story and in the list of players, so that it lights up on the board. */
import { NOTHING_LIT, type Lit } from "./lit";
import { CELLS, cellName } from "./pieces";

/** The cells that a sentence names, in any language. */
export function cellsIn(sentence: string): number[] {
  return CELLS.filter((cell) => new RegExp(`\\b${cellName(cell)}\\b`).test(sentence));
}

/** What a line is about: one of the story, or of the list of players. */
function about(line: Element): Lit {
  const seat = line.querySelector<HTMLElement>("[data-purse]")?.dataset.purse;
  if (seat !== undefined) return { cells: [], seat: Number(seat) };
  return { cells: line.closest("ol") ? cellsIn(line.textContent) : [], seat: null };
}

/** Listens for what is pointed at: hovered, focused, tapped, or reached by arrow keys in a list that has the focus. */
export function point(part: HTMLElement, first: Element, light: (lit: Lit) => void, listening: AbortSignal): void {
  let line: Element | null = null;
  const show = (place: Element | null) => {
    line?.removeAttribute("data-lit");
    line = place?.closest("li") ?? null;
    const lit = line === null ? NOTHING_LIT : about(line);
    if (lit.cells.length > 0 || lit.seat !== null) line?.setAttribute("data-lit", "");
    light(lit);
  };
  const hear = <Kind extends keyof HTMLElementEventMap>(kind: Kind, tell: (event: HTMLElementEventMap[Kind]) => void) =>
    part.addEventListener(kind, tell, { signal: listening });
  hear("pointerover", ({ pointerType, target }) => pointerType === "mouse" && show(target as Element));
  hear("pointerleave", ({ pointerType }) => pointerType === "mouse" && show(null));
  hear("click", ({ target }) => show(target as Element));
  hear("focusin", ({ target }) => show(target instanceof HTMLOListElement ? target.lastElementChild : (target as Element)));
  hear("focusout", () => show(null));
  hear("keydown", (event) => {
    const { key, target } = event;
    if (!(target instanceof HTMLOListElement)) return;
    const next = key === "ArrowUp" ? line?.previousElementSibling : key === "ArrowDown" ? line?.nextElementSibling : null;
    if (!next) return;
    event.preventDefault();
    show(next);
    next.scrollIntoView({ block: "nearest" });
  });
  show(first instanceof HTMLOListElement ? first.lastElementChild : first);
}
