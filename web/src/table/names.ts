/** What everybody at a table is called: people by their names, bots by their kind, numbered where there are several. */
import { capital, isKey, t } from "../i18n/language.svelte";
import type { SeatInfo } from "../net/messages";

export function botName(bot: string): string {
  const key = `bot.${bot}`;
  return isKey(key) ? t(key) : capital(bot);
}

export function namesOf(seats: SeatInfo[]): string[] {
  const wanted = seats.map((seat, index) => {
    if (seat.kind === "open") return t("play.open_seat");
    if (seat.kind === "bot") return botName(seat.bot ?? "");
    return seat.name || t("play.seat", { seat: index + 1 });
  });
  return wanted.map((name, index) => {
    if (seats[index].kind === "open" || wanted.indexOf(name) === wanted.lastIndexOf(name)) return name;
    const before = wanted.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}
