/** What the coach tells of Camel Up, in the language on screen. */
import type { CoachWords, Reason } from "../game";
import { decimal, gain, percent } from "../../i18n/figures";
import { capital, isKey, list, t } from "../../i18n/language.svelte";
import type { Values } from "../../i18n/catalogue";
import { CAMELS } from "./art/camels";
import { colour, theCamel } from "./words";

/** What the first right race card pays. */
const FIRST_PRIZE = 8;

/** Reasons that say “you” where they are about the seat that looks on. */
const GETS = "coach.camelup.gets.";

export const coachWords: CoachWords = {
  reason({ key, values }, names, me) {
    const own = key.startsWith(GETS) ? `coach.camelup.own.${key.slice(GETS.length)}` : key;
    const said = isOwn(values, me) && isKey(own) ? own : key;
    return isKey(said) ? capital(t(said, told(values, names))) : key;
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

  when: (view) => t("coach.camelup.when", { leg: (view as { leg: number }).leg }),
};

function isOwn({ seats }: Reason["values"], me?: number | null): boolean {
  return Array.isArray(seats) && seats.length === 1 && seats[0] === me;
}

function told(values: Reason["values"], names: string[]): Values {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => toldAs(name, value, names)));
}

function toldAs(name: string, value: unknown, names: string[]): [string, string | number][] {
  const amount = decimal(Math.abs(Number(value)), 1);
  switch (name) {
    case "camel":
      return [[name, theCamel(CAMELS.findIndex((look) => look.name === value))]];
    case "seats":
      return whom(value as number[], names);
    case "share":
    case "before":
    case "chance":
    case "second":
      return [[name, percent(Number(value) / 100)]];
    case "earns":
    case "later":
      return [[name, t("coach.camelup.gain", { amount: decimal(Number(value), 1) })]];
    case "paid":
      return [
        [
          name,
          Number(value) < FIRST_PRIZE ? t("coach.camelup.paid_behind", { amount }) : t("coach.camelup.paid_first"),
        ],
      ];
    case "most":
      return [[name, list((value as string[]).map(bet))]];
    case "pounds":
      return [
        ["amount", amount],
        [name, t(Number(value) > 0 ? "coach.camelup.more" : "coach.camelup.less", { amount })],
      ];
    default:
      return [[name, typeof value === "number" ? value : String(value)]];
  }
}

/** A bet and what it brings, as `winner blue +0.6`; and the camel's chance where it is another one, as `62 75`. */
function bet(said: string): string {
  const [kind, about, amount, share, before] = said.split(" ");
  const camel = theCamel(CAMELS.findIndex((look) => look.name === about));
  const values = { camel, gain: gain(Number(amount), 1) };
  if (kind === "leg") return t("coach.camelup.bet_leg", values);
  const deck = kind === "winner" ? "winner" : "loser";
  if (!share) return t(`coach.camelup.bet_${deck}`, values);
  const [often, other] = [share, before].map((part) => percent(Number(part) / 100));
  return t(`coach.camelup.bet_${deck}_odds`, { ...values, share: often, before: other });
}

function whom(seats: number[], names: string[]): [string, string][] {
  if (seats.length !== 1) return [["whom", t("coach.to_others")]];
  const name = names[seats[0]] ?? String(seats[0] + 1);
  return [
    ["name", name],
    ["whom", t("coach.to", { name })],
  ];
}
