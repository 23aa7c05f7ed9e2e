/** What happened, as a sentence in the language on screen. */
import { capital, list, t } from "../../i18n/language.svelte";
import { number, type Key } from "../../i18n/catalogue";
import type { Event, FigureShutIn, GameEnded, ScoreCounted } from "./messages";
import { cellName, COUNTDOWN, NOWHERE, PASSAGES } from "./pieces";
import { kindName, openTo, treasure } from "./words";

/** What is said in other words to whoever it is about. */
type ToYou = Key extends infer K ? (K extends `pharaoh.you.${infer Rest}` ? Rest : never) : never;

/** The sentence of an event, or null for what the neighbouring events already say; `you` is the seat that reads it. */
export function tell(event: Event, names: string[], you: number | null = null): string | null {
  const name = (seat: number): string => (seat === you ? t("pharaoh.you") : (names[seat] ?? String(seat + 1)));
  /** What is said of a player in a sentence of one's own: of you, or of another. */
  const of = <K extends ToYou>(seat: number, key: K) =>
    seat === you ? (`pharaoh.you.${key}` as const) : (`pharaoh.tell.${key}` as const);
  switch (event.type) {
    case "turn_began":
      return t(of(event.seat, "turn"), { name: name(event.seat), round: event.round });
    case "walked": {
      const values = { name: name(event.seat), cell: cellName(event.way.at(-1) ?? 0) };
      return t(of(event.seat, `${event.way.length > 2 ? "lit" : "walk"}_${event.figure}`), values);
    }
    case "tile_opened":
      return t(of(event.seat, "reveals"), { name: name(event.seat), cell: cellName(event.cell) });
    case "tile_drawn": {
      const key = event.tile < PASSAGES.length ? "pharaoh.tell.passage" : of(event.seat, "chamber");
      return capital(t(key, { tile: kindName(event.tile), name: name(event.seat), cell: cellName(event.cell) }));
    }
    case "tile_laid":
      return t(of(event.seat, "laid"), {
        name: name(event.seat),
        cell: cellName(event.cell),
        sides: openTo(event.openings),
      });
    case "tile_turned":
      return t(of(event.seat, "turned"), {
        name: name(event.seat),
        cell: cellName(event.cell),
        sides: openTo(event.openings),
      });
    case "figure_shut_in":
      return shutIn(event, name, you);
    case "lamp_put_up":
      return t(of(event.seat, "lamp"), { name: name(event.seat), cell: cellName(event.cell), count: event.supply });
    case "lamp_taken_down":
      return t(of(event.seat, "unlamp"), { name: name(event.seat), cell: cellName(event.cell) });
    case "treasure_taken":
      return t(of(event.seat, "take"), { name: name(event.seat), treasure: treasure(event.value) });
    case "treasure_dropped": {
      const key = of(event.seat, event.frightened ? "frightened" : "drop");
      return t(key, { name: name(event.seat), treasure: treasure(event.value), cell: cellName(event.cell) });
    }
    case "treasure_stolen":
      return t(event.victim === you ? "pharaoh.you.robbed" : of(event.seat, "steal"), {
        name: name(event.seat),
        victim: name(event.victim),
        treasure: treasure(event.value),
      });
    case "treasure_banked":
      return t(of(event.seat, "safe"), { name: name(event.seat), treasure: treasure(event.value) });
    case "photo_taken": {
      const key = of(event.seat, event.omen === "" ? "photo" : (`photo_${event.omen}` as const));
      return t(key, { name: name(event.seat), count: event.treasures });
    }
    case "treasure_laid_out":
      return capital(t("pharaoh.tell.lies", { treasure: treasure(event.value) }));
    case "mask_found":
      if (event.turns === 0) return t(of(event.seat, "late_mask"), { name: name(event.seat) });
      return t(of(event.seat, "mask"), { name: name(event.seat), count: event.turns });
    case "mummy_woke":
      return t("pharaoh.tell.mummy");
    case "figure_fled":
      return t(of(event.seat, `fled_${event.figure}`), { name: name(event.seat), cell: cellName(event.cell) });
    case "curse_spread":
      return t("pharaoh.tell.curse");
    case "lamp_blown_out":
      return t(of(event.seat, "blown_out"), { name: name(event.seat), cell: cellName(event.cell) });
    case "omen_slept":
      return event.omen === "" ? null : t(`pharaoh.tell.${event.omen}_sleeps`);
    case "countdown_went":
      // How many turns are left is said when the mask is found; the end of that turn has nothing to add.
      if (event.turns === COUNTDOWN) return null;
      if (event.turns === 0) return t("pharaoh.tell.time_up");
      return t(of(event.seat, "countdown"), { name: name(event.seat), count: event.turns });
    case "mask_carried_out":
      return t(of(event.seat, "carried_out"), { name: name(event.seat) });
    case "clock_moved":
      return t(of(event.seat, "clock"), { name: name(event.seat) });
    case "chamber_fell":
      return t("pharaoh.tell.chamber_fell", { cell: cellName(event.cell) });
    case "ring_fell":
      return t("pharaoh.tell.ring", { ring: event.ring, count: event.cells.length });
    case "rumbled":
      return t("pharaoh.tell.rumbled", { cell: cellName(event.cell) });
    case "calmed":
      return t("pharaoh.tell.calmed");
    case "collapse_began":
      return t("pharaoh.tell.collapse_began", { cell: cellName(event.cell) });
    case "figure_lost":
      return t(of(event.seat, `lost_${event.figure}`), {
        name: name(event.seat),
        cell: cellName(event.cell),
        points: number(event.points),
      });
    case "treasure_lost": {
      const key = event.seat === NOWHERE ? "pharaoh.tell.treasure_lost" : of(event.seat, "carried_lost");
      const who = event.seat === NOWHERE ? "" : name(event.seat);
      return capital(t(key, { name: who, treasure: treasure(event.value), cell: cellName(event.cell) }));
    }
    case "lamp_lost":
      return t(of(event.seat, "lamp_lost"), { name: name(event.seat), cell: cellName(event.cell) });
    case "turn_ended":
      return event.why === "end" ? null : t(of(event.seat, "turn_over"), { name: name(event.seat) });
    case "score_counted":
      return counted(event, name(event.seat));
    case "game_ended":
      return ended(event, name, you);
  }
}

/** Who has no way home; and to whoever it is done, by whom. */
function shutIn({ seat, figure, cell, by, alone }: FigureShutIn, name: (seat: number) => string, you: number | null) {
  const fate = `${alone ? "shut_in" : "cut_off"}_${figure}` as const;
  const key = `pharaoh.${seat === you ? "you" : "tell"}.${fate}` as const;
  if (seat === you && by !== you) return t(`pharaoh.you.${fate}_by`, { by: name(by), cell: cellName(cell) });
  return t(key, { name: name(seat), cell: cellName(cell) });
}

function counted(event: ScoreCounted, name: string): string {
  const worth = event.treasures.reduce((sum, value) => sum + value, 0);
  const key = event.lost === 0 ? "pharaoh.tell.counted" : "pharaoh.tell.counted_lost";
  return t(key, { name, photos: event.photos, treasures: worth, lost: number(event.lost), count: event.total });
}

function ended({ why, winners }: GameEnded, name: (seat: number) => string, you: number | null): string {
  const among = winners.length > 1 ? "pharaoh.tell.winners" : "pharaoh.tell.winner";
  const key = winners.length === 1 && winners[0] === you ? "pharaoh.you.winner" : among;
  return `${t(`pharaoh.tell.ended_${why}`)} ${t(key, { name: list(winners.map(name)) })}`;
}
