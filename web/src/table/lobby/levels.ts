/** Which bots to choose from, which to begin with, and which come next. Bots are told weakest first. */
import type { GameInfo, SeatInfo } from "../../net/messages";

export type Bots = Pick<GameInfo, "bots" | "levels" | "standings" | "company" | "warming">;
type Chosen = Pick<Bots, "bots" | "levels" | "warming">;

/** The levels, weakest first, with those that are not ready yet. */
export function everyLevel({ levels, warming }: Pick<Bots, "levels" | "warming">): string[] {
  const all = [...levels];
  for (const { bot, level } of warming) if (level !== null) all.splice(level, 0, bot);
  return all;
}

/** Those that are no level: they come last, if anybody asks for them. */
export function othersOf({ bots, levels, warming }: Chosen): string[] {
  return [
    ...bots.filter((bot) => !levels.includes(bot)),
    ...warming.flatMap((one) => (one.level === null ? one.bot : [])),
  ];
}

/** About how many seconds a bot still needs; null for one that is ready. */
export function secondsLeft({ warming }: Pick<Bots, "warming">, wanted: string): number | null {
  return warming.find(({ bot }) => bot === wanted)?.seconds ?? null;
}

/** The one that was played against last, if it can play here; else one of middling strength. Either may not be ready yet. */
export function usualBot(game: Chosen, remembered?: string): string {
  const levels = everyLevel(game);
  const known = levels.length > 0 ? levels : game.bots;
  return remembered !== undefined && known.includes(remembered) ? remembered : known[Math.floor(known.length / 2)];
}

/** Who plays where only the level was chosen: different ones of about its strength, as far as there are any. */
export function companyOf({ company }: Pick<Bots, "company">, level: string, count: number): string[] {
  const known = company[level] ?? [level];
  return Array.from({ length: count }, (_, place) => known[place % known.length]);
}

/** Who sits down beside these: one more of the company of the first level among them, or of the usual one. */
export function nextBot(bots: Bots, seated: string[], remembered?: string): string {
  const level = seated.find((bot) => everyLevel(bots).includes(bot)) ?? usualBot(bots, remembered);
  return bots.company[level]?.find((bot) => !seated.includes(bot)) ?? seated.at(-1) ?? level;
}

export function same(bots: string[], others: string[]): boolean {
  return bots.length === others.length && bots.every((bot, at) => bot === others[at]);
}

/** Who would play in the bots' seats one level up (1) or down (-1); null where nobody would change. */
export function stepped(
  seats: SeatInfo[],
  { levels, company }: Pick<Bots, "levels" | "company">,
  step: 1 | -1,
): string[] | null {
  const before = seats.flatMap((seat) => (seat.kind === "bot" ? [seat.bot ?? ""] : []));
  const next = (bot: string) => (levels.includes(bot) ? (levels[levels.indexOf(bot) + step] ?? bot) : bot);
  const together = levels.find(
    (level) => before.length > 1 && company[level] && same(before, companyOf({ company }, level, before.length)),
  );
  const after = together === undefined ? before.map(next) : companyOf({ company }, next(together), before.length);
  return same(before, after) ? null : after;
}
