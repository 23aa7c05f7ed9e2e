/** What the coach tells of the pyramid, in the language on screen. */
import type { CoachWords, Reason } from "../game";
import { decimal } from "../../i18n/figures";
import { capital, isKey, list, t } from "../../i18n/language.svelte";
import type { Values } from "../../i18n/catalogue";
import { CHAMBERS, MASK, PASSAGES, SIDES } from "./pieces";
import { kindName, treasureLabel } from "./words";

export const coachWords: CoachWords = {
  reason({ key, values }, names) {
    return isKey(key) ? capital(t(key, said(values, names))) : key;
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
};

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

function said({ seat, moves, cells, ...rest }: Reason["values"], names: string[]): Values {
  const values = rest as Values;
  if (typeof seat === "number") values.name = names[seat] ?? String(seat + 1);
  const counted = moves ?? cells;
  if (typeof counted === "number") values.count = counted;
  return values;
}
