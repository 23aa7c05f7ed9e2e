/** What happened, as a sentence in the language on screen. */
import { capital, list, t } from "../../i18n/language.svelte";
import { number } from "../../i18n/catalogue";
import type { Event, GameEnded, ScoreCounted } from "./messages";
import { cellName, NOWHERE, PASSAGES } from "./pieces";
import { kindName, openTo, treasure } from "./words";

/** The sentence of an event, or null for what the neighbouring events already say. */
export function tell(event: Event, names: string[]): string | null {
  const name = (seat: number): string => names[seat] ?? String(seat + 1);
  switch (event.type) {
    case "turn_began":
      return t("pharaoh.tell.turn", { name: name(event.seat), round: event.round });
    case "walked": {
      const values = { name: name(event.seat), cell: cellName(event.way.at(-1) ?? 0) };
      return event.way.length > 2
        ? t(`pharaoh.tell.lit_${event.figure}`, values)
        : t(`pharaoh.tell.walk_${event.figure}`, values);
    }
    case "tile_opened":
      return t("pharaoh.tell.reveals", { name: name(event.seat), cell: cellName(event.cell) });
    case "tile_drawn": {
      const key = event.tile < PASSAGES.length ? "pharaoh.tell.passage" : "pharaoh.tell.chamber";
      return capital(t(key, { tile: kindName(event.tile), name: name(event.seat), cell: cellName(event.cell) }));
    }
    case "tile_laid":
      return t("pharaoh.tell.laid", {
        name: name(event.seat),
        cell: cellName(event.cell),
        sides: openTo(event.openings),
      });
    case "tile_turned":
      return t("pharaoh.tell.turned", {
        name: name(event.seat),
        cell: cellName(event.cell),
        sides: openTo(event.openings),
      });
    case "figure_shut_in":
      return t(`pharaoh.tell.shut_in_${event.figure}`, { name: name(event.seat), cell: cellName(event.cell) });
    case "lamp_put_up":
      return t("pharaoh.tell.lamp", { name: name(event.seat), cell: cellName(event.cell), count: event.supply });
    case "lamp_taken_down":
      return t("pharaoh.tell.unlamp", { name: name(event.seat), cell: cellName(event.cell) });
    case "treasure_taken":
      return t("pharaoh.tell.take", { name: name(event.seat), treasure: treasure(event.value) });
    case "treasure_dropped": {
      const key = event.frightened ? "pharaoh.tell.frightened" : "pharaoh.tell.drop";
      return t(key, { name: name(event.seat), treasure: treasure(event.value), cell: cellName(event.cell) });
    }
    case "treasure_stolen":
      return t("pharaoh.tell.steal", {
        name: name(event.seat),
        victim: name(event.victim),
        treasure: treasure(event.value),
      });
    case "treasure_banked":
      return t("pharaoh.tell.safe", { name: name(event.seat), treasure: treasure(event.value) });
    case "photo_taken": {
      const key = event.omen === "" ? "pharaoh.tell.photo" : (`pharaoh.tell.photo_${event.omen}` as const);
      return t(key, { name: name(event.seat), count: event.treasures });
    }
    case "treasure_laid_out":
      return capital(t("pharaoh.tell.lies", { treasure: treasure(event.value) }));
    case "mask_found":
      return t("pharaoh.tell.mask", { name: name(event.seat), count: event.turns });
    case "mummy_woke":
      return t("pharaoh.tell.mummy");
    case "figure_fled":
      return t(`pharaoh.tell.fled_${event.figure}`, { name: name(event.seat), cell: cellName(event.cell) });
    case "curse_spread":
      return t("pharaoh.tell.curse");
    case "lamp_blown_out":
      return t("pharaoh.tell.blown_out", { name: name(event.seat), cell: cellName(event.cell) });
    case "omen_slept":
      return event.omen === "" ? null : t(`pharaoh.tell.${event.omen}_sleeps`);
    case "countdown_went":
      if (event.turns === 0) return t("pharaoh.tell.time_up");
      return t("pharaoh.tell.countdown", { name: name(event.seat), count: event.turns });
    case "mask_carried_out":
      return t("pharaoh.tell.carried_out", { name: name(event.seat) });
    case "clock_moved":
      return t("pharaoh.tell.clock", { name: name(event.seat) });
    case "chamber_fell":
      return t("pharaoh.tell.chamber_fell", { cell: cellName(event.cell) });
    case "ring_fell":
      return t("pharaoh.tell.ring", { ring: event.ring, count: event.cells.length });
    case "figure_lost":
      return t(`pharaoh.tell.lost_${event.figure}`, {
        name: name(event.seat),
        cell: cellName(event.cell),
        points: number(event.points),
      });
    case "treasure_lost": {
      const key = event.seat === NOWHERE ? "pharaoh.tell.treasure_lost" : "pharaoh.tell.carried_lost";
      const who = event.seat === NOWHERE ? "" : name(event.seat);
      return capital(t(key, { name: who, treasure: treasure(event.value), cell: cellName(event.cell) }));
    }
    case "lamp_lost":
      return t("pharaoh.tell.lamp_lost", { name: name(event.seat), cell: cellName(event.cell) });
    case "turn_ended":
      return event.why === "end" ? null : t("pharaoh.tell.turn_over", { name: name(event.seat) });
    case "score_counted":
      return counted(event, name(event.seat));
    case "game_ended":
      return ended(event, names);
  }
}

function counted(event: ScoreCounted, name: string): string {
  const worth = event.treasures.reduce((sum, value) => sum + value, 0);
  const key = event.lost === 0 ? "pharaoh.tell.counted" : "pharaoh.tell.counted_lost";
  return t(key, { name, photos: event.photos, treasures: worth, lost: number(event.lost), count: event.total });
}

function ended(event: GameEnded, names: string[]): string {
  const winners = list(event.winners.map((seat) => names[seat]));
  const why = t(`pharaoh.tell.ended_${event.why}`);
  return `${why} ${t(event.winners.length > 1 ? "pharaoh.tell.winners" : "pharaoh.tell.winner", { name: winners })}`;
}
