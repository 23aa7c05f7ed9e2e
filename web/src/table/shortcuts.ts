/** Single keys that do at a table what its buttons do: each game says which, in a file of its own. Needed with the first key. */
import { mount, unmount } from "svelte";
import type { Key } from "../i18n/catalogue";
import { learnWords } from "../i18n/language.svelte";
import { preferences } from "../preferences.svelte";
import type { Moment } from "./showing";

/** What a key is meant for: the first thing on the page that fits and can be pressed is pressed, reached or told of it. */
export type Meant = { press: string } | { reach: string } | { tell: string };

export interface Keys {
  /** The keys as they are listed, side by side with what they do. */
  listed: readonly (readonly [keys: string, does: Key])[];
  /** What a key, in capitals, is meant for while this has the focus. */
  meant(key: string, at: Element): Meant | null;
}

const GAMES = import.meta.glob<{ keys: Keys }>("../games/*/keys.ts");
const WRITING = "input, textarea, select, [contenteditable]";

/** The keys of every table. */
const SHARED: Keys = {
  listed: [
    ["U", "keys.undo"],
    ["Esc", "keys.escape"],
    ["?", "keys.list"],
  ],
  meant: (key) => (key === "U" ? { press: "[data-undo]" } : null),
};

/** A key was pressed at that moment: while something is being shown, it does nothing. */
export async function pressed(event: KeyboardEvent, moment: Moment): Promise<void> {
  const at = event.target as Element;
  // What is told of a key below is no key that was pressed.
  if (!preferences.shortcuts || !event.isTrusted || event.repeat || at.matches(WRITING)) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const own = (await GAMES[`../games/${moment.state.table.game}/keys.ts`]?.())?.keys;
  if (event.key === "?") return list([...(own?.listed ?? []), ...SHARED.listed]);
  // On many keyboards a digit is the second thing that its key writes.
  const key = /^Digit(\d)$/.exec(event.code)?.[1] ?? event.key.toUpperCase();
  const meant = own?.meant(key, at) ?? SHARED.meant(key, at);
  if (meant !== null && moment.resting) follow(meant, event);
}

function follow(meant: Meant, event: KeyboardEvent): void {
  const [what] = Object.values(meant) as string[];
  const able = [...document.querySelectorAll<HTMLElement>(what)].find(
    (one) => one.getBoundingClientRect().width > 0 && !one.matches("[aria-disabled=true], :disabled"),
  );
  if (able === undefined) return;
  if ("tell" in meant) able.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true }));
  else {
    able.focus({ preventScroll: true });
    if ("press" in meant) able.click();
  }
}

async function list(listed: Keys["listed"]): Promise<void> {
  const [{ default: ShortcutSheet }] = await Promise.all([import("./ShortcutSheet.svelte"), learnWords("keys")]);
  const sheet = mount(ShortcutSheet, { target: document.body, props: { listed, close: () => void unmount(sheet) } });
}
