import type { Wire } from "../../src/net/connection";

/** A line whose other end is in the hands of a test. */
export class HandWire implements Wire {
  sent: Record<string, unknown>[] = [];
  open = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly dialled: { seen: number | null; seat: number | null | undefined }) {}

  send(text: string) {
    if (!this.open) throw new Error("not open");
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close() {
    this.open = false;
  }

  opens() {
    this.open = true;
    this.onopen?.();
  }

  tells(reply: object) {
    this.onmessage?.({ data: JSON.stringify(reply) });
  }

  breaks(code = 1006) {
    this.open = false;
    this.onclose?.({ code });
  }
}
