/** My desert tile while I hold it: which way up, where it would lie, where the finger is that carries it. */
import type { Point } from "./geometry";

export class Holding {
  held = $state.raw(false);
  /** Which face is up. */
  oasis = $state.raw(true);
  /** The space on which it would lie. */
  space = $state.raw<number | null>(null);
  /** Where it is carried, in pixels of the window. */
  finger = $state.raw<Point | null>(null);
  /** Whether the click that comes next only ends a drag. */
  dragged = false;

  constructor(
    /** Where it may be laid; nowhere while nothing may be done. */
    readonly legal: () => ReadonlySet<number>,
  ) {}

  pick(oasis = this.oasis): void {
    if (this.legal().size === 0) return;
    this.oasis = oasis;
    this.space = null;
    this.held = true;
  }

  /** Try it on a space. */
  put(space: number): void {
    if (this.held && this.legal().has(space)) this.space = space;
  }

  turn(): void {
    this.oasis = !this.oasis;
  }

  /** Put it back where it was. */
  drop(): void {
    this.held = false;
    this.space = this.finger = null;
  }

  /** Whether a click is meant, and does not merely end a drag. */
  clicked(event: UIEvent): boolean {
    const meant = event.detail === 0 || !this.dragged;
    this.dragged = false;
    return meant;
  }

  /** Lets whatever shows the tile be dragged, by mouse and by finger. */
  grip = (thing: HTMLElement): (() => void) => {
    const begin = (down: PointerEvent): void => {
      this.dragged = false;
      if (!down.isPrimary || down.button !== 0 || this.legal().size === 0) return;
      void import("./dragging").then(({ drag }) => drag(this, down), () => undefined);
    };
    thing.addEventListener("pointerdown", begin);
    return () => thing.removeEventListener("pointerdown", begin);
  };
}
