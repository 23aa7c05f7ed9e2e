/** The desert tile follows the finger from where it was grasped until it is let go. Needed when one goes down on it. */
import { BOARD, spaceAt, type Point } from "./geometry";
import type { HeldTile } from "./heldTile.svelte";

/** How far, in pixels, a finger may stir before it drags. */
const STIR = 8;

export function drag(tile: HeldTile, down: PointerEvent): void {
  const ended = new AbortController();
  const { signal } = ended;
  const carry = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) {
      // Another finger, before the first has moved: that one was lifted before anybody followed it.
      if (tile.finger === null) ended.abort();
      return;
    }
    if (tile.finger === null && Math.hypot(event.x - down.x, event.y - down.y) < STIR) return;
    // The same for a mouse.
    if (event.buttons === 0) return ended.abort();
    if (!tile.held) tile.take();
    tile.finger = { x: event.x, y: event.y };
    tile.space = under(tile.finger, tile.spaces);
  };
  const letGo = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    ended.abort();
    if (tile.finger === null) return;
    tile.dragged = true;
    tile.finger = null;
    if (tile.space === null || event.type === "pointercancel") tile.drop();
  };
  addEventListener("pointermove", carry, { signal });
  addEventListener("pointerup", letGo, { signal });
  addEventListener("pointercancel", letGo, { signal });
}

function under({ x, y }: Point, spaces: readonly number[]): number | null {
  const board = document.querySelector("[data-board]")?.getBoundingClientRect();
  if (board === undefined) return null;
  const unit = BOARD / board.width;
  const space = spaceAt({ x: (x - board.x) * unit, y: (y - board.y) * unit });
  return space !== null && spaces.includes(space) ? space : null;
}
