import { expect, it, vi } from "vitest";
import english from "../../../locales/en.json";
import { isolated, namesOf } from "../../src/i18n/names";

vi.mock("../../src/i18n/language.svelte", () => ({
  isKey: (name: string) => name in english,
  t: (key: keyof typeof english) => english[key],
}));

it("lets the direction of a name or of talk end where it ends", () => {
  expect(isolated("Ann 3")).toBe("Ann 3");
  expect(isolated("שלום")).toBe("\u2068שלום\u2069");
  expect(isolated("1 مريم")).toBe("\u20681 مريم\u2069");
});

it("marks bots, so that nobody is taken for one", () => {
  const seats = [
    { kind: "bot", name: "greedy", bot: "greedy" },
    { kind: "person", name: "Greedy" },
    { kind: "bot", name: "greedy", bot: "greedy" },
    { kind: "person", name: "מרים" },
  ] as const;
  const bot = `\u2699\ufe0e ${english["bot.greedy"]}`;
  expect(namesOf([...seats])).toEqual([bot, "Greedy", `${bot} 2`, "\u2068מרים\u2069"]);
});
