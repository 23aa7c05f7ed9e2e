/**
 * A page that is older than its server loads itself anew: at a moment at which nobody loses anything, and once for each
 * build, so that a cache in between cannot make it do so for ever. Pure, but for what it is given.
 */

/** Where the builds are remembered for which this tab was loaded anew. */
export type Memory = Pick<Storage, "getItem" | "setItem">;

/** This tab's; a browser that keeps nothing may refuse to be asked at all. */
export const tabMemory: Memory = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, value) => sessionStorage.setItem(key, value),
};

const KEY = "serai.renewed";

/** What a person may be in the middle of. */
export interface Doings {
  /** Whether the server can be reached. */
  connected: boolean;
  /** Whether events are being shown. */
  playing: boolean;
  /** Whether something said has not been answered yet. */
  waiting: boolean;
  /** Whether something is half written, or a question is open. */
  writing: boolean;
  /** Whether they are to act. */
  turn: boolean;
  /** Whether the page can be seen. */
  visible: boolean;
}

export class Renewal {
  private wanted = "";
  private overdue = false;

  constructor(
    /** The build of this page; empty while it is being developed. */
    private readonly own: string,
    private readonly memory: Memory,
    private readonly reload: () => void,
  ) {}

  /** A server that was just connected to names its build; a second time, nobody's turn is waited for any more. */
  named(build = ""): void {
    const wanted = this.own === "" || build === this.own || this.tried().includes(build) ? "" : build;
    this.overdue = wanted !== "" && this.wanted !== "";
    this.wanted = wanted;
  }

  get due(): boolean {
    return this.wanted !== "";
  }

  /** Load the page anew if it has to be and nobody would mind now. */
  renewAt({ connected, playing, waiting, writing, turn, visible }: Doings): void {
    if (!this.due || !connected || playing || waiting || writing) return;
    if (turn && visible && !this.overdue) return;
    try {
      this.memory.setItem(KEY, JSON.stringify([...this.tried(), this.wanted]));
    } catch {
      // Where nothing can be remembered it might never end.
      return;
    }
    this.wanted = "";
    this.reload();
  }

  private tried(): string[] {
    try {
      return JSON.parse(this.memory.getItem(KEY) ?? "[]") as string[];
    } catch {
      return [];
    }
  }
}

const typed = new WeakSet<EventTarget>();

/** Somebody typed into a field. */
export function noteTyping(event: Event): void {
  if (event.target !== null) typed.add(event.target);
}

/** Whether anything is half written, or a question is open. */
export function writing(): boolean {
  if (document.querySelector('dialog[open], [role="dialog"]') !== null) return true;
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
  return [...fields].some((field) => typed.has(field) && field.value !== "");
}
