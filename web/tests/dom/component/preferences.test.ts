/** Preferences where the page is open in two tabs, which share what the browser keeps. */
import { flushSync } from "svelte";
import { beforeEach, describe, expect, it } from "vitest";
import { preferences } from "../../../src/ui/preferences.svelte";

const STORE = "serai.settings";
const kept = () => JSON.parse(localStorage.getItem(STORE) ?? "{}") as Record<string, unknown>;

/** Another tab changes something; this one hears of it unless it is too busy. */
function otherTab(changes: object, heard = true): void {
  localStorage.setItem(STORE, JSON.stringify({ ...kept(), ...changes }));
  if (heard) dispatchEvent(new StorageEvent("storage", { key: STORE }));
  flushSync();
}

beforeEach(() => {
  Object.assign(preferences, { theme: "system", volume: 1, levels: {} });
  flushSync();
});

describe("a preference", () => {
  it("is kept", () => {
    preferences.theme = "dark";
    preferences.levels.pig = "lynx";
    flushSync();
    expect(kept()).toMatchObject({ theme: "dark", levels: { pig: "lynx" } });
  });

  it("that another tab changes is followed", () => {
    otherTab({ theme: "dark" });
    expect(preferences.theme).toBe("dark");
  });

  it("that another tab changed stays, whatever is changed here", () => {
    otherTab({ theme: "dark" }, false);
    preferences.volume = 0.5;
    flushSync();
    expect(kept()).toMatchObject({ theme: "dark", volume: 0.5 });
  });

  it("is not changed by what other parts of the page keep", () => {
    localStorage.setItem(STORE, JSON.stringify({ theme: "dark" }));
    dispatchEvent(new StorageEvent("storage", { key: "serai.tables" }));
    expect(preferences.theme).toBe("system");
  });
});
