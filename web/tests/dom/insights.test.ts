/** How to play well: every finding is said in every language, with its figures and a way to try it. */
import { expect, it } from "vitest";
import { games } from "../unit/games";
import type { Insights } from "../../src/net/messages";
import { open, type Told } from "./kit";
import { written } from "./wire";

it.each(games.flatMap((game) => ["en-GB", "de-DE", "fr-FR"].map((locale) => [game, locale])))(
  "what %s teaches is said whole in %s",
  async (game, locale) => {
    const told = written<Told[]>(`insights-${game}`);
    const { insights } = told[0].answer as Insights;
    const page = await open(`/g/${game}/insights`, { told, language: locale });
    await page.see("main li h2");
    expect(page.all("main li h2")).toHaveLength(insights.length);
    for (const { key, bars, exercise } of insights) {
      const words = page.text(`li[id="${key}"]`);
      expect(words).not.toMatch(/[{}]|insights\./);
      expect(page.text(`li[id="${key}"] h2`)).toMatch(/\d/);
      expect(page.all(`li[id="${key}"] li`)).toHaveLength(bars.length);
      const links = page.all(`li[id="${key}"] a`).map((link) => link.getAttribute("href"));
      expect(links).toEqual(exercise === null ? [] : [`/train/${game}/${exercise}`]);
    }
  },
);

it("says why it has nothing to say", async () => {
  const none = {
    ...written<Told[]>(`insights-${games[0]}`)[0],
    status: 404,
    answer: { key: "server.insights", values: { game: games[0] }, text: "" },
  };
  const page = await open(`/g/${games[0]}/insights`, { told: [none] });
  await page.see("[role=alert]");
});

it.each(games)("leads there from the first screen, the rules and the exercises of %s", async (game) => {
  const way = `a[href="/g/${game}/insights"]`;
  let page = await open("/");
  await page.see(way);
  page = await open(`/g/${game}/rules`);
  await page.see(way);
  page = await open(`/train/${game}`, { told: written<Told[]>(`train-${game}`) });
  await page.see(way);
});

it.each(games)("each theme of %s says what to look for, with three examples", async (game) => {
  const told = written<Told[]>(`train-${game}`);
  let page = await open(`/train/${game}`, { told });
  await page.see("[data-theme-row] .about");
  const ways = page.all("[data-theme-row] .about").map((link) => link.getAttribute("href")!);
  expect(ways.length).toBeGreaterThan(3);
  for (const way of ways) {
    page = await open(way, { told });
    await page.see(".look");
    expect(page.all(`a[href^="/train/${game}/"].button`)).toHaveLength(3);
  }
});
