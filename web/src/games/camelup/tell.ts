/** What happened, as a sentence in the language on screen. */
import { capital, t } from "../../i18n/language.svelte";
import { signed, type Key } from "../../i18n/catalogue";
import type { Event, LegScored } from "./messages";
import { colour, theCamel, theCamels } from "./words";

/** What is said in other words to whoever it is about. */
type ToYou = Key extends infer K ? (K extends `camelup.you.${infer Rest}` ? Rest : never) : never;

/** The sentence of an event, or null for what the neighbouring events already say; `you` is the seat that reads it. */
export function tell(event: Event, names: string[], you: number | null = null): string | null {
  /** What is said of a player: of you, or of another. */
  const of = <K extends ToYou>(seat: number, key: K) =>
    seat === you ? (`camelup.you.${key}` as const) : (`camelup.tell.${key}` as const);
  const name = (seat: number): string => names[seat] ?? String(seat + 1);
  switch (event.type) {
    case "camel_placed":
      return capital(t("camelup.tell.placed", { camel: theCamel(event.camel), space: event.space }));
    case "leg_began":
      return t(of(event.marker, event.leg === 1 ? "race_began" : "leg_began"), {
        leg: event.leg,
        name: name(event.marker),
      });
    case "leg_tile_taken":
      return t(of(event.seat, "leg_tile"), {
        name: name(event.seat),
        camel: theCamel(event.camel),
        value: event.value,
      });
    case "desert_placed": {
      const key = event.side > 0 ? "oasis" : "mirage";
      return t(of(event.seat, key), { name: name(event.seat), space: event.space });
    }
    case "card_laid": {
      const shown = event.camel === null ? "" : "_known";
      const values = { name: name(event.seat), camel: event.camel === null ? "" : theCamel(event.camel) };
      return t(of(event.seat, `${event.deck}${shown}`), values);
    }
    case "pyramid_tile_taken":
      return t(of(event.seat, "shakes"), { name: name(event.seat) });
    case "die_drawn":
      return t("camelup.tell.die", { camel: colour(event.camel), count: event.pips });
    case "unit_lifted":
    case "unit_hopped":
      return null;
    case "desert_met":
      return t(of(event.owner, event.side > 0 ? "meets_oasis" : "meets_mirage"), { name: name(event.owner) });
    case "pound_paid":
      return t(of(event.seat, "pound"), { name: name(event.seat), count: event.amount });
    case "unit_landed":
    case "unit_slid_under":
      return landing(event.unit, event.space, event.stack, event.type === "unit_landed" ? "on" : "under");
    case "finish_crossed":
      return null;
    case "leg_ended":
      return t("camelup.tell.leg_ended", {
        leg: event.leg,
        first: theCamel(event.ranking[0]),
        second: theCamel(event.ranking[1]),
      });
    case "leg_scored":
      if (event.tiles.length === 0 && event.pyramid_tiles === 0) return null;
      return t(of(event.seat, "leg_scored"), {
        name: name(event.seat),
        amount: signed(event.paid),
        parts: partsOf(event),
        money: event.money,
      });
    case "race_ended":
      return t("camelup.tell.race_ended", { winner: theCamel(event.winner), loser: theCamel(event.loser) });
    case "card_scored":
      return t(of(event.seat, `card_${event.deck}`), {
        name: name(event.seat),
        camel: theCamel(event.camel),
        amount: signed(event.paid),
      });
    case "game_ended":
      return null;
  }
}

/** Whom an event that pays is about, or whose tile is met; null where that is whoever acted. */
export function about(event: Event): number | null {
  switch (event.type) {
    case "leg_began":
      return event.marker;
    case "desert_met":
      return event.owner;
    case "pound_paid":
    case "leg_scored":
    case "card_scored":
      return event.seat;
    default:
      return null;
  }
}

/** What a leg paid for: every tile, and the rolls. */
function partsOf({ tiles, pyramid_tiles: rolls }: LegScored): string {
  const bets = tiles.map(({ camel, amount }) => `${colour(camel)} ${signed(amount)}`);
  return [...bets, ...(rolls > 0 ? [t("camelup.tell.rolls", { count: rolls, amount: signed(rolls) })] : [])].join(", ");
}

function landing(unit: readonly number[], space: number, stack: readonly number[], way: "on" | "under"): string {
  const values = { camel: theCamel(unit[0]), riders: theCamels(unit.slice(1)), space, others: theCamels(stack) };
  const carries = unit.length > 1 ? "carrying" : "alone";
  if (space > 16) return capital(t(`camelup.tell.beyond_${carries}`, values));
  if (stack.length === 0) return capital(t(`camelup.tell.lands_${carries}`, values));
  return capital(t(`camelup.tell.lands_${way}_${carries}`, values));
}
