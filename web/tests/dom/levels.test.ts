/** Choosing opponents by their faces: how strong they are stands there, and how many were chosen is remembered. */
import { expect, it } from "vitest";
import { botName } from "../../src/i18n/botName";
import { games } from "../unit/games";
import { open, type Told } from "./kit";
import { written } from "./wire";

interface Info {
  name: string;
  players: [number, number];
  levels: string[];
  company: Record<string, string[]>;
  bots: string[];
  against_bots: Record<string, unknown>;
  standings: { bot: string; rating: number; wins: number; seats: number }[];
}
const offered = written<Told[]>("games")[0].answer as Info[];

it.each(games)("how strong a bot of %s is stands where it is chosen", async (game) => {
  const { levels, standings } = offered.find(({ name }) => name === game)!;
  const page = await open(`/new/${game}`);
  await page.until(() => page.named("combobox", "Who takes seat 2").length === 1, "the form");
  await page.fill(page.field("Who takes seat 2"), "bot");
  const bots = () => page.named("group", "Bot for seat 2")[0];
  const middle = levels[Math.floor(levels.length / 2)];
  expect((page.one("input:checked", bots()) as HTMLInputElement).value).toBe(middle);
  expect(standings.length).toBeGreaterThan(3);
  for (const { bot, rating, wins, seats } of standings) {
    if (levels.includes(bot)) await page.press(page.one(`input[value="${bot}"]`, bots()));
    else await page.fill(page.one("select", bots()), bot);
    const told = page.one(`[data-standing="${bot}"]`, bots()).textContent;
    const games = seats === 2 ? "duels" : `games of ${seats}`;
    expect(told).toContain(`Rated ${Math.round(rating)}: wins ${Math.round(100 * wins)}% of its ${games}`);
    const level = levels.indexOf(bot) + 1;
    if (level > 0) expect(bots().textContent).toContain(`level ${level} of ${levels.length}`);
  }
});

it.each(games)("how many to play %s against is chosen once and remembered", async (game) => {
  let page = await open("/");
  const own = async () => page.see(`[data-game="${game}"]`);
  const most = Math.min(3, offered.find(({ name }) => name === game)!.players[1] - 1);
  const { company, levels } = offered.find(({ name }) => name === game)!;
  const usual = company[levels[Math.floor(levels.length / 2)]];
  // Different ones, each by name, where the level has company; else so many of a kind.
  const told = usual ? usual.slice(0, most).map(botName).join(", ") : `${most} ×`;
  await page.press(page.button(new RegExp(`^Opponents: ${told}`), await own()));
  await page.until(() => page.named("button", "One opponent fewer").length === 1, "how many");
  const fewer = () => page.button("One opponent fewer") as HTMLButtonElement;
  while (!fewer().disabled) await page.press(fewer());
  expect((await own()).textContent).toContain("1 opponent");
  // What is played otherwise than by the book is said before.
  const { against_bots: options } = offered.find(({ name }) => name === game)!;
  await page.until(() => !("restless" in options) || page.text("main").includes("after 4 rounds"), "the rule");
  page = await open("/", {
    answers: {
      "POST /api/tables": () => new Response('{"key":"table.full","values":{},"text":""}', { status: 400 }),
    },
  });
  await page.until(() => page.named("button", /^Opponents: \p{Lu}\p{L}+▾?$/u).length > 0, "one opponent");
  await page.press(page.button(/^Play now/, await own()));
  const made = page.asked.find(({ method }) => method === "POST")!.body as {
    seats: number;
    bots: object;
    options: object;
  };
  expect(made).toMatchObject({ game, seats: 2 });
  expect(made.options).toEqual(options);
  expect(Object.keys(made.bots)).toEqual(["1"]);
});

it("what was chosen for a new table is what the server is asked for", async () => {
  const page = await open(`/new/${games[0]}`, {
    answers: {
      "POST /api/tables": () => new Response('{"key":"table.full","values":{},"text":""}', { status: 400 }),
    },
  });
  await page.until(() => page.named("combobox", "Time per turn").length === 1, "the form");
  const clock = page.field<HTMLSelectElement>("Time per turn");
  expect(clock.value).toBe("0");
  await page.press(page.field(/^Public/));
  expect(clock.value).toBe("180");
  await page.press(page.field(/^Public/));
  await page.fill(clock, "60");
  await page.fill(page.field("Who takes seat 2"), "here");
  await page.press(page.field(/^We share one screen/));
  await page.fill(page.field("Who goes first"), "drawn");
  await page.press(page.button("Set up the table"));
  await page.see("[role=alert]");
  const made = page.asked.find(({ method }) => method === "POST")!.body;
  expect(made).toMatchObject({
    game: games[0],
    seats: 2,
    table_rules: { odds: true, clock: 60, one_device: true, draw_first: true, public: false },
  });
});
