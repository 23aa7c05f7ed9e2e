/** The own desert tile while it is held: which face is up, where it would lie, where the finger is that carries it. */
import { along, type Point } from "./geometry";
import type { Action } from "./messages";
import type { Offers } from "./offers";

/** How somebody plays; it outlasts a turn. */
export interface Habits {
  /** Whether keys were used last, rather than a pointer. */
  byKeys: boolean;
  /** Which face of the desert tile was up last. */
  oasis: boolean;
}

/** What holding the tile needs of the table around it. */
interface Table {
  habits: Habits;
  act(action: Action): void;
  /** Moves the focus to the control with this `data-action`, and scrolls there if that is wanted. */
  focus(action: string, scroll?: boolean): void;
}

/** A press without a count of clicks comes from keys, or from a screen reader. */
type Press = Pick<UIEvent, "detail">;

export class HeldTile {
  /** Where it may be laid, along the track; nowhere while nothing may be done. */
  readonly spaces: readonly number[];
  held = $state.raw(false);
  oasis: boolean = $state.raw(true);
  /** The space on which it would lie. */
  space = $state.raw<number | null>(null);
  /** Where it is carried, in pixels of the window. */
  finger = $state.raw<Point | null>(null);
  /** Whether the click that comes next only ends a drag. */
  dragged = false;
  /** The first digit of a space that is being typed. */
  private typed = "";

  constructor(
    private readonly offers: Offers,
    private readonly table: Table,
  ) {
    this.spaces = [...new Set([...offers.oases.keys(), ...offers.mirages.keys()])].sort((a, b) => a - b);
    this.oasis = table.habits.oasis;
  }

  /** Whether it may be laid anywhere. */
  get able(): boolean {
    return this.spaces.length > 0;
  }

  /** The one space that Tab leads to; arrows lead on from there. */
  get stop(): number {
    return this.space ?? this.spaces[0];
  }

  /** The tile itself was pressed: it is taken up, or put back. Whoever does so by keys goes on with them, on the first space. */
  press(press: Press, oasis?: boolean): void {
    if (!this.meant(press)) return;
    if (this.held) return this.putBack();
    this.take(oasis);
    if (!this.held || press.detail > 0) return;
    this.put(this.spaces[0]);
    this.table.focus(`desert ${this.spaces[0]}`);
  }

  /** A space was pressed: the tile is tried there, or turned over where it lies. */
  pressSpace(press: Press, space: number): void {
    if (!this.meant(press)) return;
    if (this.space === space) this.turn();
    else this.put(space);
  }

  /** A key was pressed on a space: the tile goes along the track or to the space of a number, is turned, or laid. Whether the key meant something. */
  pressKey(key: string, on: number | null): boolean {
    if (!this.held) return false;
    const letter = key.toLowerCase();
    let to = along(key, this.stop, this.spaces);
    if (/^\d$/.test(key)) {
      to = Number(this.typed + key);
      this.typed = this.typed === "" && key === "1" ? key : "";
    } else {
      this.typed = "";
      if (letter === "t") this.turn();
      else if (letter === "o" || letter === "m") this.face(letter === "o");
      else if (key === "Enter" && on !== null && on === this.space) this.lay();
      else if (to === null) return false;
    }
    if (to !== null && this.spaces.includes(to)) {
      this.put(to);
      this.table.focus(`desert ${to}`, true);
    }
    return true;
  }

  take(oasis = this.oasis): void {
    if (!this.able) return;
    this.face(oasis);
    this.space = null;
    this.held = true;
  }

  /** Try it on a space. */
  put(space: number): void {
    if (this.held && this.spaces.includes(space)) this.space = space;
  }

  turn(): void {
    this.face(!this.oasis);
  }

  face(oasis: boolean): void {
    this.oasis = this.table.habits.oasis = oasis;
  }

  /** What lays it on a space, this way up. */
  laying(space: number, oasis: boolean): Action | undefined {
    return (oasis ? this.offers.oases : this.offers.mirages).get(space);
  }

  lay(): void {
    const action = this.space === null ? undefined : this.laying(this.space, this.oasis);
    if (action === undefined) return;
    this.drop();
    this.table.act(action);
  }

  /** Put it back where it was. */
  putBack(): void {
    this.drop();
    if (this.table.habits.byKeys) this.table.focus("tile");
  }

  drop(): void {
    this.held = false;
    this.space = this.finger = null;
  }

  /** Lets whatever shows the tile be dragged, by mouse and by finger. */
  grip = (thing: HTMLElement): (() => void) => {
    const begin = (down: PointerEvent): void => {
      this.dragged = false;
      if (!down.isPrimary || down.button !== 0 || !this.able) return;
      void import("./dragging").then(
        ({ drag }) => drag(this, down),
        () => undefined,
      );
    };
    thing.addEventListener("pointerdown", begin);
    return () => thing.removeEventListener("pointerdown", begin);
  };

  /** Whether a click is meant, and does not merely end a drag. */
  private meant(press: Press): boolean {
    const meant = press.detail === 0 || !this.dragged;
    this.dragged = false;
    return meant;
  }
}
