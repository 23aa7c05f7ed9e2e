/** The way through a guided game. */
import { expect } from "vitest";
import type { Places } from "../../src/games/game";
import { visibleAt } from "../../src/ui/visible";
import { open, type Page, type Told } from "./kit";
import { written } from "./wire";

export const GUIDE = ".guide";

/** The stage and the step of the lesson. */
export const at = (page: Page) => `${page.one("[data-stage]").dataset.stage} ${page.one("[data-step]").dataset.step}`;

/** Whatever is shown is shown to its end, whatever is to be read is read, up to where something is to be done. */
export async function goOn(page: Page): Promise<string> {
  await page.until(() => page.all("[data-stage]").length === 1, "a lesson");
  for (let turns = 0; turns < 400; turns += 1) {
    const { stage } = page.one("[data-stage]").dataset;
    if (stage === "end") return stage;
    expect(page.text(GUIDE)).not.toContain("lesson.");
    if (stage === "do") return stage;
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

/** Go through the guided game by pressing what the light is on, and nothing else: each step gets what it asks for. */
export async function followTheLight(game: string, language: string): Promise<Page> {
  const told = written<Told[]>(`lesson-${game}`);
  const page = await open(`/learn/${game}`, {
    told,
    language,
    answers: { [`/api/games/${game}/lesson/advice`]: () => new Response("{}", { status: 404 }) },
    settings: { careful: true },
  });
  for (const [step, action] of taught(told).entries()) {
    expect(await goOn(page)).toBe("do");
    await page.pass(20);
    expect(page.all("[data-spot]"), `step ${step + 1} points at something`).toHaveLength(1);
    await obey(page, game, action);
  }
  expect(await goOn(page)).toBe("end");
  return page;
}

/** Press what the light is on until the step is over. */
async function obey(page: Page, game: string, action: object): Promise<void> {
  const { places } = (await import(`../../src/games/${game}/places.ts`)) as { places: Places };
  const step = at(page);
  for (let presses = 0; at(page) === step; presses += 1) {
    const lit = visibleAt(places.controls(action));
    expect(lit?.matches("button") === true && presses < 9, `${step}: the light is on ${lit?.outerHTML}`).toBe(true);
    await page.press(lit as HTMLElement);
    expect(page.all(`${GUIDE} .other`), `${step} wants something else than ${lit?.outerHTML}`).toEqual([]);
    // The end of a turn waits for advice, which may warn of it.
    await page.pass(lit?.matches('[data-action="end"]') ? 400 : 20, 400);
  }
}
