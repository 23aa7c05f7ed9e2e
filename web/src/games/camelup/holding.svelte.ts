/** My desert tile while I hold it: which way up, where it would lie, where the finger is that carries it. */
import { BOARD, spaceAt, type Point } from "./geometry";

/** How far, in pixels, a finger may stir before it drags. */
const STIR = 8;

export class Holding {
  held = $state.raw(false);
  /** Which face is up. */
  oasis = $state.raw(true);
  /** The space on which it would lie. */
  space = $state.raw<number | null>(null);
  /** Where it is carried, in pixels of the window. */
  finger = $state.raw<Point | null>(null);
  /** Whether the click that comes next only ends a drag. */
  private dragged = false;

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
      const ended = new AbortController();
      const carry = (event: PointerEvent): void => {
        if (this.finger === null && Math.hypot(event.x - down.x, event.y - down.y) < STIR) return;
        if (!this.held) this.pick();
        this.finger = { x: event.x, y: event.y };
        this.space = this.under(this.finger);
      };
      const letGo = (event: PointerEvent): void => {
        ended.abort();
        if (this.finger === null) return;
        this.dragged = true;
        this.finger = null;
        if (this.space === null || event.type === "pointercancel") this.drop();
      };
      addEventListener("pointermove", carry, { signal: ended.signal });
      addEventListener("pointerup", letGo, { signal: ended.signal });
      addEventListener("pointercancel", letGo, { signal: ended.signal });
    };
    thing.addEventListener("pointerdown", begin);
    return () => thing.removeEventListener("pointerdown", begin);
  };

  private under({ x, y }: Point): number | null {
    const board = document.querySelector("[data-board]")?.getBoundingClientRect();
    if (board === undefined) return null;
    const unit = BOARD / board.width;
    const space = spaceAt({ x: (x - board.x) * unit, y: (y - board.y) * unit });
    return space !== null && this.legal().has(space) ? space : null;
  }
}
