import { describe, expect, it } from "vitest";
import { AddressBar } from "../../src/ui/addressBar";
import { handClock } from "./handClock";

function bar(write: (address: string) => void = () => undefined) {
  const { clock, pass } = handClock();
  const written: string[] = [];
  const shown = new AddressBar((address) => {
    written.push(address);
    write(address);
  }, clock);
  return { pass, written, shown };
}

describe("the address", () => {
  it("is written at once, then only now and then, and ends with the latest", () => {
    const { pass, written, shown } = bar();
    for (let position = 0; position < 300; position += 1) {
      shown.show(`/replay/t/${position}`);
      pass(20);
    }
    pass(1000);
    expect(written[0]).toBe("/replay/t/0");
    expect(written.at(-1)).toBe("/replay/t/299");
    // Safari takes 100 in 30 seconds; these were 6.
    expect(written.length).toBeLessThan(20);
  });

  it("does not mind a browser that refuses a change", () => {
    const { pass, written, shown } = bar((address) => {
      if (address === "/a") throw new DOMException("too many", "SecurityError");
    });
    expect(() => shown.show("/a")).not.toThrow();
    shown.show("/b");
    pass(1000);
    expect(written).toEqual(["/a", "/b"]);
  });

  it("is another screen's after the end", () => {
    const { pass, written, shown } = bar();
    shown.show("/a");
    shown.show("/b");
    shown.stop();
    pass(1000);
    expect(written).toEqual(["/a"]);
  });
});
