/** What the coach tells of Camel Up, in the language on screen. */
import type { CoachWords, Reason } from "../game";
import { decimal, gain, percent } from "../../i18n/figures";
import { capital, isKey, t } from "../../i18n/language.svelte";
import type { Values } from "../../i18n/catalogue";
import { CAMELS } from "./art/camels";
import { colour, theCamel } from "./words";

export const coachWords: CoachWords = {
  reason({ key, values }, names) {
    return isKey(key) ? capital(t(key, said(values, names))) : key;
  },

  action(notation) {
    const [kind, about = "", pips = ""] = notation.split(" ");
    const camel = CAMELS.findIndex((look) => look.name === about);
    switch (kind) {
      case "leg":
        return t("coach.camelup.do.leg", { camel: theCamel(camel) });
      case "winner":
      case "loser":
        return camel < 0
          ? t(`coach.camelup.do.${kind}_hidden`)
          : t(`coach.camelup.do.${kind}`, { camel: theCamel(camel) });
      case "oasis":
      case "mirage":
        return t(`coach.camelup.do.${kind}`, { space: about });
      case "die":
        return t("camelup.die_out", { colour: colour(camel), pips });
      default:
        return t("camelup.roll");
    }
  },

  score: (value) => t("coach.camelup.score", { score: decimal(value, 1) }),
};

function said(values: Reason["values"], names: string[]): Values {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => told(name, value, names)));
}

function told(name: string, value: unknown, names: string[]): [string, string | number][] {
  switch (name) {
    case "camel":
      return [[name, theCamel(CAMELS.findIndex((look) => look.name === value))]];
    case "seat":
      return [["name", names[Number(value)] ?? String(Number(value) + 1)]];
    case "first":
    case "second":
    case "chance":
      return [[name, percent(Number(value) / 100)]];
    case "value":
    case "bets":
      return [[name, gain(Number(value), 2)]];
    case "earns":
      return [[name, decimal(Number(value), 2)]];
    case "before":
      return [["count", Number(value)]];
    default:
      return [[name, typeof value === "number" ? value : String(value)]];
  }
}
