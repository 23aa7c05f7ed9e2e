/** What a part of the page does that cannot be loaded: says so in place, with what helps. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick, type Component } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startLanguage, t } from "../../../src/i18n/language.svelte";
import { reached } from "../../../src/net/reach";
import Later, { type LateModule } from "../../../src/ui/Later.svelte";
import { games } from "../../unit/games";
import Greeting from "./Greeting.svelte";
import Removed from "./Removed.svelte";

vi.mock("../../../src/address", () => ({
  at: (path: string) => path,
  ownBuild: "abc",
  pathOf: (path: string) => path,
}));

type Load = () => Promise<LateModule<{ name: string }>>;
const shown = (load: Load, more: object = {}) => render(Later as Component<any>, { load, name: "Ann", ...more });
const there: Load = () => Promise.resolve({ default: Greeting, words: ["ending"] });
const missing: Load = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

/** The server's page as it is now; null while it cannot be reached. */
let page: string | null;
const reload = vi.fn();

beforeAll(() => startLanguage("en"));
beforeEach(() => {
  vi.clearAllMocks();
  page = '<meta name="serai-build" content="abc" />';
  vi.stubGlobal("fetch", () => (page === null ? Promise.reject(new TypeError()) : Promise.resolve(new Response(page))));
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(location, "reload").mockImplementation(reload);
});
afterEach(cleanup);

const button = (name: string) => screen.queryByRole("button", { name });

describe("what is loaded later", () => {
  it("is shown with its props, once its words are there", async () => {
    expect(() => t("ending.rematch")).toThrow();
    shown(there);
    expect(await screen.findByText(`Ann: Play again`)).toBeTruthy();
  });

  it("says where it should be that it could not be loaded, and is there when trying again helps", async () => {
    const load = vi.fn(missing);
    shown(load);
    expect((await screen.findByRole("alert")).textContent).toContain(t("page.not_loaded"));
    expect(button("Reload")).toBeNull();
    load.mockImplementation(there);
    await fireEvent.click(button("Try again")!);
    expect(await screen.findByText("Ann: Play again")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("asks for the page to be loaded anew where trying again did not help, and the server is there", async () => {
    shown(missing);
    await fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
    await fireEvent.click(await screen.findByRole("button", { name: "Reload" }));
    expect(reload).toHaveBeenCalledOnce();
    expect(screen.getByRole("alert").textContent).not.toContain(t("page.outdated"));
  });

  it("says that Serai was updated only where the server has another build", async () => {
    page = '<meta name="serai-build" content="abd" />';
    shown(missing);
    expect((await screen.findByRole("alert")).textContent).toContain(t("page.outdated"));
    expect([button("Reload") !== null, button("Try again")]).toEqual([true, null]);
  });

  it("never asks for the page to be loaded anew without a connection, and comes by itself with it", async () => {
    page = null;
    const load = vi.fn(missing);
    shown(load);
    expect((await screen.findByRole("alert")).textContent).toContain(t("page.no_connection"));
    await fireEvent.click(button("Try again")!);
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    await tick();
    expect(button("Reload")).toBeNull();
    load.mockImplementation(there);
    dispatchEvent(new Event("online"));
    expect(await screen.findByText("Ann: Play again")).toBeTruthy();
  });

  it.each([{}, { quiet: true }])("comes by itself when a line to the server opens again: %o", async (more) => {
    page = null;
    const load = vi.fn(missing);
    shown(load, more);
    await vi.waitFor(() => expect(console.warn).toHaveBeenCalled());
    await tick();
    load.mockImplementation(there);
    reached();
    expect(await screen.findByText("Ann: Play again")).toBeTruthy();
    reached();
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("says nothing where it is quiet", async () => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    shown(missing, { quiet: true });
    await vi.waitFor(() => expect(console.warn).toHaveBeenCalled());
    await tick();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
  });

  it("reads nothing that it was given once it is gone", async () => {
    let arrive: (module: LateModule<{ name: string }>) => void = () => undefined;
    const load = () => new Promise<LateModule<{ name: string }>>((resolve) => (arrive = resolve));
    const view = render(Removed, { load, table: { game: games[0] } });
    await view.rerender({ load, table: null });
    arrive({ default: Greeting });
    await new Promise((resolve) => setTimeout(resolve));
    expect(console.warn).not.toHaveBeenCalled();
  });
});
