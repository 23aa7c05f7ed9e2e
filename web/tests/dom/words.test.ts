/** A game's words come with the game: in time, in whatever language, and changed with it. */
import { expect, it } from "vitest";
import { atTable, noRawKey } from "./kit";
import { written } from "./wire";

const BOARDS: [string, Record<string, string>][] = [
  ["race", { en: "Race track", de: "Rennstrecke", fr: "Piste" }],
  ["corridor-undo", { en: "The pyramid", de: "Die Pyramide", fr: "La pyramide" }],
];

it.each(BOARDS)("another language at a table (%s) reaches the words of its game", async (position, names) => {
  const page = await atTable(written(position));
  await page.press(page.button("Settings"));
  await page.see("#preferences select");
  const chooser = page.all("#preferences select")[0];
  for (const language of ["de", "fr", "en"]) {
    await page.fill(chooser, language);
    await page.until(() => page.all(`[aria-label="${names[language]}"]`).length === 1, names[language]);
    noRawKey(page);
  }
  expect(chooser.isConnected, "what a person is using is not made anew under their hands").toBe(true);
});
