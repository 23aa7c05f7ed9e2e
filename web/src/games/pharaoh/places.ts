/** Where each action of Das Gold des Pharao is on the page. */
import type { Places } from "../game";
import type { Action } from "./messages";
import { cellName, SIZE } from "./pieces";

/** A tile in hand has to be put away before anything else is done. */
const AWAY = "[data-in-hand] [data-place=cancel]";
const CELLS = new Map(Array.from({ length: SIZE * SIZE }, (_, cell) => [cellName(cell), cell]));

export const places: Places = {
  /** On a cell once its figure is picked, by a button otherwise; a tile is turned until it lies as it is to lie. */
  controls(given) {
    const action = given as Action;
    switch (action.type) {
      case "archaeologist":
      case "helper":
        return [
          `[data-pick="${action.type}"]:not([aria-pressed="true"])`,
          `[data-action="walk ${cellName(action.cell)}"]`,
          `[data-pick="${action.type}"]`,
          AWAY,
        ];
      case "reveal":
        return [`[data-action="reveal ${cellName(action.cell)}"]`, '[data-pick="archaeologist"]', AWAY];
      case "turn":
        return [
          `[data-in-hand="${cellName(action.cell)} ${action.openings}"] [data-place=confirm]`,
          `[data-in-hand^="${cellName(action.cell)} "] [data-place=rotate]`,
          `[data-action="turn ${cellName(action.cell)}"]`,
          '[data-pick="turn"]',
          AWAY,
        ];
      case "lay":
        return [`[data-in-hand$=" ${action.openings}"] [data-place=confirm]`, "[data-in-hand] [data-place=rotate]"];
      case "take":
        return [`[data-action="take ${action.value}"]`, AWAY];
      case "steal":
        return [`[data-action="steal ${action.seat}"]`, AWAY];
      default:
        return [`[data-answer="${action.type}"]`, `[data-action="${action.type}"]`, AWAY];
    }
  },

  /** On a cell, or with the figure that does it. */
  marks(notation, seat) {
    const [kind, about = ""] = notation.split(" ");
    const cell = CELLS.get(about);
    if (cell !== undefined) return [`li[data-cell="${cell}"]`];
    return kind === "lamp" || kind === "unlamp"
      ? [`[data-figure="${seat} helper"]`]
      : [`[data-figure="${seat} archaeologist"]`, `[data-figure="${seat} helper"]`];
  },
};
