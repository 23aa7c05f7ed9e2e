/**
 * The whole page mounted without a browser: its answers come from positions that the Python rules wrote, and time
 * passes by hand. Every page is loaded anew, as a reload would do it, so that nothing is left of the one before.
 */
import { queryAllByLabelText, queryAllByRole } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { games } from "../unit/games";
import { audible } from "./audio";
import { standIn } from "./browser";
import { Wire, written, type Script } from "./wire";

/** By the beginning of a path, what the server answers: an object, or what depends on the request. */
export type Answers = Record<string, unknown>;

/** What a real server was asked, and what it said. */
export interface Told {
  method: string;
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
}

export interface Visit {
  /** What is said at the table, if the page is at one. */
  script?: Script;
  /** What a real server has told. */
  told?: Told[];
  answers?: Answers;
  language?: string;
  /** What the visitor has chosen before. */
  settings?: Record<string, unknown>;
  /** Whether things move; otherwise everything is shown at once. */
  moving?: boolean;
}

/** A request that the page has made. */
export interface Request {
  method: string;
  path: string;
  body: unknown;
}

const later = globalThis.setImmediate;
const now = globalThis.performance.now.bind(globalThis.performance);
/** Milliseconds of real time until something that was waited for counts as missing, even on a very busy machine. */
const PATIENCE = 45_000;

let complaints: string[] = [];
let leave: (() => Promise<void>) | null = null;

beforeEach(() => {
  complaints = [];
  for (const kind of ["error", "warn"] as const) {
    vi.spyOn(console, kind).mockImplementation(
      (...said: unknown[]) => void complaints.push(said.map(String).join(" ")),
    );
  }
});

afterEach(async () => {
  await leave?.();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  expect(complaints).toEqual([]);
});

/** What is on screen, and what a visitor does there. */
export class Page {
  readonly asked: Request[] = [];
  private hovered: Element = document.body;

  /** All that a selector finds, in the order in which it stands there. */
  all(selector: string, within: ParentNode = document): HTMLElement[] {
    return [...within.querySelectorAll<HTMLElement>(selector)];
  }

  /** The only thing that a selector finds. */
  one(selector: string, within: ParentNode = document): HTMLElement {
    const found = this.all(selector, within);
    if (found.length !== 1) throw new Error(`${found.length} × ${selector}`);
    return found[0];
  }

  text(selector: string): string {
    return readable(this.one(selector));
  }

  texts(selector: string): string[] {
    return this.all(selector).map(readable);
  }

  /** What has this role and name, as a screen reader would say it. */
  named(role: string, name: string | RegExp, within: HTMLElement = document.body): HTMLElement[] {
    return queryAllByRole(within, role, { name, hidden: true });
  }

  /** The only button of this name. */
  button(name: string | RegExp, within: HTMLElement = document.body): HTMLElement {
    const found = this.named("button", name, within);
    if (found.length !== 1) throw new Error(`${found.length} × button ${String(name)}`);
    return found[0];
  }

  /** The form control that a label belongs to. */
  field<Control extends HTMLElement = HTMLInputElement>(label: string | RegExp, nth = 0): Control {
    const found = queryAllByLabelText(document.body, label);
    if (found.length <= nth) throw new Error(`no field ${String(label)}`);
    return found[nth] as Control;
  }

  has(text: string): boolean {
    return readable(document.body).includes(text);
  }

  /** Press it, as a mouse, a finger or a key does. */
  async press(what: string | HTMLElement): Promise<void> {
    const target = typeof what === "string" ? this.one(what) : what;
    for (const kind of ["pointerdown", "pointerup"]) {
      target.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true, composed: true }));
      if (kind === "pointerdown" && target.matches("button, a, input, select, [tabindex]")) target.focus();
    }
    target.click();
    await this.settle();
  }

  /** Press a key where the focus is; Enter and space press what has it. */
  async key(key: string): Promise<void> {
    const target = document.activeElement ?? document.body;
    const code = /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key;
    const event = new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true });
    // A page may tell keys that were pressed from those that scripts make.
    Object.defineProperty(event, "isTrusted", { value: true });
    const pressed = target.dispatchEvent(event);
    if (pressed && (key === "Enter" || key === " ") && target.matches("button, a, summary")) {
      (target as HTMLElement).click();
    }
    if (pressed && key === "Enter" && target.matches("input")) target.closest("form")?.requestSubmit();
    if (pressed && key === "Escape") (this.all("dialog[open]").at(-1) as HTMLDialogElement | undefined)?.close();
    await this.settle();
  }

  async fill(what: string | HTMLElement, value: string): Promise<void> {
    const control = (typeof what === "string" ? this.one(what) : what) as HTMLInputElement;
    if (control.type === "checkbox") throw new Error("press a checkbox");
    control.focus();
    control.value = value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
    await this.settle();
  }

  /** Bring the mouse over something, or over nothing. */
  async hover(what: string | HTMLElement | null): Promise<void> {
    const next = typeof what === "string" ? this.one(what) : (what ?? document.body);
    const last = this.hovered;
    this.hovered = next;
    const tell = (target: Element, kind: string, bubbles: boolean) => {
      target.dispatchEvent(new PointerEvent(`pointer${kind}`, { bubbles, pointerType: "mouse" }));
      target.dispatchEvent(new MouseEvent(`mouse${kind}`, { bubbles }));
    };
    tell(last, "out", true);
    for (const left of around(last)) if (!left.contains(next)) tell(left, "leave", false);
    tell(next, "over", true);
    for (const entered of around(next).reverse()) if (!entered.contains(last)) tell(entered, "enter", false);
    await this.settle();
  }

  /** Let a file fall onto the page. */
  async drop(content: string | Uint8Array<ArrayBuffer>): Promise<void> {
    const files = [new File([content], "game.serai")];
    const event = new Event("drop", { bubbles: true, cancelable: true });
    this.one("main").dispatchEvent(Object.assign(event, { dataTransfer: { files } }));
    await this.settle();
  }

  async focus(what: string | HTMLElement): Promise<void> {
    (typeof what === "string" ? this.one(what) : what).focus();
    await this.settle();
  }

  /** Until everything that needs no time has happened: what is loaded, answered and drawn. */
  async settle(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await vi.dynamicImportSettled();
      await vi.advanceTimersByTimeAsync(0);
      await new Promise<void>((done) => later(done));
    }
  }

  /** Let time pass, step by step: what is loaded on the way has come before the next one. */
  async pass(ms: number, step = ms > 5000 ? 1000 : 100): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await vi.advanceTimersByTimeAsync(Math.min(step, left));
      await this.settle();
    }
  }

  /** Let time pass until something is so. */
  async passUntil(so: () => boolean, wanted: string, most = 60_000, step = 100): Promise<void> {
    for (let passed = 0; !so(); passed += step) {
      if (passed > most) throw new Error(`not seen within ${most} ms: ${wanted}`);
      await this.pass(step, step);
    }
  }

  /** Wait until something is so, without letting time pass. */
  async until(so: () => boolean, wanted: string): Promise<void> {
    for (const start = now(); !so();) {
      if (now() - start > PATIENCE) throw new Error(`not seen: ${wanted}\n${readable(document.body).slice(0, 1500)}`);
      await this.settle();
    }
  }

  /** Wait for something on screen. */
  async see(selector: string): Promise<HTMLElement> {
    await this.until(() => this.all(selector).length > 0, selector);
    return this.all(selector)[0];
  }

  async read(text: string): Promise<void> {
    await this.until(() => this.has(text), text);
  }
}

/** Load the page at a path. */
export async function open(path: string, { script, told = [], answers = {}, ...visit }: Visit = {}): Promise<Page> {
  await leave?.();
  vi.resetModules();
  vi.useFakeTimers({
    toFake: [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "Date",
      "performance",
      "requestAnimationFrame",
      "cancelAnimationFrame",
    ],
  });
  const page = new Page();
  const restore = standIn({ language: visit.language ?? "en-GB", moving: visit.moving ?? false });
  audible();
  const settings = visit.moving ? {} : { pace: "instant" };
  const kept = JSON.parse(localStorage.getItem("serai.settings") ?? "{}") as object;
  localStorage.setItem("serai.settings", JSON.stringify({ ...settings, ...kept, ...visit.settings }));
  history.replaceState(null, "", path);
  Wire.script = script ?? null;
  Wire.open = [];
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("fetch", (address: string | URL, { method = "GET", body }: RequestInit = {}) => {
    const { pathname, search } = new URL(String(address), location.href);
    const request = { method, path: pathname + search, body: body === undefined ? null : JSON.parse(String(body)) };
    page.asked.push(request);
    return answer(request, [...told, ...written<Told[]>("games")], { ...Wire.answers(), ...answers });
  });
  const removed = collectListeners();
  const target = document.createElement("div");
  target.id = "page";
  document.body.replaceChildren(target);
  const app = await (await import("../../src/main")).app;
  const { unmount } = await import("svelte");
  leave = async () => {
    leave = null;
    await unmount(app);
    await page.settle();
    removed();
    restore();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    document.body.replaceChildren();
    document.documentElement.removeAttribute("lang");
    // What the next file of the same worker imports by itself is not this page's, in this page's language.
    vi.resetModules();
  };
  await page.settle();
  return page;
}

/** A table at which a script is played. */
export async function atTable(script: Script, visit: Visit = {}): Promise<Page> {
  const page = await open("/t/case", { script, ...visit });
  await page.see("[data-board]");
  return page;
}

/** A recorded game, dropped onto the page that looks back upon games. */
export async function atReplay(told: Told[], visit: Visit = {}): Promise<Page> {
  const page = await open("/replay", { told, ...visit });
  await page.see("input[type=file]");
  await page.drop((told[0].body as { record: string }).record);
  await page.see("[data-position]");
  return page;
}

/** Whatever is on screen is said in words, none by the key of a sentence. */
export function noRawKey(page: Page): void {
  const keys = new RegExp(`\\b(?:${[...games, "lesson", "play"].join("|")})\\.[a-z_]+`, "g");
  expect(page.one("#page").innerHTML.match(keys)).toBeNull();
}

async function answer({ method, path, body }: Request, told: Told[], answers: Answers): Promise<Response> {
  const exactly = told.find(
    (one) => one.method === method && one.path === path && JSON.stringify(one.body) === JSON.stringify(body),
  );
  if (exactly !== undefined) return new Response(JSON.stringify(exactly.answer), { status: exactly.status });
  const known = Object.keys(answers).filter((start) => {
    const [, wanted, begin] = /^(?:([A-Z]+) )?(.*)$/.exec(start)!;
    return (wanted === undefined || wanted === method) && path.startsWith(begin);
  });
  const closest = known.sort((a, b) => b.length - a.length)[0];
  if (closest === undefined) {
    complaints.push(`nobody answers ${method} ${path}`);
    throw new Error("no such address");
  }
  const given = answers[closest];
  const found: unknown = await (given instanceof Function ? given(path, body) : given);
  return found instanceof Response ? found : new Response(JSON.stringify(found));
}

/** What the page listens to outside its own elements goes with it. */
function collectListeners(): () => void {
  const undo = [window, document].map((target) => {
    const add = target.addEventListener;
    const stops: (() => void)[] = [];
    target.addEventListener = ((...given: Parameters<typeof add>) => {
      add.apply(target, given);
      stops.push(() => target.removeEventListener(given[0], given[1], given[2]));
    }) as typeof add;
    return () => {
      target.addEventListener = add;
      stops.forEach((stop) => stop());
    };
  });
  return () => undo.forEach((one) => one());
}

/** An element and all that it lies in. */
function around(one: Element): Element[] {
  return one.parentElement === null ? [one] : [one, ...around(one.parentElement)];
}

/** Text as it is read: blanks are one blank. */
export function readable(one: Node): string {
  return (one.textContent ?? "").replace(/\s+/g, " ").trim();
}
