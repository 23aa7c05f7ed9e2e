/** What the coach tells of the pyramid, in the language on screen. */
import type { CoachWords, Reason } from "../game";
import { decimal, percent } from "../../i18n/figures";
import { capital, isKey, list, t } from "../../i18n/language.svelte";
import type { Values } from "../../i18n/catalogue";
import { CHAMBERS, MASK, PASSAGES, SIDES } from "./pieces";
import { kindName, treasureLabel } from "./words";

/** Reasons that are said in other words of the seat that looks on, and of several seats together. */
const GETS = "coach.pharaoh.gets.";
/** The better action and what usually follows it. */
const PLAN = "coach.pharaoh.plan";

export const coachWords: CoachWords = {
  reason({ key, values }, names, me) {
    const told = toldOf(key, values, me ?? null);
    if (!isKey(told)) return key;
    const words = said(values, names);
    if (key === PLAN) words.then = planned(values.then as string[], names);
    return capital(t(told, words));
  },

  action(notation, names) {
    const [kind, about = "", letters = ""] = notation.split(" ");
    switch (kind) {
      case "archaeologist":
      case "helper":
        return t(`pharaoh.do.walk_${kind}`, { cell: about });
      case "reveal":
        return t("pharaoh.do.reveal", { cell: about });
      case "lay":
        return t("coach.pharaoh.do.lay", { sides: sides(about) });
      case "turn":
        return t("coach.pharaoh.do.turn", { cell: about, sides: sides(letters) });
      case "take":
        return about === "mask" ? t("pharaoh.do.take_mask") : t("pharaoh.do.take", { value: about });
      case "steal":
        return t("pharaoh.do.steal", { name: names[Number(about)] ?? String(Number(about) + 1) });
      case "lamp":
      case "unlamp":
      case "drop":
      case "end":
        return t(`pharaoh.do.${kind}`);
      default:
        return drawn(kind, about);
    }
  },

  score: (value) => t("coach.pharaoh.score", { score: decimal(value, 1) }),

  when: (view) => t("coach.pharaoh.when", { round: (view as { round: number }).round }),
};

/** Actions one after the other. */
function planned(notations: string[], names: string[]): string {
  return notations
    .map((notation) => coachWords.action(notation, names))
    .reduce((before, next) => t("coach.pharaoh.plan_step", { before, next }));
}

/** What chance brought. */
function drawn(kind: string, about: string): string {
  if (kind === "tile") return capital(kindName(([...PASSAGES, ...CHAMBERS] as string[]).indexOf(about)));
  if (kind === "treasure") return treasureLabel(about === "mask" ? MASK : Number(about));
  return capital(t("pharaoh.photo_number", { number: about }));
}

/** Open sides as they are written, NES, in words. */
function sides(letters: string): string {
  return list(SIDES.filter((side) => letters.includes(side[0].toUpperCase())).map((side) => t(`pharaoh.side.${side}`)));
}

/** The key of the sentence that says “you” where the seat that looks on gets it, takes it or loses it. */
function toldOf(key: string, { seats, thief, victim }: Reason["values"], me: number | null): string {
  if (!key.startsWith(GETS) || !Array.isArray(seats)) return key;
  const part = key.slice(GETS.length);
  const whose = seats.length > 1 ? "others" : seats[0] === me ? "own" : "gets";
  const by = me === null ? "" : thief === me ? "_by_you" : victim === me ? "_you" : "";
  const [general, special] = [`coach.pharaoh.${whose}.${part}`, `coach.pharaoh.${whose}.${part}${by}`];
  return isKey(special) ? special : isKey(general) ? general : key;
}

function said(values: Reason["values"], names: string[]): Values {
  const amount = decimal(Math.abs(Number(values.points ?? 0)), 1);
  return { amount, ...Object.fromEntries(Object.entries(values).map(([name, value]) => saidAs(name, value, names))) };
}

function saidAs(name: string, value: unknown, names: string[]): [string, string | number] {
  const nameOf = (seat: unknown) => names[Number(seat)] ?? String(Number(seat) + 1);
  switch (name) {
    case "seat":
    case "seats":
      return ["name", nameOf(Array.isArray(value) ? value[0] : value)];
    case "thief":
    case "victim":
      return [name, nameOf(value)];
    case "share":
    case "before":
      return [name, percent(Number(value) / 100)];
    case "then":
      return [name, list((value as string[]).map((notation) => coachWords.action(notation, names)))];
    case "points":
      return [
        name,
        t(Number(value) > 0 ? "coach.pharaoh.more" : "coach.pharaoh.less", {
          amount: decimal(Math.abs(Number(value)), 1),
        }),
      ];
    default:
      return [name, typeof value === "number" ? value : String(value)];
  }
}
