/** Which keys play Das Gold des Pharao. */
import type { Keys, Meant } from "../game";

const MEANT: Record<string, Meant> = {
  A: { press: '[data-pick="archaeologist"]' },
  H: { press: '[data-pick="helper"]' },
  B: { reach: "[data-cell] :is([data-action], [data-why][tabindex='0'])" },
  T: { press: '[data-pick="turn"]' },
  R: { press: '[data-action="rotate"]' },
  F: { press: "[data-tick]" },
  L: { press: '[data-action="lamp"], [data-action="unlamp"]' },
  G: { press: '[data-action^="take "]' },
  D: { press: '[data-action="drop"]' },
  S: { press: '[data-action^="steal "]' },
  E: { press: '[data-action="end"]' },
};

export const keys: Keys = {
  listed: [
    ["A H", "keys.pharaoh.figures"],
    ["B", "keys.pharaoh.board"],
    ["← ↑ → ↓ ⏎", "keys.pharaoh.cells"],
    ["T", "keys.pharaoh.turn"],
    ["R F", "keys.pharaoh.place"],
    ["L", "keys.pharaoh.lamp"],
    ["G D S", "keys.pharaoh.treasure"],
    ["E", "keys.pharaoh.end"],
  ],
  meant: (key) => MEANT[key] ?? null,
};
