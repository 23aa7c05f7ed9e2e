import { expect, it, vi } from "vitest";
import { noRawKey, open, type Told } from "../../../dom/kit";
import { written } from "../../../dom/wire";

it("a table waits for the words of its game", async () => {
  let bring = () => undefined as void;
  const brought = new Promise<void>((done) => (bring = done));
  vi.doMock("virtual:catalogues/en/pharaoh", async (original) => {
    await brought;
    return original();
  });
  const page = await open("/t/case", { script: written("corridor-undo") });
  await page.until(() => page.named("button", "Table").length === 1, "the table's menu");
  await page.pass(500);
  expect(page.all("[data-cell]")).toEqual([]);
  noRawKey(page);
  bring();
  await page.see('[aria-label="The pyramid"]');
  noRawKey(page);
  vi.doUnmock("virtual:catalogues/en/pharaoh");
});

it("pages around a game bring its words", async () => {
  const told = written<Told[]>("lesson-pharaoh");
  let page = await open("/learn/pharaoh", { told, language: "fr-FR" });
  await page.read("Vous dirigez un archéologue");
  noRawKey(page);
  page = await open("/new/pharaoh", { language: "fr-FR" });
  await page.read("Qui commence");
  noRawKey(page);
});
