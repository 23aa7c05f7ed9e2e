/** Whom an event pleases or pains. Only what everybody at the table sees counts: nobody's face tells what lies face down. */
import { t } from "../../i18n/language.svelte";
import type { Feeling } from "../game";
import type { Event } from "./messages";

/** From how many pounds at once somebody is glad. */
const GLAD = 4;

export function feelings(event: Event): Feeling[] {
  switch (event.type) {
    case "pound_paid":
      return [{ seat: event.seat, mood: "joy" }];
    case "leg_scored":
    case "card_scored":
      if (event.paid < 0) return [{ seat: event.seat, mood: "sorrow" }];
      return event.paid >= GLAD ? [{ seat: event.seat, mood: "joy" }] : [];
    default:
      return [];
  }
}

const REMARKS = [1, 2, 3, 4, 5, 6] as const;

/** One of some remarks for a mood. */
export function remark(mood: Feeling["mood"], pick: number): string {
  return t(`camelup.banter.${mood}.${REMARKS[pick % REMARKS.length]!}`);
}
