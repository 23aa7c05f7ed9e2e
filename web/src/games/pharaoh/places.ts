/** Where each action of Das Gold des Pharao is on the page. */
import type { Places } from "../game";
import type { Action } from "./messages";
import { cellName, SIZE } from "./pieces";

const CELLS = new Map(Array.from({ length: SIZE * SIZE }, (_, cell) => [cellName(cell), cell]));

export const places: Places = {
  /** On a cell once its figure is picked, by a button otherwise. */
  controls(given) {
    const action = given as Action;
    switch (action.type) {
      case "archaeologist":
      case "helper":
        return [
          `[data-pick="${action.type}"]:not([aria-pressed="true"])`,
          `[data-action="walk ${cellName(action.cell)}"]`,
        ];
      case "reveal":
        return [`[data-action="reveal ${cellName(action.cell)}"]`, '[data-pick="archaeologist"]'];
      case "turn":
        return [
          "section:has([data-place=confirm])",
          `[data-action="turn ${cellName(action.cell)}"]`,
          '[data-pick="turn"]',
        ];
      case "lay":
        return ["section:has([data-place=confirm])"];
      default:
        return [`[data-action="${action.type}"]`];
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
