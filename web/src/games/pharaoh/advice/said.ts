/** Advice in words. */
import { capital, isKey, t } from "../../../i18n/language.svelte";
import type { Values } from "../../../i18n/catalogue";
import { figuresOn } from "../geometry";
import type { Advice, Danger, Home, PharaohState } from "../messages";
import type { Figure } from "../pieces";
import { figureName } from "../words";

/** What was touched in vain: a cell with something in hand or, while others play, with nothing; or a figure. */
export type Asked = { hand: Hand; cell: number } | { hand: null; cell: number } | { figure: Figure };
export type Hand = Figure | "turn";

/** Why touching that does nothing; empty where nothing is known, or something can be done. */
export function whyNot(advice: Advice, asked: Asked): string {
  const reasons =
    "figure" in asked
      ? advice.abilities.filter(({ figure }) => figure === asked.figure).flatMap(({ lacks }) => lacks)
      : advice.whys.filter(({ hand, cell }) => hand === asked.hand && cell === asked.cell);
  return reasons.map(({ key, values }) => (isKey(key) ? t(key, values as Values) : "")).join(" ");
}

/**
 * Those whose way home is shown: both figures of a player who was chosen, one's own that was touched, or everybody
 * else on a cell that was.
 */
export function shownHomes(
  advice: Advice,
  view: PharaohState,
  seat: number | null,
  asked: Asked | null,
  player: number | null,
): Home[] {
  if (player !== null) return advice.homes.filter((home) => home.seat === player);
  if (asked === null) return [];
  if ("figure" in asked) return advice.homes.filter((home) => home.seat === seat && home.figure === asked.figure);
  const here = figuresOn(view, asked.cell).filter((one) => asked.hand === null || one.seat !== seat);
  return advice.homes.filter((home) => here.some((one) => one.seat === home.seat && one.figure === home.figure));
}

/** Whose figure it is and how it gets home; nothing where it has no way to go. */
export function homeOf(home: Home, seat: number | null, names: string[]): string {
  const whose =
    home.seat === seat ? figureName(home.figure) : capital(t(`pharaoh.${home.figure}_of`, { name: names[home.seat] }));
  return home.moves === 0 ? "" : `${whose}: ${homeward(home)}.`;
}

/** How a figure gets home, in words of three lengths, and whether in time. */
export interface Homeward {
  text: string;
  brief: string;
  whole: string;
  safe: boolean;
}

/** How the figures of a seat get home. */
export function homes(advice: Advice, seat: number | null): Partial<Record<Figure, Homeward>> {
  const mine = advice.homes.filter((home) => home.seat === seat);
  return Object.fromEntries(
    mine.map((home) => {
      const text = homeward(home);
      const whole = `${text}. ${t("advice.pharaoh.unless")}`;
      return [home.figure, { text, brief: briefly(home), whole, safe: inTime(home) }];
    }),
  );
}

/** Whether it gets home; once something falls, in time. */
export function inTime({ moves, safe }: Home): boolean {
  return safe ?? moves >= 0;
}

function homeward({ moves, turns, safe }: Home): string {
  if (moves === 0) return t("advice.pharaoh.at_home");
  if (moves < 0) return t("advice.pharaoh.no_way");
  const far = t("advice.pharaoh.home", { count: moves });
  if (typeof turns !== "number") return far;
  const holds = t("advice.pharaoh.holds", { count: turns });
  return `${far}, ${holds}: ${t(safe ? "advice.pharaoh.safe" : "advice.pharaoh.not_safe")}`;
}

function briefly(home: Home): string {
  const { moves, safe } = home;
  if (moves <= 0) return homeward(home);
  const fate = typeof safe === "boolean" ? ` · ${t(safe ? "advice.pharaoh.safe" : "advice.pharaoh.not_safe")}` : "";
  return `⌂ ${moves}${fate}`;
}

/** What ending the turn now would cost; empty if nothing. */
export function warning(dangers: readonly Danger[]): string {
  const [first, second] = dangers.map(({ figure, lost }) => ({
    figure,
    fate: lost ? ("lost" as const) : ("late" as const),
  }));
  if (first === undefined) return "";
  if (second === undefined) return t(`advice.pharaoh.${first.fate}_${first.figure}`);
  if (first.fate === second.fate) return t(`advice.pharaoh.${first.fate}_both`);
  return t(`advice.pharaoh.lost_${first.fate === "lost" ? first.figure : second.figure}_late`);
}

/** Whom a tile would shut in if it lay like this. */
export function shutIn(advice: Advice, cell: number, openings: number, names: string[]): string {
  const hit = advice.shut_in.filter((one) => one.cell === cell && one.openings === openings);
  const said = hit.map(({ seat, figure, alone }) =>
    t(`advice.pharaoh.${alone ? "buries" : "cuts"}_${figure}`, { name: names[seat] }),
  );
  return said.join(" ");
}
