/** Where each action of Camel Up is on the page. */
import type { Places } from "../game";
import { CAMELS } from "./art/camels";
import type { Action } from "./messages";

export const places: Places = {
  controls(given) {
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
        // First the card, then its deck.
        return action.camel === null
          ? []
          : [`[data-answer="${action.type}"]`, `[data-action="card ${CAMELS[action.camel].name}"]`];
      default:
        return ['[data-answer="roll"]', '[data-action="roll"]'];
    }
  },

  marks(notation) {
    const [kind, about] = notation.split(" ");
    switch (kind) {
      case "leg":
        return [`[data-action="${notation}"]`];
      case "winner":
      case "loser":
        return [`[data-deck="${kind}"]`];
      case "oasis":
      case "mirage":
        return [`li[data-space="${about}"]`];
      default:
        return ['[data-action="roll"]'];
    }
  },
};
