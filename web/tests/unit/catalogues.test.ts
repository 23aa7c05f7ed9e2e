import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import de from "../../../locales/de.json";
import en from "../../../locales/en.json";
import fr from "../../../locales/fr.json";
import { fill, preferred, type Key, type Sentence } from "../../src/i18n/catalogue";
import { learnWords, startLanguage, t } from "../../src/i18n/language.svelte";
import { gameParts, partOf, partsAside } from "../../tools/catalogues";
import { filesBelow, games, ROOT } from "./games";

const catalogues = { en, de, fr } as Record<string, Record<string, Sentence>>;
/** What a game's rules may refuse, though never to a person: the rest of the key, from the game's own tests. */
const unsaid = import.meta.glob<{ UNSAID: RegExp }>("../games/*/reasons.ts", { eager: true });

function texts(folder: string, endings: string[]): string[] {
  return filesBelow(join(ROOT, folder), endings).map(({ text }) => text);
}

function placeholders(sentence: Sentence): string[] {
  const forms = typeof sentence === "string" ? [sentence] : Object.values(sentence);
  return [...new Set(forms.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1])))].sort();
}

describe("the catalogues", () => {
  it.each(["de", "fr"])("%s says everything English does, in the same order", (language) => {
    expect(Object.keys(catalogues[language])).toEqual(Object.keys(en));
  });

  it.each(["de", "fr"])("%s uses the values that English uses", (language) => {
    for (const [key, sentence] of Object.entries(en)) {
      expect([key, placeholders(catalogues[language][key])]).toEqual([key, placeholders(sentence)]);
    }
  });

  it.each(["en", "de", "fr"])("%s leaves nothing empty, and has every plural form it needs", (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => form !== "many");
    for (const [key, sentence] of Object.entries(catalogues[language])) {
      if (typeof sentence === "string") expect([key, sentence.trim()]).not.toEqual([key, ""]);
      else expect([key, Object.keys(sentence).sort()]).toEqual([key, [...forms].sort()]);
    }
  });

  it.each([
    ["en", /\b(tap|click|touch)/i],
    ["de", /\b(an)?(tipp|klick)/i],
    ["fr", /\b(touchez|appuyez|cliquez|tapez)/i],
  ])("%s speaks to fingers, mice and keyboards alike", (language, handling) => {
    const said = Object.entries(catalogues[language]).filter(([, sentence]) => handling.test(JSON.stringify(sentence)));
    expect(said).toEqual([]);
  });

  it.each([
    ["en", /\bskip/i],
    ["de", /überspring/i],
    ["fr", /\b(passer|sauter)\b/i],
  ])("%s speaks of catching up, not of leaving out: whatever happened has happened", (language, leaving) => {
    const said = Object.entries(catalogues[language]).filter(([, sentence]) => leaving.test(JSON.stringify(sentence)));
    expect(said).toEqual([]);
  });

  it("and so does the page where it speaks for itself", () => {
    expect(texts("web/src", [".ts", ".svelte"]).filter((text) => /\bskip/i.test(text))).toEqual([]);
  });

  it("have no sentence that nobody says", () => {
    const page = [...texts("web/src", [".ts", ".svelte"]), ...texts("web/tools", [".ts"])].join("\n");
    // Reasons and labels are named by the server, whose keys the page says without knowing them.
    const server = texts("src/serai", [".py"]).join("\n");
    const patterns = [...page.matchAll(/`([a-z_.]+\.[^`]*\$\{[^`]+)`/g)].map(
      (match) => new RegExp(`^${match[1].replaceAll(".", "\\.").replace(/\$\{[^}]*\}/g, "[a-z_0-9]*")}$`),
    );
    // The choices of an option are named after its label.
    const quoted = (text: string) => new Set([...text.matchAll(/"(?=([\w.]+)")/g)].map((match) => match[1]));
    const [byPage, byServer] = [quoted(page), quoted(server)];
    const isChoice = (key: string) => byServer.has(key.slice(0, key.lastIndexOf(".")));
    const unused = Object.keys(en).filter(
      (key) => !byPage.has(key) && !byServer.has(key) && !isChoice(key) && !patterns.some((one) => one.test(key)),
    );
    expect(unused).toEqual([]);
  });

  it("have words for every reason that a table, a game or the coach can give", () => {
    const reason = new RegExp(`^ {8}"((?:table|coach|${games.join("|")})\\.[a-z_.]+)": "`, "gm");
    const given = texts("src/serai", [".py"]).flatMap((text) => [...text.matchAll(reason)].map((match) => match[1]));
    expect(given.length).toBeGreaterThan(20);
    const isUnsaid = (key: string): boolean => {
      const [room, ...rest] = key.split(".");
      return unsaid[`../games/${room}/reasons.ts`]?.UNSAID.test(rest.join(".")) ?? false;
    };
    expect(given.filter((key) => !(key in en) && !isUnsaid(key))).toEqual([]);
  });
});

describe("the parts of a catalogue", () => {
  const parts = gameParts();

  it("are the words of each game, and those of its options, positions, refusals, guided game, advice, coach and insights", () => {
    const [whole, more] = [parts.filter((part) => !part.includes(".")), parts.filter((part) => part.includes("."))];
    expect(whole).toEqual(games);
    const rooms = games.flatMap((game) => [
      `${game}.option`,
      `${game}.position`,
      `${game}.refused`,
      `lesson.${game}`,
      `advice.${game}`,
      `coach.${game}`,
      `insights.${game}`,
    ]);
    expect(more.filter((part) => !rooms.includes(part) && !/^\w+\.(falling|unseen)$/.test(part))).toEqual([]);
  });

  it("keep why a game's rules refuse something from what is said without being asked", () => {
    const page = texts("web/src/games", [".ts", ".svelte"]).join("\n");
    const server = texts("src/serai", [".py"]).join("\n");
    const refused = Object.keys(en).filter((key) => partOf(key, parts).endsWith(".refused"));
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.filter((key) => !server.includes(`"${key}": "`) || page.includes(`"${key}"`))).toEqual([]);
    const rooms = new Set(refused.map((key) => key.split(".")[0]));
    const given = Object.keys(en).filter((key) => rooms.has(key.split(".")[0]) && server.includes(`"${key}": "`));
    expect(given.filter((key) => !refused.includes(key))).toEqual([]);
  });

  it("leave the words of no game to the first screen, but its name", () => {
    const aside = partsAside();
    const page = Object.keys(en).filter((key) => partOf(key, aside) === "page");
    expect(
      page.filter((key) =>
        games.some((game) => ["", "lesson.", "advice.", "coach."].some((room) => key.startsWith(`${room}${game}.`))),
      ),
    ).toEqual([]);
    expect(page).toEqual(expect.arrayContaining(["lesson.title", ...games.map((game) => `game.${game}`)]));
  });

  it("are those that the page can load, in every language", async () => {
    const { default: loaders } = await import("virtual:catalogues");
    for (const [language, whole] of Object.entries(catalogues)) {
      const page = await loaders[language as "en"]();
      const loaded = await Promise.all(Object.values(page.parts).map((load) => load()));
      expect(Object.keys(page.parts)).toEqual(partsAside());
      expect(Object.assign({}, ...[page, ...loaded].map((part) => part.default))).toEqual(whole);
    }
  });
});

describe("a sentence", () => {
  it("has its values checked by the compiler, where it is said", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    await startLanguage("en");
    await learnWords(...partsAside());
    const calls = () => [
      t("play.seat", { seat: 1 }),
      t("page.home"),
      t("home.title" as Key, { any: 1 }),
      // @ts-expect-error: another name than the sentence's
      t("play.seat", { place: 1 }),
      // @ts-expect-error: no values
      t("play.seat"),
      // @ts-expect-error: values of a sentence that has none
      t("page.home", { seat: 1 }),
      // @ts-expect-error: a count that is no number has no plural
      t("menu.watching", { count: "many" }),
    ];
    expect(calls().length).toBe(7);
  });

  it("takes the plural form of its count", () => {
    const cards = { one: "{count} carte", other: "{count} cartes" };
    expect([0, 1, 2].map((count) => fill(cards, { count }, "fr"))).toEqual(["0 carte", "1 carte", "2 cartes"]);
  });

  it("writes a real minus", () => {
    expect(fill("{name}: {amount}", { name: "A", amount: -3 }, "en")).toBe("A: −3");
  });

  it("comes in the first language of the browser that there is", () => {
    expect(preferred(["it-IT", "fr-CA", "de"])).toBe("fr");
    expect(preferred(["ja"])).toBe("en");
  });
});
