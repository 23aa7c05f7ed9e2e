/** What the server tells of a position. */
import { oddsOf } from "../../../net/rest";
import type { Odds } from "../odds";
import { writeDetails, type Details } from "./details";

export interface PositionOdds extends Odds {
  position: string;
  /** In how many equally likely ways the dice of this leg can fall. */
  sequences: number;
  /** The chance that the race ends in this leg. */
  ends: number;
  actions: Record<string, number>;
  best: string | null;
}

export function ask(position: string, details: Details): Promise<PositionOdds> {
  return oddsOf<PositionOdds>("camelup", { position, ...writeDetails(details) });
}
