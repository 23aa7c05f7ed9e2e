/** Before the game: what was agreed on is told to everybody, and how others get there. */
import { expect, it } from "vitest";
import { open, type Page } from "./kit";
import { Wire, written, type Script } from "./wire";

async function inLobby(name: string): Promise<Page> {
  const lobby = written<Script & { seen: object }>(name);
  const page = await open("/t/case", { script: lobby, answers: { "/api/tables/case": lobby.seen } });
  await page.until(() => page.named("button", "Start the game").length === 1, "the lobby");
  return page;
}

it("what was agreed on is told to everybody", async () => {
  const page = await inLobby("lobby");
  const [agreed] = page.named("region", "Table rules");
  expect(page.all("li", agreed).map((one) => one.textContent!.trim())).toEqual([
    "Time per turn: 1 minute",
    "Players can see the odds",
    "Who goes first is drawn by lot",
    "Everyone looks at one screen",
    "Only people with the link can find this table",
  ]);
  Wire.last.deaf = true;
  await page.press(page.button("Start the game"));
  expect(Wire.last.said).toEqual([{ type: "start" }]);
});

it("a table by the book says so", async () => {
  const page = await inLobby("lobby-by-the-book");
  await page.read("By the book: the game gives no advice");
});

it("a server that nobody else reaches says how to let others in", async () => {
  const page = await inLobby("lobby");
  await page.read("Only this computer can open this table");
  await page.read("serai serve --host 0.0.0.0");
  expect(page.all(".invite img")).toEqual([]);
});
