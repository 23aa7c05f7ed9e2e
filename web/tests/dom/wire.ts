/** A line to a table whose part was written by the Python rules. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a page says, nothing at first, what the server then says, and what it advises. */
export interface Step {
  said?: { type: string; action?: object };
  replies: object[];
  advice?: object;
}

export interface Script {
  /** What is told of the game before. */
  frames: object[];
  steps: Step[];
}

/** What Python wrote under this name. */
export function written<Content = Script>(name: string): Content {
  return JSON.parse(readFileSync(join(import.meta.dirname, "positions", `${name}.json`), "utf8")) as Content;
}

/** Stands in for a WebSocket. */
export class Wire {
  /** What is played to every page that comes. */
  static script: Script | null = null;
  /** The lines that were opened. */
  static open: Wire[] = [];

  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  /** What the page has said. */
  readonly said: Record<string, unknown>[] = [];
  /** The same as it came over the line. */
  readonly texts: string[] = [];
  /** Whether nothing that the page says has any effect. */
  deaf = false;
  /** How many things of the script have been done. */
  done = 0;

  constructor(readonly address: string) {
    Wire.open.push(this);
    queueMicrotask(() => {
      this.onopen?.();
      for (const reply of Wire.script?.steps[0].replies ?? []) this.hear(reply);
    });
  }

  /** The line that is in use. */
  static get last(): Wire {
    return Wire.open.at(-1)!;
  }

  /** What the server answers at the table, besides. */
  static answers(): Record<string, unknown> {
    const { script } = Wire;
    if (script === null) return {};
    const advice = () => script.steps[Wire.last.done].advice ?? new Response("{}", { status: 404 });
    return { "/api/tables/case/frames": { frames: script.frames }, "/api/tables/case/advice": advice };
  }

  /** Let the page hear something. */
  hear(reply: object): void {
    this.onmessage?.({ data: JSON.stringify(reply) });
  }

  send(text: string): void {
    const { id, on: _on, ...said } = JSON.parse(text) as Record<string, unknown>;
    if (said.type === "ping") {
      queueMicrotask(() => this.hear({ type: "done", id, n: 0 }));
      return;
    }
    this.said.push(said);
    this.texts.push(text);
    if (this.deaf) return;
    const step = Wire.script?.steps[this.done + 1];
    if (step === undefined || JSON.stringify(said) !== JSON.stringify(step.said)) {
      if (Wire.script !== null)
        console.error(`not in the script: ${JSON.stringify(said)}, but`, JSON.stringify(step?.said));
      return;
    }
    this.play(id);
  }

  /** Let the next thing happen, as the page or somebody else said it. */
  play(id: unknown = null): void {
    this.done += 1;
    const { replies } = Wire.script!.steps[this.done];
    queueMicrotask(() => replies.forEach((reply) => this.hear("id" in reply ? { ...reply, id } : reply)));
  }

  close(): void {
    this.onclose?.({ code: 1000 });
  }
}
