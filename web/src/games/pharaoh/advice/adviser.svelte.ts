/** What the game tells before somebody acts: asked of the table when a position is shown, and kept while it is. */
import { learnWords } from "../../../i18n/language.svelte";
import type { Advice as Answer } from "../../../net/messages";
import { tableTold } from "../../../net/rest";
import type { Advice, PhotoLeft } from "../messages";
import { NOWHERE } from "../pieces";

export class Adviser {
  private told = $state.raw<{ on: number; advice: Advice } | null>(null);
  private asked: { on: number; answered: Promise<void> } | null = null;

  constructor(private readonly table: string) {}

  /** What is told of the position after so many changes of the game, once it is known. */
  of(on: number): Advice | null {
    return this.told?.on === on ? this.told.advice : null;
  }

  /** What the photos show that nobody owns: they change seldom, so what was told last holds until more is known. */
  photos(owners: number[]): PhotoLeft[] | null {
    return this.told?.advice.photos.filter(({ number }) => owners[number - 1] === NOWHERE) ?? null;
  }

  /** Ask for it, once; done when it is known. */
  ask(on: number, seat: number | null): Promise<void> {
    if (this.asked?.on !== on) this.asked = { on, answered: this.fetch(seat) };
    return this.asked.answered;
  }

  private async fetch(seat: number | null): Promise<void> {
    const words = learnWords("advice.pharaoh");
    const answer = await tableTold<Answer>(this.table, "advice", seat).catch(() => null);
    await words;
    if (answer !== null) this.told = { on: answer.on, advice: answer.advice as Advice };
  }
}
