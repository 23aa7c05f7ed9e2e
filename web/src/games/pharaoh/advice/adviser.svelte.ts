/** What the game tells before somebody acts: asked of the table when a position is shown, and kept while it is. */
import { learnWords } from "../../../i18n/language.svelte";
import type { Advice as Answer } from "../../../net/messages";
import { tableTold } from "../../../net/rest";
import type { Advice } from "../messages";

export class Adviser {
  private told = $state.raw<{ on: number; advice: Advice } | null>(null);
  private asking = -1;

  constructor(private readonly table: string) {}

  /** What is told of the position after so many changes of the game, once it is known. */
  of(on: number): Advice | null {
    return this.told?.on === on ? this.told.advice : null;
  }

  async ask(on: number, seat: number | null): Promise<void> {
    if (this.asking === on) return;
    this.asking = on;
    const words = learnWords("advice.pharaoh");
    const answer = await tableTold<Answer>(this.table, "advice", seat).catch(() => null);
    await words;
    if (answer !== null) this.told = { on: answer.on, advice: answer.advice as Advice };
  }
}
