/** Advice on the position that is shown: asked for once, and kept until there is advice on another one. */
import type { TableSession } from "../../session/session";
import type { TableState } from "../../session/state";
import type { Advice, PhotoLeft } from "./messages";
import { NOWHERE } from "./pieces";

/** How advice is drawn and put into words. */
export type AdviceParts = typeof import("./advice");

export class Adviser {
  /** Null until they have been loaded; they are there before any advice is. */
  parts = $state.raw<AdviceParts | null>(null);
  private latest = $state.raw<{ on: number; advice: Advice } | null>(null);
  private loading: Promise<void> | null = null;
  private asked: { on: number; answered: Promise<void> } | null = null;

  constructor(private readonly loadParts: () => Promise<AdviceParts>) {}

  /** Advice on the position after this many changes of the game, once it is known. */
  on(on: number): Advice | null {
    return this.latest?.on === on ? this.latest.advice : null;
  }

  /** What the photos show that nobody owns: they change seldom, so the latest advice holds until there is more. */
  photos(owners: number[]): PhotoLeft[] | null {
    return this.latest?.advice.photos.filter(({ number }) => owners[number - 1] === NOWHERE) ?? null;
  }

  /** Load what shows advice, before there is any. */
  prepare(): Promise<void> {
    this.loading ??= this.loadParts().then(
      (parts) => {
        this.parts = parts;
      },
      () => {
        this.loading = null;
      },
    );
    return this.loading;
  }

  /** Ask for advice, once for each position; done when it is known. After a failure the next call asks again. */
  ask(known: TableState, advise: NonNullable<TableSession["advise"]>): Promise<void> {
    if (this.asked?.on !== known.on) this.asked = { on: known.on, answered: this.fetch(known, advise) };
    return this.asked.answered;
  }

  private async fetch(known: TableState, advise: NonNullable<TableSession["advise"]>): Promise<void> {
    const [answer] = await Promise.all([advise(known).catch(() => null), this.prepare()]);
    // Another position has been asked about meanwhile.
    if (this.asked?.on !== known.on) return;
    if (answer === null || this.parts === null) this.asked = null;
    else this.latest = { on: answer.on, advice: answer.advice as Advice };
  }
}
