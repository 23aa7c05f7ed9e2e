/** Asks the server for the odds of a position. */
import { oddsOf } from "../../../net/rest";
import type { Odds } from "../messages";
import { writeDetails, type Details } from "./details";

export function ask(position: string, details: Details): Promise<Odds> {
  return oddsOf<Odds>("camelup", { position, ...writeDetails(details) });
}
