/** The actions on offer, found by what they are about. */
import type { Action, Leg, Loser, Mirage, Oasis, Roll, Winner } from "./messages";

export interface Offers {
  roll: Roll | null;
  legs: Map<number, Leg>;
  oases: Map<number, Oasis>;
  mirages: Map<number, Mirage>;
  winners: Map<number, Winner>;
  losers: Map<number, Loser>;
}

export function offersOf(actions: Action[]): Offers {
  const offers: Offers = {
    roll: null,
    legs: new Map(),
    oases: new Map(),
    mirages: new Map(),
    winners: new Map(),
    losers: new Map(),
  };
  for (const action of actions) {
    if (action.type === "roll") offers.roll = action;
    else if (action.type === "leg") offers.legs.set(action.camel, action);
    else if (action.type === "oasis") offers.oases.set(action.space, action);
    else if (action.type === "mirage") offers.mirages.set(action.space, action);
    else if (action.type === "winner" && action.camel !== null) offers.winners.set(action.camel, action);
    else if (action.type === "loser" && action.camel !== null) offers.losers.set(action.camel, action);
  }
  return offers;
}
