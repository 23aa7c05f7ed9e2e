/** After the end: what is asked of the server, and what is said when it refuses. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { learnWords, startLanguage, t } from "../../../src/i18n/language.svelte";
import type { TableInfo } from "../../../src/net/messages";
import * as rest from "../../../src/net/rest";
import { go } from "../../../src/router.svelte";
import type { Moment } from "../../../src/session/queue";
import { welcomed } from "../../../src/session/state";
import Ending from "../../../src/table/ending/Ending.svelte";
import { table as counting } from "../../unit/counting";

vi.mock("../../../src/net/rest", { spy: true });
vi.mock("../../../src/router.svelte", () => ({ go: vi.fn() }));

const over: TableInfo = { ...counting, phase: "over", scores: [7, 5], winners: [0] };
const info = [{ name: "counting", levels: ["random", "greedy"], company: {}, reviews: true }] as never;

function momentOf(table: TableInfo, yours = [0]): Moment {
  const state = welcomed(null, { type: "welcome", n: 9, on: 5, seat: 0, yours, table });
  return { state, scene: null, ms: 0, resting: true, actor: null, log: [], telling: null, missed: [], odds: null };
}

function mount(table: TableInfo, yours?: number[]) {
  const session = { id: "t1", game: null, refusal: null, say: vi.fn() };
  const { rerender } = render(Ending, {
    session: session as never,
    moment: momentOf(table, yours),
    names: ["Ann", "Ben"],
  });
  return { session, change: (to: TableInfo) => rerender({ moment: momentOf(to, yours) }) };
}

beforeAll(async () => {
  startLanguage("en");
  await learnWords("ending", "table");
});
beforeEach(() => {
  vi.mocked(rest.gamesWithBots).mockResolvedValue(info);
  vi.mocked(rest.join).mockResolvedValue({ seat: 0, n: 1 });
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

it("asks once which levels there are, whatever is said or whoever comes afterwards", async () => {
  const { change } = mount(over);
  expect(await screen.findByRole("button", { name: new RegExp(t("ending.stronger")) })).toBeTruthy();
  for (let times = 0; times < 3; times += 1) await change({ ...over, seats: [...over.seats] });
  expect(rest.gamesWithBots).toHaveBeenCalledTimes(1);
});

it("goes on to the next game with everybody who sits here, once", async () => {
  mount({ ...over, next: "t2" }, [0, 1]);
  const follow = await screen.findByRole("button", { name: t("ending.follow") });
  await Promise.all([fireEvent.click(follow), fireEvent.click(follow)]);
  await vi.waitFor(() => expect(go).toHaveBeenCalledTimes(1));
  expect(vi.mocked(rest.join).mock.calls.map(([id]) => id)).toEqual(["t2", "t2"]);
  expect(go).toHaveBeenCalledWith("/t/t2", { start: true });
});

it("says why somebody cannot join the next game, and goes on from there when asked again", async () => {
  const full = new rest.Refusal({ key: "table.full", values: {}, text: "this table is full" });
  vi.mocked(rest.join).mockResolvedValueOnce({ seat: 0, n: 1 }).mockRejectedValueOnce(full);
  mount({ ...over, next: "t2" }, [0, 1]);
  const follow = await screen.findByRole("button", { name: t("ending.follow") });
  await fireEvent.click(follow);
  expect((await screen.findByRole("alert")).textContent).toBe(t("table.full"));
  expect(go).not.toHaveBeenCalled();
  await fireEvent.click(follow);
  await vi.waitFor(() => expect(go).toHaveBeenCalledTimes(1));
  expect(rest.join).toHaveBeenCalledTimes(3);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("takes whoever asked for a rematch to it, and says why that is refused", async () => {
  vi.mocked(rest.join).mockRejectedValueOnce(rest.unreachable());
  const { session, change } = mount(over);
  await fireEvent.click(await screen.findByRole("button", { name: t("ending.rematch") }));
  expect(session.say).toHaveBeenCalledWith({ type: "rematch", step: 0 });
  await change({ ...over, next: "t2" });
  expect((await screen.findByRole("alert")).textContent).toBe(t("page.unreachable"));
  await change({ ...over, next: "t2", seats: [...over.seats] });
  await tick();
  expect(rest.join).toHaveBeenCalledTimes(1);
});

it("says that the server cannot be asked for levels, and offers the rematch all the same", async () => {
  vi.mocked(rest.gamesWithBots).mockRejectedValueOnce(rest.unreachable());
  mount(over);
  expect((await screen.findByRole("alert")).textContent).toBe(t("page.unreachable"));
  expect(screen.getByRole("button", { name: t("ending.rematch") })).toBeTruthy();
});

it("calls the player who looks on You, also among the winners, and others by name", async () => {
  mount({ ...over, scores: [7, 7], winners: [0, 1] });
  expect((await screen.findAllByRole("listitem")).map((row) => row.querySelector("b")?.textContent)).toEqual([
    "You",
    "Ben",
  ]);
  expect(screen.getByRole("heading").textContent).toBe("A shared victory: you and Ben");
  cleanup();
  mount(over, [0, 1]);
  expect((await screen.findAllByRole("listitem"))[0].querySelector("b")?.textContent).toBe("Ann");
});
