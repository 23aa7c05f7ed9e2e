/** The table on screen for every component below its page, by Svelte's context: nobody hands it through. */
import { getContext, setContext } from "svelte";
import type { Moment, Staging } from "./queue";
import type { TableSession } from "./session";

const KEY = Symbol("table");

/** Read its fields where they are used, and do not take them apart: each is a getter that follows the table. */
export interface TableOnScreen<Game extends Staging = Staging> {
  readonly session: TableSession<Game>;
  /** Only components that are drawn once something is known may ask for it. */
  readonly moment: Moment;
  /** What everybody is called, by seat. */
  readonly names: string[];
  /** The seat of whoever sits in front of the page; null for onlookers, and where several do. */
  readonly you: number | null;
}

/** Called by a page while it is made: gives its table to all components below, each field by what reads it. */
export function shareTable(
  session: () => TableSession | null,
  moment: () => Moment | null,
  names: () => string[],
  you: () => number | null,
): void {
  const table: TableOnScreen = {
    get session() {
      return session()!;
    },
    get moment() {
      return moment()!;
    },
    get names() {
      return names();
    },
    get you() {
      return you();
    },
  };
  setContext(KEY, table);
}

/** Called by a component while it is made. */
export function tableHere<Game extends Staging = Staging>(): TableOnScreen<Game> {
  const table = getContext<TableOnScreen<Game> | undefined>(KEY);
  if (table === undefined) throw new Error("there is no table above this component");
  return table;
}
