/** What moves is heard, unless the visitor wants silence. */
import { expect, it } from "vitest";
import { heard } from "./audio";
import { atTable } from "./kit";
import { written } from "./wire";

const MOVES: [string, string, string][] = [
  ["Camel Up", "race", '[data-action="roll"]'],
  ["Das Gold des Pharao", "reveals", '[data-action="reveal c2"]'],
];

it.each(MOVES)("%s is heard", async (_game, position, move) => {
  const page = await atTable(written(position), { moving: true });
  await page.press(move);
  await page.passUntil(() => heard.length > 0, "a sound", 10_000);
});

it.each(MOVES)("%s is silent for whoever wants silence", async (_game, position, move) => {
  const page = await atTable(written(position), { moving: true });
  await page.press(page.button("Settings"));
  await page.until(() => page.named("checkbox", /Sound/).length > 0, "the switch");
  await page.press(page.named("checkbox", /Sound/)[0]);
  heard.splice(0); // what called to the turn before
  await page.press(move);
  await page.passUntil(() => page.one("[data-resting]").dataset.resting === "true", "the end of it");
  expect(heard).toEqual([]);
});
