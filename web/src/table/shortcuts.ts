/** Single keys that do at a table what its buttons do: those of every table, and those of its game. Needed with the first key. */
import { mount, unmount, type Component } from "svelte";
import type { Keys, Meant } from "../games/game";
import { loadKeys } from "../games/later";
import Later from "../ui/Later.svelte";
import { preferences } from "../ui/preferences.svelte";
import type { Moment } from "../session/queue";

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
  const own = await loadKeys(moment.state.table.game);
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

function list(listed: Keys["listed"]): void {
  const load = () => import("./ShortcutSheet.svelte");
  const close = () => void unmount(sheet);
  const sheet = mount(Later as Component<any>, { target: document.body, props: { load, listed, close } });
}
