/** Opening a record: whatever a table can record is read, and nothing larger is sent. */
import { expect, it } from "vitest";
import { LONGEST_RECORD } from "../../src/net/messages";
import { open } from "./kit";

it("sends a record as long as a table can make it, and says of a longer file that it is none", async () => {
  const refused = () => Response.json({ key: "record.foreign", values: { line: 1 }, text: "" }, { status: 400 });
  const page = await open("/replay", { answers: { "POST /api/replay": refused } });
  await page.see("input[type=file]");
  const sent = () => page.asked.filter(({ path }) => path === "/api/replay");
  await page.drop(" ".repeat(LONGEST_RECORD + 1));
  await page.read("too large");
  expect(sent()).toEqual([]);
  const longest = "archaeologist c4\n".padEnd(LONGEST_RECORD);
  await page.drop(longest);
  await page.until(() => sent().length > 0, "a record on its way");
  expect(sent().map(({ body }) => body)).toEqual([expect.objectContaining({ record: longest })]);
});
