/** What happened, as a sentence in the language on screen. */
import { capital, t } from "../../i18n/language.svelte";
import { signed } from "../../i18n/catalogue";
import type { Event, LegScored } from "./messages";
import { colour, theCamel, theCamels } from "./words";

/** The sentence of an event, or null for what the neighbouring events already say. */
export function tell(event: Event, names: string[]): string | null {
  const name = (seat: number): string => names[seat] ?? String(seat + 1);
  switch (event.type) {
    case "camel_placed":
      return capital(t("camelup.tell.placed", { camel: theCamel(event.camel), space: event.space }));
    case "leg_began":
      return t("camelup.tell.leg_began", { leg: event.leg, name: name(event.marker) });
    case "leg_tile_taken":
      return t("camelup.tell.leg_tile", { name: name(event.seat), camel: theCamel(event.camel), value: event.value });
    case "desert_placed": {
      const key = event.side > 0 ? "camelup.tell.oasis" : "camelup.tell.mirage";
      return t(key, { name: name(event.seat), space: event.space });
    }
    case "card_laid": {
      const shown = event.camel === null ? "" : "_known";
      const values = { name: name(event.seat), camel: event.camel === null ? "" : theCamel(event.camel) };
      return t(`camelup.tell.${event.deck}${shown}`, values);
    }
    case "pyramid_tile_taken":
      return t("camelup.tell.shakes", { name: name(event.seat) });
    case "die_drawn":
      return t("camelup.tell.die", { camel: colour(event.camel), count: event.pips });
    case "unit_lifted":
    case "unit_hopped":
      return null;
    case "desert_met":
      return t(event.side > 0 ? "camelup.tell.meets_oasis" : "camelup.tell.meets_mirage", { name: name(event.owner) });
    case "pound_paid":
      return t("camelup.tell.pound", { name: name(event.seat), count: event.amount });
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
      return legScore(event, name(event.seat));
    case "race_ended":
      return t("camelup.tell.race_ended", { winner: theCamel(event.winner), loser: theCamel(event.loser) });
    case "card_scored":
      return t(`camelup.tell.card_${event.deck}`, {
        name: name(event.seat),
        camel: theCamel(event.camel),
        amount: signed(event.paid),
      });
    case "game_ended":
      return null;
  }
}

function landing(unit: readonly number[], space: number, stack: readonly number[], way: "on" | "under"): string {
  const values = { camel: theCamel(unit[0]), riders: theCamels(unit.slice(1)), space, others: theCamels(stack) };
  const carries = unit.length > 1 ? "carrying" : "alone";
  if (space > 16) return capital(t(`camelup.tell.beyond_${carries}`, values));
  if (stack.length === 0) return capital(t(`camelup.tell.lands_${carries}`, values));
  return capital(t(`camelup.tell.lands_${way}_${carries}`, values));
}

function legScore(event: LegScored, name: string): string | null {
  if (event.tiles.length === 0 && event.pyramid_tiles === 0) return null;
  return t("camelup.tell.leg_scored", { name, amount: signed(event.paid), money: event.money });
}
