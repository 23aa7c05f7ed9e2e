/** A table on screen, whether it is played, replayed or taught: what a game's own table and the story need of it. */
import type { Asked } from "../net/connection";
import type { Advice, Refused } from "../net/messages";
import type { Moment, Staging } from "./queue";
import type { TableState } from "./state";

/** A message without the id that is given to it when it is sent. */
export type Wanted = Asked extends infer Message
  ? Message extends { id: string }
    ? Omit<Message, "id">
    : never
  : never;

export interface TableSession<Game extends Staging = Staging> {
  /** All that is shown; null before anything is known. */
  readonly moment: Moment | null;
  readonly game: Game | null;
  /** Asks for the game's advice on a position, where there is somebody to be asked. */
  readonly advise?: (known: TableState) => Promise<Advice>;
  /** Whether there is somebody to be asked for odds. */
  readonly tellsOdds?: boolean;
  /** Do something, if everything before has been shown. */
  act(action: object): void;
  undo(): void;
  /** Show the rest at once. */
  catchUp(): void;
  /** Go on to the first scene like this, of what is being shown; where there is none, to what comes next. */
  showTo(like: (scene: object) => boolean): void;
  /** Only where somebody is there to hear it. Gives the id by which an answer names it. */
  say?(message: Wanted): string;
  /** What was refused last, until something else is said. */
  readonly refusal?: Refused | null;
}
