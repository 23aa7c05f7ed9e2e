/** Names of things in the pyramid, in the language on screen. */
import { list, t } from "../../i18n/language.svelte";
import type { PharaohState } from "./messages";
import { figuresOn } from "./geometry";
import {
  cellName,
  CHAMBERS,
  chamberOf,
  drawingOf,
  FACE_DOWN,
  FALLEN,
  isPassage,
  MASK,
  PASSAGES,
  sidesOf,
  START,
  type Figure,
} from "./pieces";

/** Within a sentence: a treasure worth 3, the death mask. */
export function treasure(value: number): string {
  return value === MASK ? t("pharaoh.mask") : t("pharaoh.treasure", { value });
}

/** As a label: Treasure worth 3, Death mask. */
export function treasureLabel(value: number): string {
  return value === MASK ? t("pharaoh.label.mask") : t("pharaoh.label.treasure", { value });
}

/** On its own, short: Archaeologist. */
export function figureName(figure: Figure): string {
  return t(`pharaoh.figure.${figure}`);
}

/** What a tile of this kind is called: tee, corner, lotus flowers … */
export function kindName(kind: number): string {
  const chamber = kind - PASSAGES.length;
  return chamber < 0 ? t(`pharaoh.passage.${PASSAGES[kind]}`) : t(`pharaoh.chamber.${CHAMBERS[chamber]}`);
}

/** The open sides in words: north and east. */
export function openTo(openings: number): string {
  return list(sidesOf(openings).map((side) => t(`pharaoh.side.${side}`)));
}

/** A cell and everything on it, for those who cannot see it. */
export function described(view: PharaohState, cell: number, names: string[]): string {
  const parts = [tileName(view.tiles[cell])];
  view.lamps.forEach((lit, seat) => {
    if (lit.includes(cell)) parts.push(t("pharaoh.lamp_of", { name: names[seat] }));
  });
  for (const [place, value] of view.lying) if (place === cell) parts.push(treasureLabel(value));
  for (const { seat, figure } of figuresOn(view, cell)) {
    parts.push(t(`pharaoh.${figure}_of`, { name: names[seat] }));
    if (figure === "archaeologist" && view.carried[seat] > 0) {
      parts.push(t("pharaoh.carries", { treasure: treasure(view.carried[seat]) }));
    }
  }
  return `${cellName(cell)}: ${parts.join(", ")}`;
}

function tileName(code: number): string {
  if (code === FACE_DOWN) return t("pharaoh.face_down");
  if (code === FALLEN) return t("pharaoh.fallen");
  if (code === START) return t("pharaoh.start");
  const chamber = chamberOf(code);
  if (chamber !== null) return t(`pharaoh.chamber.${chamber}`);
  if (!isPassage(code)) return "";
  const passage = t(`pharaoh.passage.${drawingOf(code).passage}`);
  return t("pharaoh.passage_open", { passage, sides: openTo(code) });
}
