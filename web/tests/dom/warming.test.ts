/** On a server that has just started: opponents that are not ready say how long they need, and whoever picks one waits. */
import { expect, it } from "vitest";
import { botName } from "../../src/i18n/botName";
import type { GameInfo } from "../../src/net/messages";
import { open, type Page, type Told } from "./kit";
import { Wire, written, type Script } from "./wire";

const [{ answer }] = written<Told[]>("games");
const ready = (answer as GameInfo[]).map((game) => ({ ...game, warming: [] }));
const [{ name, levels }] = ready;
const strongest = levels.at(-1)!;
const refusal = () => new Response('{"key":"table.full","values":{},"text":""}', { status: 400 });

/** What a server tells of its games: the strongest bot of the first is ready only when it says so. */
function cold(): { told: Told[]; say: (seconds: number) => void; warm: () => void } {
  const told = ["/api/games", "/api/games?tried=true"].map((path) => ({
    ...{ method: "GET", path, body: null, status: 200 },
    answer: [] as GameInfo[],
  }));
  const tell = (all: GameInfo[]) => told.forEach((one) => (one.answer = all));
  const say = (seconds: number) =>
    tell(
      ready.map((game) => ({
        ...game,
        bots: game.bots.filter((bot) => bot !== strongest),
        levels: game.levels.filter((bot) => bot !== strongest),
        warming: game.name === name ? [{ bot: strongest, seconds, level: levels.length - 1 }] : [],
      })),
    );
  say(12);
  return { told, say, warm: () => tell(ready) };
}

const made = (page: Page) => page.asked.filter(({ method }) => method === "POST");
const seated = (page: Page) => Object.values((made(page)[0].body as { bots: Record<string, string> }).bots);

it("Play now waits for the opponents that were chosen, and begins when they are ready", async () => {
  const server = cold();
  const page = await open("/", { told: server.told, answers: { "POST /api/tables": refusal } });
  const game = await page.see(`[data-game="${name}"]`);
  await page.press(page.button(/^Opponents/, game));
  await page.read("12 s");
  await page.press(page.one(`input[value="${strongest}"]`));
  await page.read(`${botName(strongest)}: ready in about 12 s`);
  expect(page.text("main")).toContain(`level ${levels.length} of ${levels.length}`);
  server.say(7);
  await page.pass(1000);
  await page.read(`${botName(strongest)}: ready in about 7 s`);
  await page.press(page.button(/^Play now/, game));
  await page.read(`${botName(strongest)} will be ready in about 7 s`);
  expect(made(page)).toEqual([]);
  server.warm();
  await page.pass(1000);
  await page.see("[role=alert]");
  expect(new Set(seated(page)).has(strongest)).toBe(true);
  expect(page.has("ready in about")).toBe(false);
});

it("what Play now waits for can be called off, or exchanged for another who is ready", async () => {
  const server = cold();
  const page = await open("/", { told: server.told, answers: { "POST /api/tables": refusal } });
  const game = await page.see(`[data-game="${name}"]`);
  await page.press(page.button(/^Opponents/, game));
  await page.see(`input[value="${strongest}"]`);
  await page.press(page.one(`input[value="${strongest}"]`));
  await page.press(page.button(/^Play now/, game));
  await page.read(`${botName(strongest)} will be ready`);
  await page.press(page.button("Cancel", game));
  await page.until(() => !(page.button(/^Play now/, game) as HTMLButtonElement).disabled, "Play now again");
  expect(page.has("will be ready")).toBe(false);
  await page.press(page.button(/^Play now/, game));
  await page.read(`${botName(strongest)} will be ready`);
  expect(made(page)).toEqual([]);
  await page.press(page.one(`input[value="${levels[0]}"]`));
  await page.pass(1000);
  await page.see("[role=alert]");
  expect(seated(page)).toContain(levels[0]);
});

it("a new table is set up once its bots are ready", async () => {
  const server = cold();
  const page = await open(`/new/${name}`, { told: server.told, answers: { "POST /api/tables": refusal } });
  await page.until(() => page.named("combobox", "Who takes seat 2").length === 1, "the form");
  await page.fill(page.field("Who takes seat 2"), "bot");
  await page.press(page.one(`input[value="${strongest}"]`));
  await page.press(page.button("Set up the table"));
  await page.read(`${botName(strongest)} will be ready in about 12 s`);
  expect(made(page)).toEqual([]);
  server.warm();
  await page.pass(1000);
  await page.see("[role=alert]");
  expect(seated(page)).toEqual([strongest]);
});

it("in the lobby a bot sits down once it is ready, and the game does not begin without it", async () => {
  const server = cold();
  const lobby = written<Script & { seen: object; steps: { replies: { table: { game: string } }[] }[] }>(
    "lobby-by-the-book",
  );
  lobby.steps[0].replies[0].table.game = name;
  const page = await open("/t/case", {
    script: lobby,
    told: server.told,
    answers: { "/api/tables/case": lobby.seen },
  });
  await page.until(() => page.named("button", "Start the game").length === 1, "the lobby");
  await page.see(`input[value="${strongest}"]`);
  Wire.last.deaf = true;
  await page.press(page.one(`input[value="${strongest}"]`));
  await page.read(`${botName(strongest)}: ready in about 12 s`);
  const start = () => page.button("Start the game") as HTMLButtonElement;
  expect(start().disabled).toBe(true);
  expect(Wire.last.said).toEqual([]);
  server.warm();
  await page.pass(1000);
  await page.until(() => Wire.last.said.length > 0, "the bot");
  expect(Wire.last.said).toEqual([{ type: "place_bot", seat: 1, bot: strongest }]);
  expect(start().disabled).toBe(false);
});

it.each([
  ["de", "bereit in etwa 12 s"],
  ["fr", "disponible dans environ 12 s"],
])("says so in %s", async (language, words) => {
  const page = await open(`/new/${name}`, { told: cold().told, language });
  await page.until(() => page.all("select").length > 2, "the form");
  await page.fill(page.all("li select")[1], "bot");
  await page.see(`input[value="${strongest}"]`);
  await page.press(page.one(`input[value="${strongest}"]`));
  await page.read(words);
});
