/** What somebody is in the middle of doing on their turn: a card lifted, the desert tile held, a question to be answered. */
import { t } from "../../i18n/language.svelte";
import type { Question } from "../../table/Ask.svelte";
import { HeldTile, type Habits } from "./heldTile.svelte";
import { DECKS, type Deck } from "./holdings";
import type { Action, Odds } from "./messages";
import { notation, pounds } from "./odds";
import { offersOf, type Offers } from "./offers";
import { theCamel } from "./words";

/** What a turn needs of the table around it. */
export interface Around {
  habits: Habits;
  act(action: Action): void;
  /** The odds of the position, where they are known. */
  odds(): Odds | null;
  /** Whether to ask before what cannot be undone. */
  careful(): boolean;
  /** Moves the focus to the control with this `data-action`, and scrolls there if that is wanted. */
  focus(action: string, scroll?: boolean): void;
}

type Choice = { kind: "card"; camel: number } | { kind: "roll" } | { kind: "face down"; camel: number | null };

/** Made anew for every position and whenever one may act no longer: whatever was begun before is put away with it. */
export class Turn {
  readonly offers: Offers;
  readonly tile: HeldTile;
  private choice = $state.raw<Choice | null>(null);

  constructor(
    actions: Action[],
    private readonly around: Around,
  ) {
    this.offers = offersOf(actions);
    this.tile = new HeldTile(this.offers, around);
  }

  /** The card that is lifted, about to be laid for all to see. */
  get card(): number | null {
    return this.choice?.kind === "card" ? this.choice.camel : null;
  }

  /** The card that is chosen under a cover, to lie face down for everybody; undefined while there is no cover. */
  get hiddenCard(): number | null | undefined {
    return this.choice?.kind === "face down" ? this.choice.camel : undefined;
  }

  /** The cards that may be laid. */
  get cards(): number[] {
    return [...new Set([...this.offers.winners.keys(), ...this.offers.losers.keys()])].sort((a, b) => a - b);
  }

  get question(): Question | null {
    const { choice } = this;
    if (choice?.kind === "roll") {
      return {
        text: t("camelup.ask.roll"),
        choices: [{ label: t("camelup.roll"), name: "roll", main: true, choose: () => this.act(this.offers.roll) }],
      };
    }
    if (choice?.kind !== "card") return null;
    const choices = DECKS.flatMap((deck) => {
      const action = this.laying(deck, choice.camel);
      if (action === undefined) return [];
      const label = t(`camelup.deck.${deck}`);
      return [{ label, name: deck, hint: this.worth(action), main: true, choose: () => this.act(action) }];
    });
    return { text: t("camelup.ask.card", { camel: theCamel(choice.camel) }), choices, brief: true };
  }

  /** What an action is expected to bring, in words, where the odds are known. */
  worth(action: Action | undefined): string | undefined {
    const value = action && this.around.odds()?.actions?.[notation(action)];
    return value === undefined ? undefined : t("camelup.odds.worth", { value: pounds(value) });
  }

  roll(): void {
    if (this.offers.roll === null) return;
    if (this.around.careful()) this.choice = { kind: "roll" };
    else this.act(this.offers.roll);
  }

  takeLegTile(camel: number): void {
    this.act(this.offers.legs.get(camel));
  }

  pickCard(camel: number): void {
    if (!this.cards.includes(camel)) return;
    this.choice = this.choice?.kind === "face down" ? { kind: "face down", camel } : { kind: "card", camel };
  }

  /** Choose a card that all around the screen must not see. */
  pickFaceDown(): void {
    if (this.cards.length > 0) this.choice = { kind: "face down", camel: null };
  }

  /** Whether the card that was picked may be laid on this deck. */
  canLay(deck: Deck): boolean {
    return this.laying(deck, this.picked) !== undefined;
  }

  /** Lays the card that was picked. */
  layCard(deck: Deck): void {
    const action = this.laying(deck, this.picked);
    this.close();
    this.act(action);
  }

  /** The question, or the cover, is left without an answer. */
  close(): void {
    this.choice = null;
  }

  private get picked(): number | null {
    return this.choice === null || this.choice.kind === "roll" ? null : this.choice.camel;
  }

  private laying(deck: Deck, camel: number | null): Action | undefined {
    return camel === null ? undefined : (deck === "winner" ? this.offers.winners : this.offers.losers).get(camel);
  }

  private act(action: Action | null | undefined): void {
    if (action) this.around.act(action);
  }
}
