/** Where each action is done on the page: on a cell once its figure is picked, by a button otherwise. */
import type { Action } from "./messages";
import { cellName } from "./pieces";

export function targets(given: object): string[] {
  const action = given as Action;
  switch (action.type) {
    case "archaeologist":
    case "helper":
      return [`[data-pick="${action.type}"]:not([aria-pressed="true"])`, `[data-action="walk ${cellName(action.cell)}"]`];
    case "reveal":
      return [`[data-action="reveal ${cellName(action.cell)}"]`, '[data-pick="archaeologist"]'];
    case "turn":
      return ["section:has([data-place=confirm])", `[data-action="turn ${cellName(action.cell)}"]`, '[data-pick="turn"]'];
    case "lay":
      return ["section:has([data-place=confirm])"];
    default:
      return [`[data-action="${action.type}"]`];
  }
}
