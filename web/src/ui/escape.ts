/** Escape belongs to what was opened last, and to nothing else. */

type Act = () => void;

/** What Escape would do, that of the oldest first. */
const acts: Act[] = [];

/** Lets Escape do something until what this returns is called: in an effect, or by `{@attach () => onEscape(close)}`. */
export function onEscape(act: Act): Act {
  return hear(act, acts.length);
}

/** The same for what Escape does when nothing is open. */
export function onLastEscape(act: Act): Act {
  return hear(act, 0);
}

function hear(act: Act, place: number): Act {
  // Two may do the same: each has an entry of its own.
  const own = () => act();
  acts.splice(place, 0, own);
  return () => void acts.splice(acts.indexOf(own), 1);
}

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  // The browser itself closes a popover.
  if (document.querySelector(":popover-open")) return;
  acts.at(-1)?.();
});
