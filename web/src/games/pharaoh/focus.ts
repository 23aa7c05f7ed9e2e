/** Focus that stays put: when what was pressed goes away, whatever has taken its place is focused. */
import { distance } from "./geometry";

/** What was focused last, so that it can be found again after the board has been drawn anew. */
export interface Trace {
  cell: number | null;
  /** A selector of the button itself. */
  selector: string | null;
}

const MARKS = ["data-action", "data-pick", "data-place"];

/** The cell that an element is a part of. */
export function cellOf(element: EventTarget | null): number | null {
  const cell = (element as HTMLElement).closest<HTMLElement>("[data-cell]")?.dataset.cell;
  return cell === undefined ? null : Number(cell);
}

export function traceOf(element: HTMLElement): Trace {
  const button = element.closest<HTMLElement>("button");
  const mark = MARKS.find((name) => button?.hasAttribute(name));
  return {
    cell: cellOf(element),
    selector: mark === undefined ? null : `[${mark}="${button?.getAttribute(mark)}"]`,
  };
}

/** Focus the heir of what was focused, if it is gone; the table itself holds the focus while there is none. */
export function restore(root: HTMLElement, trace: Trace): void {
  const lost = [null, document.body, root].includes(document.activeElement as HTMLElement | null);
  if (lost) (heir(root, trace) ?? root).focus({ preventScroll: true });
}

function heir(root: HTMLElement, trace: Trace): HTMLElement | null {
  if (trace.cell === null) {
    const same = trace.selector === null ? null : root.querySelector<HTMLElement>(trace.selector);
    if (same !== null) return same;
  } else {
    const cells = [...root.querySelectorAll<HTMLElement>("[data-cell] [data-action]")];
    const from = trace.cell;
    const far = (button: HTMLElement) => distance(from, cellOf(button)!);
    const nearest = cells.toSorted((a, b) => far(a) - far(b))[0];
    if (nearest) return nearest;
  }
  return root.querySelector<HTMLElement>('[data-pick][aria-pressed="true"], [data-action="end"]');
}
