/** What the game tells before somebody acts: asked for when a position is shown, and kept while it is. */
import { learnWords } from "../../../i18n/language.svelte";
import type { TableSession } from "../../../table/session.svelte";
import type { TableState } from "../../../table/state";
import type { Advice, PhotoLeft } from "../messages";
import { NOWHERE } from "../pieces";

export class Adviser {
  private told = $state.raw<{ on: number; advice: Advice } | null>(null);
  private asked: { on: number; answered: Promise<void> } | null = null;

  constructor(private readonly advise: NonNullable<TableSession["advise"]>) {}

  /** What is told of the position after so many changes of the game, once it is known. */
  of(on: number): Advice | null {
    return this.told?.on === on ? this.told.advice : null;
  }

  /** What the photos show that nobody owns: they change seldom, so what was told last holds until more is known. */
  photos(owners: number[]): PhotoLeft[] | null {
    return this.told?.advice.photos.filter(({ number }) => owners[number - 1] === NOWHERE) ?? null;
  }

  /** Ask for it, once; done when it is known. */
  ask(known: TableState): Promise<void> {
    if (this.asked?.on !== known.on) this.asked = { on: known.on, answered: this.fetch(known) };
    return this.asked.answered;
  }

  private async fetch(known: TableState): Promise<void> {
    const words = learnWords("advice.pharaoh");
    const answer = await this.advise(known).catch(() => null);
    await words;
    // Whoever has gone on by now has asked for something else.
    if (this.asked?.on !== known.on) return;
    if (answer === null) this.asked = null;
    else this.told = { on: answer.on, advice: answer.advice as Advice };
  }
}
