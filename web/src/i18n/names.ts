/** What everybody at a table is called: people by their names, bots by their kind and a mark, numbered where alike. */
import { capital, t } from "./language.svelte";
import type { SeatInfo } from "../net/messages";
import { botName } from "./botName";

/** Stands before every bot's name, wherever it is shown; the server lets no person's name hold it. */
const BOT_MARK = "\u2699\ufe0e";
/** Letters that are written from right to left; the server lets no characters through that only steer direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Others' words, so that their direction ends where they end: also within a sentence, where no element can do it. */
export function isolated(words: string): string {
  return RIGHT_TO_LEFT.test(words) ? `\u2068${words}\u2069` : words;
}

/** A name where a face or a word beside it says that it is a bot's. */
export function unmarked(name: string): string {
  return name.replace(`${BOT_MARK} `, "");
}

export function namesOf(seats: SeatInfo[]): string[] {
  const wanted = seats.map((seat, index) => {
    if (seat.kind === "open") return t("play.open_seat");
    if (seat.kind === "bot") return `${BOT_MARK} ${botName(seat.bot ?? "")}`;
    return isolated(seat.name ?? "") || t("play.seat", { seat: index + 1 });
  });
  return wanted.map((name, index) => {
    if (seats[index].kind === "open" || wanted.indexOf(name) === wanted.lastIndexOf(name)) return name;
    const before = wanted.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}

/** The same for the player who reads it: to oneself one is “You”. */
export function called(names: string[], you: number | null): string[] {
  return names.map((name, seat) => (seat === you ? capital(t("lobby.you")) : name));
}
