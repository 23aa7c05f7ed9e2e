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
      return [`[data-action="desert ${action.space}"]`];
    case "winner":
    case "loser":
      return action.camel === null ? [] : [`[data-action="card ${CAMELS[action.camel].name}"]`];
    default:
      return ['[data-action="roll"]'];
  }
}
