/** The actions on offer, found by what is touched: a cell, a figure, a button. */
import type { Action, Drop, End, Lamp, Lay, Reached, Steal, Take, Turn, Unlamp } from "./messages";
import { sideTowards } from "./geometry";
import { CELLS, FACE_DOWN, quarterTurn, SIZE, type Figure } from "./pieces";
import { joined } from "./route";

export interface Offers {
  walks: Record<Figure, Map<number, Action>>;
  reveals: Map<number, Action>;
  /** By cell, every way its tile may be turned. */
  turns: Map<number, Turn[]>;
  /** The ways the tile just revealed may be laid. */
  lays: Lay[];
  lamp: Lamp | null;
  unlamp: Unlamp | null;
  takes: Take[];
  drop: Drop | null;
  steals: Steal[];
  end: End | null;
}

export function offersOf(actions: Action[]): Offers {
  const offers: Offers = {
    walks: { archaeologist: new Map(), helper: new Map() },
    reveals: new Map(),
    turns: new Map(),
    lays: [],
    lamp: null,
    unlamp: null,
    takes: [],
    drop: null,
    steals: [],
    end: null,
  };
  for (const action of actions) {
    switch (action.type) {
      case "archaeologist":
      case "helper":
        offers.walks[action.type].set(action.cell, action);
        break;
      case "reveal":
        offers.reveals.set(action.cell, action);
        break;
      case "turn":
        offers.turns.set(action.cell, [...(offers.turns.get(action.cell) ?? []), action]);
        break;
      case "lay":
        offers.lays.push(action);
        break;
      case "lamp":
        offers.lamp = action;
        break;
      case "unlamp":
        offers.unlamp = action;
        break;
      case "take":
        offers.takes.push(action);
        break;
      case "drop":
        offers.drop = action;
        break;
      case "steal":
        offers.steals.push(action);
        break;
      case "end":
        offers.end = action;
        break;
    }
  }
  return offers;
}

export type CellOffer =
  /** How many moves it takes is told only where the game gives advice. */
  | { kind: "walk"; action: Action; moves?: number }
  | { kind: "reveal"; action: Action }
  | { kind: "turn"; ways: Turn[] }
  | { kind: "pick"; figure: Figure }
  /** A walk of several moves. */
  | { kind: "go"; reached: Reached }
  /** Nothing but an answer why not. */
  | { kind: "why" };

/**
 * What touching each cell does while a figure is picked. The helper walks where it can, unless tiles are being
 * turned; a tile it cannot walk to (its own) is turned either way. `other` is where the figure that is not picked
 * stands: touching that cell picks it, if nothing else is to be done there.
 */
export function cellOffers(offers: Offers, picked: Figure, turning: boolean, other: number): Map<number, CellOffer> {
  const found = new Map<number, CellOffer>();
  const figure = picked === "archaeologist" ? "helper" : "archaeologist";
  if (other >= 0 && canMove(offers, figure)) found.set(other, { kind: "pick", figure });
  if (picked === "archaeologist") {
    for (const [cell, action] of offers.reveals) found.set(cell, { kind: "reveal", action });
  } else {
    for (const [cell, ways] of offers.turns) found.set(cell, { kind: "turn", ways });
    if (turning) return found;
  }
  for (const [cell, action] of offers.walks[picked]) found.set(cell, { kind: "walk", action });
  return found;
}

/** The same with how far the picked figure's walks are, those of several moves, and an answer wherever nothing is to be done. */
export function advised(
  found: Map<number, CellOffer>,
  reach: readonly Reached[],
  picked: Figure,
): Map<number, CellOffer> {
  const whole = new Map<number, CellOffer>(CELLS.map((cell) => [cell, { kind: "why" }]));
  for (const reached of reach) if (reached.figure === picked) whole.set(reached.cell, { kind: "go", reached });
  for (const [cell, offer] of found) {
    const known = whole.get(cell);
    whole.set(
      cell,
      offer.kind === "walk" && known?.kind === "go" ? { ...offer, moves: known.reached.steps.length } : offer,
    );
  }
  return whole;
}

export type Deed = "walk" | "reveal" | "turn" | "lamp";

/** What a figure can do that costs a move. */
export function deeds(offers: Offers, figure: Figure): Deed[] {
  const found: Deed[] = offers.walks[figure].size > 0 ? ["walk"] : [];
  if (figure === "archaeologist") return offers.reveals.size > 0 ? [...found, "reveal"] : found;
  if (offers.turns.size > 0) found.push("turn");
  if (offers.lamp ?? offers.unlamp) found.push("lamp");
  return found;
}

/** Whether a figure has anything to do that costs a move. */
export function canMove(offers: Offers, figure: Figure): boolean {
  return deeds(offers, figure).length > 0;
}

/** Whether ending the turn is all that is left. */
export function nothingButEnd(actions: Action[]): boolean {
  return actions.length === 1 && actions[0].type === "end";
}

/** How a tile lies first: open to where one comes from, then to what nobody has seen yet, then to ways that go on. */
export function firstWay<Way extends { openings: number }>(
  ways: Way[],
  tiles: readonly number[],
  cell: number,
  from: number,
): Way {
  const worth = ({ openings }: Way): number => {
    const laid = tiles.with(cell, openings);
    return [cell + SIZE, cell + 1, cell - SIZE, cell - 1].reduce((sum, next) => {
      if ((openings & sideTowards(cell, next)) === 0 || !(next in tiles)) return sum;
      if (next === from) return sum + 100;
      return sum + (tiles[next] === FACE_DOWN ? 10 : joined(laid, cell, next) ? 1 : 0);
    }, 0);
  };
  return ways.reduce((best, way) => (worth(way) > worth(best) ? way : best));
}

/** The next of the ways a tile may lie, turning clockwise from `openings`. */
export function nextWay<Way extends { openings: number }>(ways: Way[], openings: number): Way {
  let turned = openings;
  for (let quarter = 0; quarter < 4; quarter += 1) {
    turned = quarterTurn(turned);
    const way = ways.find((one) => one.openings === turned);
    if (way) return way;
  }
  return ways[0];
}
