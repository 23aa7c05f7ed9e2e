/** What happy-dom lacks, or knows nothing of: sizes, motion, dialogs. */
import { vi } from "vitest";

export interface Browser {
  language: string;
  moving: boolean;
}

/** Stand in for it; what comes back undoes that. */
export function standIn({ language, moving }: Browser): () => void {
  const undo: (() => void)[] = [];
  const put = (on: object, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(on, name);
    Object.defineProperty(on, name, { value, configurable: true, writable: true });
    undo.push(() => (before ? Object.defineProperty(on, name, before) : Reflect.deleteProperty(on, name)));
  };
  put(navigator, "languages", [language]);
  put(navigator, "language", language);
  put(navigator, "userActivation", { hasBeenActive: true });
  put(window, "matchMedia", (query: string) => ({
    matches: query.includes("reduced-motion") ? !moving : false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  put(window, "scrollTo", () => undefined);
  const { showModal } = HTMLDialogElement.prototype;
  put(HTMLDialogElement.prototype, "showModal", function (this: HTMLDialogElement) {
    const before = document.activeElement as HTMLElement;
    this.addEventListener("close", () => before.focus(), { once: true });
    showModal.call(this);
  });
  // Something that hangs from a button: it opens what it names, and a press elsewhere or the next one closes that.
  let shown: HTMLElement | null = null;
  const show = (wanted: HTMLElement | null) => {
    const before = shown;
    if (wanted === before) return;
    shown = wanted;
    const say = (on: HTMLElement | null, newState: string) =>
      on?.dispatchEvent(Object.assign(new Event("beforetoggle"), { newState }));
    say(before, "closed");
    say(wanted, "open");
  };
  put(HTMLElement.prototype, "hidePopover", function (this: HTMLElement) {
    if (shown === this) show(null);
  });
  const press = (event: Event) => {
    const target = event.target as Element;
    const button = target.closest("[popovertarget]");
    const named = button && document.getElementById(button.getAttribute("popovertarget") ?? "");
    if (named) show(named === shown ? null : named);
    else if (!target.closest("[popover]")) show(null);
  };
  const key = (event: KeyboardEvent) => event.key === "Escape" && queueMicrotask(() => show(null));
  document.addEventListener("click", press);
  document.addEventListener("keydown", key);
  undo.push(() => document.removeEventListener("click", press));
  undo.push(() => document.removeEventListener("keydown", key));
  const { querySelector: find } = Document.prototype;
  put(document, "querySelector", (selector: string) =>
    selector === ":popover-open" ? shown : find.call(document, selector),
  );
  // Of the options of a list happy-dom does not know which one is checked.
  const { querySelector } = HTMLSelectElement.prototype;
  put(HTMLSelectElement.prototype, "querySelector", function (this: HTMLSelectElement, selector: string) {
    return selector === ":checked" ? (this.selectedOptions[0] ?? null) : querySelector.call(this, selector);
  });
  put(Element.prototype, "scrollIntoView", () => undefined);
  put(Element.prototype, "animate", () => ({ cancel: vi.fn(), finished: Promise.resolve(), onfinish: null }));
  put(Element.prototype, "getAnimations", () => []);
  put(document, "getAnimations", () => []);
  put(Element.prototype, "getBoundingClientRect", function (this: Element) {
    return visible(this) ? new DOMRect(10, 10, 20, 20) : new DOMRect(0, 0, 0, 0);
  });
  return () => undo.reverse().forEach((one) => one());
}

/** Whether something would be seen, as far as that is no matter of style. */
export function visible(one: Element): boolean {
  if (!one.isConnected || one.closest("[hidden]") !== null) return false;
  const folded = one.closest("details:not([open])");
  return folded === null || folded.querySelector(":scope > summary")?.contains(one) === true;
}
