/** Which keys play Camel Up. Colours are counted in the order of the leg tiles. */
import type { Keys, Meant } from "../game";
import { CAMELS } from "./art/camels";

const CARD = '[data-action^="card "]';
/** Where the desert tile waits, not where it lies. */
const TILE: Meant = { tell: '[data-action="tile"]:not([tabindex])' };
const MEANT: Record<string, Meant> = {
  R: { press: '[data-action="roll"]' },
  C: { reach: CARD },
  W: { press: '[data-answer="winner"]' },
  L: { press: '[data-answer="loser"]' },
  T: TILE,
  O: TILE,
  M: TILE,
};

export const keys: Keys = {
  listed: [
    ["R", "keys.camelup.roll"],
    ["1–5", "keys.camelup.leg"],
    ["C 1–5 W", "keys.camelup.winner"],
    ["C 1–5 L", "keys.camelup.loser"],
    ["T", "keys.camelup.tile"],
    ["O M", "keys.camelup.faces"],
    ["← ↑ → ↓ 2–16", "keys.camelup.spaces"],
    ["⏎", "keys.camelup.lay"],
  ],
  meant(key, at) {
    const camel = CAMELS[Number(key) - 1];
    if (camel !== undefined) return { press: `[data-action="${at.matches(CARD) ? "card" : "leg"} ${camel.name}"]` };
    return MEANT[key] ?? null;
  },
};
