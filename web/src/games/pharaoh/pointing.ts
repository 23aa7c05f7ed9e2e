/** Finds out what is pointed at in the story and in the list of players, so that it lights up on the board. */
import type { LogEntry } from "../../session/log";
import type { Someone } from "./geometry";
import { NOTHING_LIT, type Lit } from "./lit";
import type { Event as Told } from "./messages";

/** Where something happened: where a walk led, all cells of a ring or of an omen's way. */
function cellsOf(event: Told): number[] {
  if (event.type === "walked") return event.way.slice(1);
  if ("way" in event) return event.way;
  if ("cells" in event) return event.cells;
  return "cell" in event ? [event.cell] : [];
}

function figuresOf(event: Told): Someone[] {
  if ("figure" in event) return [{ seat: event.seat, figure: event.figure }];
  if (event.type === "treasure_stolen")
    return [event.seat, event.victim].map((seat) => ({ seat, figure: "archaeologist" }));
  return [];
}

/** What a line of the story is about. */
export function aboutEntry({ back, events }: Pick<LogEntry, "back" | "events">): Lit {
  const told = back ? [] : (events as Told[]);
  return { cells: [...new Set(told.flatMap(cellsOf))], figures: told.flatMap(figuresOf), seat: null };
}

/** What a player has on the board. */
function aboutPlayer(seat: number): Lit {
  return {
    cells: [],
    figures: [
      { seat, figure: "archaeologist" },
      { seat, figure: "helper" },
    ],
    seat,
  };
}

function about(line: HTMLElement, log: LogEntry[]): Lit {
  const seat = line.querySelector<HTMLElement>("[data-purse]")?.dataset.purse;
  if (seat !== undefined) return aboutPlayer(Number(seat));
  const entry = log.find(({ n }) => line.dataset.entry === String(n));
  return entry === undefined ? NOTHING_LIT : aboutEntry(entry);
}

/**
 * Listens for what is pointed at: hovered, focused, tapped, or reached by arrow keys in a list that has the focus; begins
 * with what was pointed at before. Whatever is tapped brings the board into sight; a mouse would lose what it is on.
 */
export function point(
  part: HTMLElement,
  first: Event,
  light: (lit: Lit) => void,
  log: () => LogEntry[],
  listening: AbortSignal,
): void {
  let line: HTMLElement | null = null;
  const show = (place: Element | null, chosen = true) => {
    const next = place?.closest("li") ?? null;
    // What was chosen stays so while the mouse is on it.
    if (!chosen && next !== null && next === line) return;
    line?.removeAttribute("data-lit");
    line = next;
    const found = line === null ? NOTHING_LIT : about(line, log());
    const lit = chosen ? found : { ...found, seat: null };
    if (lit.cells.length + lit.figures.length > 0) line?.setAttribute("data-lit", "");
    light(lit);
  };
  const tap = ({ target, pointerType }: Pick<PointerEvent, "target" | "pointerType">) => {
    show(target as Element);
    if (pointerType !== "mouse" && line?.hasAttribute("data-lit"))
      document.querySelector("[data-board]")?.scrollIntoView({ block: "nearest" });
  };
  const focus = (place: Element, chosen = true) =>
    show(place instanceof HTMLOListElement ? place.lastElementChild : place, chosen);
  const hear = <Kind extends keyof HTMLElementEventMap>(kind: Kind, tell: (event: HTMLElementEventMap[Kind]) => void) =>
    part.addEventListener(kind, tell, { signal: listening });
  hear("pointerover", ({ pointerType, target }) => pointerType === "mouse" && show(target as Element, false));
  hear("pointerleave", ({ pointerType }) => pointerType === "mouse" && show(null));
  hear("click", (event) => tap(event as PointerEvent));
  hear("focusin", ({ target }) => focus(target as Element));
  hear("focusout", () => show(null));
  hear("keydown", (event) => {
    const { key, target } = event;
    if (!(target instanceof HTMLOListElement)) return;
    const next =
      key === "ArrowUp" ? line?.previousElementSibling : key === "ArrowDown" ? line?.nextElementSibling : null;
    if (!next) return;
    event.preventDefault();
    show(next);
    next.scrollIntoView({ block: "nearest" });
  });
  if (first.type === "click") tap(first as PointerEvent);
  else focus(first.target as Element, first.type !== "pointerover");
}
