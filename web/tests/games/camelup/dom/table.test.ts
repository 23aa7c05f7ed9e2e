/** The race in hand: what one holds, what others hold, the coach, the clock, and how a race is paid out. */
import { expect, it, vi } from "vitest";
import { atTable } from "../../../dom/kit";
import { Wire, written, type Script } from "../../../dom/wire";

const ROLL = '[data-action="roll"]:not([aria-disabled="true"])';
const COLOURS = ["blue", "green", "orange", "yellow", "white"];

/** The last view that a script tells, and the first. */
const views = ({ steps }: Script) =>
  steps.flatMap(({ replies }) =>
    (replies as Record<string, never>[]).flatMap((reply) => reply.view ?? reply.patch ?? []),
  ) as {
    money: number[];
    pyramid_tiles: number[];
    leg_bets: number[][];
    hands: (number | null)[][];
    winner_deck: [number, number | null][];
    loser_deck: [number, number | null][];
  }[];

it("the dock shows what the seat holds", async () => {
  const page = await atTable(written("race-card"));
  const held = () => page.all("[data-held]").map((one) => one.dataset.held!);
  expect(held().sort()).toEqual([
    ...["card white", "card yellow", "leg blue 2", "leg blue 3", "leg blue 5", "leg green 5", "leg white 5"],
    ...["loser orange", "winner blue", "winner green"],
  ]);
  expect(page.text("[data-mine=money]")).toContain("41");
  expect(page.text("[data-mine=pyramid]")).toMatch(/^1\b/);
  expect(page.one("[data-desert]").dataset.desert).toBe("0");
  // A card is lifted, and both decks are where it may be laid.
  await page.press('[data-action="card yellow"]');
  await page.see("[role=dialog] button");
  expect(page.texts("[role=dialog] button")).toEqual(["Overall winner", "Overall loser", expect.stringContaining("✕")]);
  await page.press("[data-deck=loser] [data-answer]");
  await page.see('[data-held="loser yellow"]');
  expect(held()).not.toContain("card yellow");
  await page.read("Bartholomäus Oberndörfer is thinking");
  page.button("Undo");
});

it("a chip opens what its player holds and no hidden colour", async () => {
  const script = written("race");
  const [view] = views(script);
  const page = await atTable(script);
  for (const seat of view.money.keys()) {
    await page.press(`.purses [data-purse="${seat}"]`);
    await page.see(`[data-holdings="${seat}"]`);
    const sheet = page.one(`[data-holdings="${seat}"]`);
    const names = (selector: string, name: string) => page.all(selector, sheet).map((one) => one.dataset[name]);
    const tiles = view.leg_bets.flatMap((takers, camel) =>
      takers.flatMap((taker, place) => (taker === seat ? [`${COLOURS[camel]} ${[5, 3, 2][place]}`] : [])),
    );
    expect(names("[data-tile]", "tile").sort()).toEqual(tiles.sort());
    // What a mark in the list of players means is said in words here.
    const paid = Array<string>(view.pyramid_tiles[seat]).fill("Pyramid tiles: 1 pound each when the leg ends");
    expect(page.all("[data-pyramid]", sheet).map((one) => one.textContent)).toEqual(
      paid.map((words) => expect.stringContaining(words)),
    );
    const seen = (camel: number | null) => (seat === 0 && camel !== null ? COLOURS[camel] : "?");
    const laid = (deck: [number, number | null][]) =>
      deck.filter(([owner]) => owner === seat).map(([, camel]) => seen(camel));
    const piles = { hand: view.hands[seat].map(seen), winner: laid(view.winner_deck), loser: laid(view.loser_deck) };
    for (const [pile, cards] of Object.entries(piles)) {
      expect(names(`[data-pile=${pile}] [data-card]`, "card"), `${seat} ${pile}`).toEqual(cards);
    }
    await page.key("Escape");
    expect(page.all("[data-holdings]")).toEqual([]);
  }
});

it("a hint is told when asked for and plays nothing", async () => {
  const hint = { wins: 0.25, error: 0.005 };
  const hints = [
    {
      ...{ ...hint, wins: 0.284, action: { type: "leg", camel: 1 }, notation: "leg green", score: 8.8 },
      against: "roll",
      reasons: [
        { key: "coach.camelup.gets.tile", values: { seats: [0], camel: "green", tile: 5, pounds: 1.9 }, weight: 0.05 },
        { key: "coach.camelup.gets.pyramid", values: { seats: [0], pounds: -1 }, weight: -0.02 },
      ],
    },
    {
      ...{ ...hint, action: { type: "roll" }, notation: "roll", score: 8.1 },
      against: "leg green",
      reasons: [{ key: "coach.even", values: {} }],
    },
  ];
  const page = await atTable(written("race-hints"), { answers: { "/api/tables/case/hints": { on: 1, hints } } });
  await page.press(page.button("Hint"));
  await page.see(".hints li");
  expect(page.all(".hints li")).toHaveLength(2);
  const told = page.text(".hints");
  expect(told).toContain("Leg bet on Green");
  expect(told).toContain("28% to win Compared with: Shake the pyramid");
  expect(told).toContain("for it: Your leg tile on Green (worth 5) earns you 1.9 pounds more on average.");
  expect(told).toContain("against it: Price: Rolling earns you 1.0 pounds less on average.");
  expect(told).not.toContain("±");
  expect(told).not.toContain("matter of taste");
  await page.press(page.one(".hints input"));
  await page.pass(20);
  expect(page.text(".hints")).toContain("28.4% ± 0.5 · 8.8 pounds");
  await page.press(page.button(/2\. Shake the pyramid/, page.one(".hints")));
  await page.pass(20);
  expect(page.text(".hints")).toContain("matter of taste");
  expect(page.all(".hints li"), "the others stay").toHaveLength(2);
  await page.press(page.button(/1\. Leg bet/, page.one(".hints")));
  await page.pass(20);
  expect(page.all("[data-spot]")).toHaveLength(1);
  expect(Wire.last.said, "nothing was played").toEqual([]);
  await page.key("Escape");
  expect(page.all(".hints")).toEqual([]);
  expect(document.activeElement).toBe(page.button("Hint"));
  await page.press(page.button("Hint"));
  await page.see(".hints li");
  await page.press('[data-action="leg green"]');
  expect(page.all(".hints")).toEqual([]);
  expect(page.asked.filter(({ path }) => path.endsWith("/hints")).map(({ body }) => body)).toEqual([
    { seat: 0, on: 1 },
    { seat: 0, on: 1 },
  ]);
});

it("a ring shrinks and animations give way at half time", async () => {
  const page = await atTable(written("race-clocked"), { moving: true });
  const ring = await page.see("[data-clock]");
  const left = () => Number(page.one("[data-clock] circle").getAttribute("stroke-dashoffset"));
  expect(ring.getAttribute("aria-label")).toMatch(/Time left: (1:00|0:5.)/);
  const full = left();
  await page.pass(31_000);
  expect(page.has("Half your time is up")).toBe(true);
  expect(left()).toBeGreaterThan(full + 0.5);
  expect(Number(page.one("[data-clock]").dataset.clock)).toBeLessThan(30);
  // The server says that little more than half of it is left.
  await page.press(ROLL);
  page.button("Catch up");
  await page.pass(600);
  expect(page.named("button", "Catch up")).toEqual([]);
});

it("whoever will not wait catches up, and a tap begun before never acts", async () => {
  const script = written("race-again");
  let page = await atTable(script, { moving: true });
  const resting = () => page.one("[data-resting]").dataset.resting === "true";
  const pyramid = () => page.one('[data-action="roll"]');
  const ways: [string, () => Promise<void>][] = [
    ["Escape", () => page.key("Escape")],
    ["the board", () => page.press("[data-board]")],
    ["the button", () => page.press(page.button("Catch up"))],
    ["the pyramid", () => page.press(pyramid())],
  ];
  for (const [way, catchUp] of ways) {
    page = await atTable(script, { moving: true });
    await page.press(ROLL);
    expect(resting(), way).toBe(false);
    await catchUp();
    await page.see(ROLL);
    expect(resting(), way).toBe(true);
    expect(Wire.last.said, `what caught up (${way}) did nothing else`).toHaveLength(1);
  }
  // The finger goes down while something is being shown, and up when that is over.
  page = await atTable(script, { moving: true });
  await page.press(ROLL);
  pyramid().dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  await page.key("Escape");
  await page.see(ROLL);
  pyramid().click();
  await page.settle();
  expect(Wire.last.said).toHaveLength(1);
  await page.press(ROLL);
  expect(Wire.last.said, "the next one does").toHaveLength(2);
});

it("the running table is what the rules pay after every card", async () => {
  const script = written("race-finish");
  const page = await atTable(script, { moving: true });
  const seen: { race: boolean; chips: number; money: number[] }[] = [];
  const look = () => {
    const rows = page.all(".scoring [data-row]");
    if (rows.length === 0) return;
    const tills = rows.map((row) => [Number(row.dataset.row), parseInt(page.one("[data-till]", row).textContent!)]);
    const money = tills.sort(([a], [b]) => a - b).map(([, paid]) => paid);
    seen.push({ race: page.all(".scoring .decks").length > 0, chips: page.all(".scoring .chip").length, money });
  };
  const looking = new MutationObserver(look);
  looking.observe(document, { subtree: true, childList: true, characterData: true });
  await page.press(ROLL);
  await page.passUntil(() => page.all(".scoring").length > 0, "the scoring");
  await page.passUntil(() => page.all("[data-over]").length > 0, "the end", 300_000, 1000);
  looking.disconnect();
  const [before, after] = views(script);
  const events = script.steps[1].replies.flatMap((reply) => (reply as { events?: object[] }).events ?? []) as {
    type: string;
    seat: number;
    money: number;
  }[];
  const money = [...before.money];
  let running = [[...money]];
  for (const { type, seat, money: now } of events) {
    if (type === "leg_scored" || type === "card_scored") money[seat] = now;
    if (type === "leg_scored") running = [[...money]];
    if (type === "card_scored") running.push([...money]);
  }
  const cards = before.winner_deck.length + before.loser_deck.length;
  expect(running).toHaveLength(cards + 1);
  expect(cards).toBeGreaterThan(20);
  const race = seen.filter((one) => one.race);
  expect(unrepeated(race.map((one) => one.money))).toEqual(unrepeated(running));
  // Money that a card brought is never there before the card.
  for (const one of race) {
    expect(running.slice(Math.max(0, one.chips - 1), one.chips + 1)).toContainEqual(one.money);
  }
  expect(unrepeated(race.map((one) => one.chips))).toEqual([...Array(cards + 1).keys()]);
  expect(page.texts("[data-over] ol .score").map(Number)).toEqual([...after.money].sort((a, b) => b - a));
});

it("where nothing moves everything is told", async () => {
  const script = written("race-finish");
  const page = await atTable(script, { settings: { pace: "calm" } });
  const animate = vi.spyOn(Element.prototype, "animate");
  await page.press(ROLL);
  const seen: [number, string | null, number, number][] = [];
  for (let waited = 0; page.all("[data-over]").length === 0; waited += 1) {
    expect(waited).toBeLessThan(200);
    seen.push([
      page.all("[data-rolled] [data-pips]").length,
      page.all("[data-finish]")[0]?.dataset.finish ?? null,
      page.texts(".scoring .sum").filter((sum) => sum !== "").length,
      page.all(".scoring:has(.decks) .chip").length,
    ]);
    await page.pass(300);
  }
  const [{ winner_deck, loser_deck }] = views(script);
  expect(unrepeated(seen)).toEqual([
    [1, null, 0, 0],
    [0, "crossed", 0, 0],
    [0, "crossed", 8, 0],
    [0, "crossed", 0, winner_deck.length],
    [0, "crossed", 0, winner_deck.length + loser_deck.length],
  ]);
  expect(animate).not.toHaveBeenCalled();
  // A sentence for every event, but for those of which others tell.
  const events = script.steps[1].replies.flatMap((reply) => (reply as { events?: Event[] }).events ?? []);
  const silent = ["unit_lifted", "unit_hopped", "finish_crossed", "game_ended"];
  const idle = ({ type, tiles, pyramid_tiles }: Event) => type === "leg_scored" && !tiles?.length && !pyramid_tiles;
  const told = events.filter((event) => !silent.includes(event.type) && !idle(event));
  const story = page.all("section > ol[tabindex] > li").at(-1)!;
  expect(page.all(".line", story)).toHaveLength(told.length);
});

interface Event {
  type: string;
  tiles?: unknown[];
  pyramid_tiles?: number;
}

function unrepeated<Value>(values: Value[]): Value[] {
  return values.filter((value, at) => at === 0 || JSON.stringify(value) !== JSON.stringify(values[at - 1]));
}

it("a refused chat and a refused action cost one answer each, and can still be said and done", async () => {
  const page = await atTable(written("race-leg-tile"));
  const offered = () => page.all('[data-action]:not([aria-disabled="true"])').length;
  const [before, fetched] = [offered(), page.asked.length];
  const refuse = async (key: string, values = {}) => {
    const { id } = JSON.parse(Wire.last.texts.at(-1)!) as { id: string };
    Wire.last.hear({ type: "refused", id, key, values, text: "no" });
    await page.settle();
    expect(page.all("[role=alert]")).toHaveLength(1);
  };
  Wire.last.deaf = true;
  const writing = page.one("section [placeholder^=Write]") as HTMLInputElement;
  await page.fill(writing, "Hello");
  await page.key("Enter");
  await refuse("table.chat", { most: 280 });
  expect(writing.value).toBe("Hello");
  await page.press('[data-action="leg green"]');
  expect(offered(), "what was sent is not offered twice").toBeLessThan(before);
  await refuse("table.not_your_turn");
  expect(offered()).toBe(before);
  expect(Wire.last.said.map(({ type }) => type)).toEqual(["say", "act"]);
  expect(page.asked).toHaveLength(fetched);
  Wire.last.deaf = false;
  await page.press('[data-action="leg green"]');
  await page.until(() => Wire.last.done === 1, "the same again");
  expect(page.all("[role=alert]")).toEqual([]);
  expect(page.text('[data-action="leg green"] b')).toBe("–");
  expect(Wire.open).toHaveLength(1);
});
