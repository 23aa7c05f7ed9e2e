/** The rules of every game in three languages, and the way to them from the table. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { GAMES, games } from "../unit/games";
import { atTable, open } from "./kit";
import { written } from "./wire";

const LOCALES = ["en-GB", "de-DE", "fr-FR"];

it.each(games.flatMap((game) => LOCALES.map((locale) => [game, locale])))(
  "the rules of %s are shown whole in %s",
  async (game, locale) => {
    const text = JSON.parse(readFileSync(`${GAMES}/${game}/rules/${locale.slice(0, 2)}.json`, "utf8")) as {
      sections: { key: string; title: string }[];
    };
    const page = await open(`/g/${game}/rules`, { language: locale });
    await page.see("main section h2");
    for (const { key, title } of text.sections) expect(page.text(`section#${key} h2`)).toBe(title);
    expect(page.text("main")).not.toContain("[");
    expect(page.all("[data-rules]").length).toBeGreaterThan(50);
    expect(page.all("[data-rules] + small")).toHaveLength(page.all("[data-rules]").length);
    expect(page.all("[data-drawing]").length).toBeGreaterThan(0);
    for (const drawing of page.all("[data-drawing]")) {
      const { length } = drawing.querySelectorAll("svg rect, svg path");
      expect(length, drawing.dataset.drawing).toBeGreaterThan(3);
    }
  },
);

it("questions at the table are answered by the rules", async () => {
  const page = await atTable(written("race"));
  for (const [section, title] of [
    ["leg_bet", "Betting on the leg"],
    ["race_bet", "Betting on the race"],
    ["roll", "Rolling"],
  ]) {
    await page.press(`[data-help="${section}"]`);
    await page.see("dialog h2");
    expect(page.texts("dialog h2")).toContain(title);
    expect(page.all("dialog h2").length, "nothing but what was asked about").toBeLessThan(4);
    await page.key("Escape");
    expect(page.all("dialog")).toEqual([]);
    expect((document.activeElement as HTMLElement).dataset.help).toBe(section);
  }
});
