/** Records dropped onto the page: their draws are checked, and what is wrong with them is said with its line. */
import { expect, it } from "vitest";
import { atReplay, open, type Page, type Told } from "../../../dom/kit";
import { written } from "../../../dom/wire";

const records = written<Told[]>("records");
const textOf = ({ body }: Told) => (body as { record: string }).record;

async function checkDraws(page: Page): Promise<void> {
  await page.press(page.button("Game"));
  await page.press(page.button("Check the draws"));
  await page.see("[data-dice]");
}

it("a tampered record is caught", async () => {
  const [honest, forged, secretive] = records;
  const page = await atReplay(records);
  await checkDraws(page);
  await page.see("[data-dice=hold]");
  await page.read("A record does not hold the players’ own values");
  await page.drop(textOf(forged));
  await page.until(() => page.all("[data-dice]").length === 0, "the other record");
  await checkDraws(page);
  await page.see("[data-dice=fail]");
  await page.read("does not hold: the game has “die");
  await page.drop(textOf(secretive));
  await page.until(() => page.all("[data-dice]").length === 0, "the third record");
  await checkDraws(page);
  await page.see("[data-dice=fail]");
  await page.read("The secret does not fit the fingerprint");
  expect(honest.status).toBe(200);
});

it("what is wrong with a record is said with its line", async () => {
  const wrong = written<Told[]>("wrong-records");
  const said = [
    "Ce n’est pas un enregistrement de Serai",
    "une autre version des règles",
    "la ligne 15 ne peut pas être jouée. Aucune tuile Désert",
    "la ligne 15 ne peut pas être jouée.",
    "la ligne 3 est illisible.",
    "mise en place comme le dit l’enregistrement (ligne 1).",
    "la ligne 2 est illisible.",
  ];
  const page = await open("/replay", { told: [...wrong, ...records], language: "fr-FR" });
  await page.see("input[type=file]");
  const alert = async (words: string) => {
    await page.until(() => page.texts("[role=alert]").some((text) => text.includes(words)), words);
    if (words.endsWith(".")) expect(page.text("[role=alert]").endsWith(words)).toBe(true);
  };
  for (const [at, one] of wrong.entries()) {
    await page.drop(textOf(one));
    await alert(said[at]);
  }
  const asked = page.asked.length;
  await page.drop("x".repeat(200_000));
  await alert("game.serai est trop");
  await page.drop(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]));
  await alert("Ce n’est pas un enregistrement de Serai");
  expect(page.asked.length, "neither was sent to anybody").toBe(asked);
  await page.drop(textOf(records[0]));
  await page.see("[data-position]");
  expect(page.all("[role=alert]")).toEqual([]);
});

it("a result says who played with hints", async () => {
  const page = await atReplay([records[3]]);
  await page.press(page.button("To the end"));
  expect(page.text(".result").split("(with hints)")).toHaveLength(2);
});
