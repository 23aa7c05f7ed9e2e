import { describe, expect, it } from "vitest";
import { Renewal, type Memory, type Doings } from "../../src/session/renewal";

const idle: Doings = { connected: true, playing: false, waiting: false, writing: false, turn: false, visible: true };

function tab(): Memory {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

function page(own: string, memory: Memory = tab()) {
  let reloads = 0;
  const renewal = new Renewal(own, memory, () => (reloads += 1));
  return {
    /** A server is connected to. */
    named: (build?: string) => renewal.named(build),
    /** How often the page has been loaded anew after this moment. */
    at(doings: Partial<Doings> = {}) {
      renewal.renewAt({ ...idle, ...doings });
      return reloads;
    },
  };
}

describe("a page of another build than its server", () => {
  it("is loaded anew when nothing is going on", () => {
    const { named, at } = page("old");
    expect(at()).toBe(0);
    named("new");
    expect(at()).toBe(1);
  });

  it.each<Partial<Doings>>([
    { connected: false },
    { playing: true },
    { waiting: true },
    { writing: true },
    { turn: true },
  ])("waits while a person would lose something: %o", (moment) => {
    const { named, at } = page("old");
    named("new");
    expect(at(moment)).toBe(0);
    expect(at()).toBe(1);
  });

  it("does not mind whose turn it is while nobody looks", () => {
    const { named, at } = page("old");
    named("new");
    expect(at({ turn: true, visible: false })).toBe(1);
  });

  it("waits for no turn any more when it has to connect once more, but still for what is written", () => {
    const { named, at } = page("old");
    named("new");
    expect(at({ turn: true })).toBe(0);
    named("new");
    expect(at({ turn: true, writing: true })).toBe(0);
    expect(at({ turn: true })).toBe(1);
  });

  it("is loaded anew once for each build, whatever comes of it", () => {
    const memory = tab();
    const first = page("old", memory);
    first.named("new");
    expect(first.at()).toBe(1);
    const second = page("old", memory);
    second.named("new");
    expect(second.at()).toBe(0);
    second.named("newer");
    expect(second.at()).toBe(1);
  });

  it("goes to and fro between two servers for one round at most", () => {
    const memory = tab();
    let own = "a";
    let reloads = 0;
    for (let round = 0; round < 10; round += 1) {
      const other = own === "a" ? "b" : "a";
      const renewal = page(own, memory);
      renewal.named(other);
      if (renewal.at() > 0) {
        reloads += 1;
        own = other;
      }
    }
    expect(reloads).toBe(2);
  });

  it("stays where nothing can be remembered", () => {
    const blocked = (): never => {
      throw new Error("denied");
    };
    const { named, at } = page("old", { getItem: blocked, setItem: blocked });
    named("new");
    expect(at()).toBe(0);
  });
});

describe("a page that is not to be replaced", () => {
  it("is of the server's own build", () => {
    const { named, at } = page("same");
    named("same");
    expect(at()).toBe(0);
  });

  it("belongs to a server that has no page, or is being developed", () => {
    const served = page("old");
    served.named(undefined);
    expect(served.at()).toBe(0);
    const developed = page("");
    developed.named("new");
    expect(developed.at()).toBe(0);
  });

  it("is not replaced after all when its own server is back", () => {
    const { named, at } = page("old");
    named("new");
    named("old");
    expect(at()).toBe(0);
  });
});
