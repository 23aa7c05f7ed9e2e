/** A screen that cannot be shown leaves a sentence and a way home, never an empty page. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import type { Component } from "svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import App from "../../../src/App.svelte";
import { startLanguage, t } from "../../../src/i18n/language.svelte";
import { go } from "../../../src/router.svelte";

vi.mock("../../../src/pages/home/Home.svelte", () => ({ default: (place: Comment) => place.before("at home") }));
vi.mock("../../../src/routes", async (original) => ({
  ...(await original<object>()),
  screenOf: (route: { screen: string }) => (route.screen === "home" ? null : { load, props: {} }),
}));

let load: () => Promise<{ default: Component }>;

beforeAll(() => startLanguage("en"));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  go("/");
});

it("says that a screen broke, writes down why, and leads home", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const fault = new Error("a fault");
  load = () =>
    Promise.resolve({
      default: () => {
        throw fault;
      },
    });
  go("/about");
  render(App);
  expect((await screen.findByRole("alert")).textContent).toBe(t("page.broken"));
  expect(written).toHaveBeenCalledWith(fault);
  await fireEvent.click(screen.getAllByRole("link", { name: t("page.home") }).at(-1)!);
  expect(await screen.findByText(/at home/)).toBeTruthy();
});

it("says that a screen could not be loaded, with the head of the page above", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError()));
  load = () => Promise.reject(new TypeError());
  go("/about");
  render(App);
  expect((await screen.findByRole("alert")).textContent).toContain(t("page.no_connection"));
  expect(screen.getByRole("banner")).toBeTruthy();
  expect(screen.getByRole("main")).toBeTruthy();
});
