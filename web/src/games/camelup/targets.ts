/** Where each action is done on the page. */
import { CAMELS } from "./art/camels";
import type { Action } from "./messages";

export function targets(given: object): string[] {
  const action = given as Action;
  switch (action.type) {
    case "leg":
      return [`[data-action="leg ${CAMELS[action.camel].name}"]`];
    case "oasis":
    case "mirage":
      // First the tile, then its space, then its face.
      return [
        `[data-choice="${action.space}"] [data-side="${action.type}"][aria-pressed="false"]`,
        `[data-choice="${action.space}"] [data-answer]`,
        `[data-action="desert ${action.space}"]`,
        '[data-action="tile"]',
      ];
    case "winner":
    case "loser":
      return action.camel === null ? [] : [`[data-action="card ${CAMELS[action.camel].name}"]`];
    default:
      return ['[data-action="roll"]'];
  }
}
