/** The way through a guided game. */
import { expect } from "vitest";
import type { Page, Told } from "./kit";

export const GUIDE = ".guide";

/** The stage and the step of the lesson. */
export const at = (page: Page) => `${page.one("[data-stage]").dataset.stage} ${page.one("[data-step]").dataset.step}`;

/** Whatever is shown is shown to its end, whatever is to be read is read, up to where something is to be done. */
export async function goOn(page: Page): Promise<string> {
  await page.until(() => page.all("[data-stage]").length === 1, "a lesson");
  for (let turns = 0; turns < 400; turns += 1) {
    const { stage } = page.one("[data-stage]").dataset;
    expect(page.text(GUIDE)).not.toContain("lesson.");
    if (stage === "do" || stage === "end") return stage;
    if (stage === "playing") await page.pass(500);
    else await page.press(page.all(`${GUIDE} .button`)[0]);
  }
  throw new Error(`no end: ${at(page)}`);
}

/** What the learner is taught to do, in order; what has no alternative the page does by itself. */
export function taught([{ answer }]: Told[]): Record<string, unknown>[] {
  const { seat, frames } = answer as {
    seat: number;
    frames: { type: string; by?: number; action?: Record<string, unknown>; actions?: object[] }[];
  };
  const played = frames.filter(({ type }) => type === "frame");
  const own = played.filter((frame, index) => frame.by === seat && (played[index - 1]?.actions ?? []).length > 1);
  return own.map(({ action }) => action!);
}
