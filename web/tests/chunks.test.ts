import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gameOf } from "../tools/chunks";
import { GAMES, ROOT } from "./games";

/** Who imports whom, from the start or later. */
const IMPORTERS: Record<string, { importers?: string[]; dynamicImporters?: string[] }> = {
  "any/index.ts": { dynamicImporters: ["../home.ts"] },
  "any/Table.svelte": { importers: ["any/index.ts"] },
  "any/pieces.ts": { importers: ["any/Table.svelte", "any/Later.svelte"] },
  "any/Later.svelte": { dynamicImporters: ["any/Table.svelte"] },
  "any/drawing.ts": { importers: ["any/Table.svelte", "any/Poster.svelte"] },
  "any/Poster.svelte": { dynamicImporters: ["../home.ts"] },
};
const modules = {
  getModuleInfo: (id: string) => {
    const { importers = [], dynamicImporters = [] } = IMPORTERS[id.slice(GAMES.length + 1)] ?? {};
    return { importers: importers.map((one) => join(GAMES, one)), dynamicImporters: dynamicImporters.map((one) => join(GAMES, one)) };
  },
};

describe("the file of a game", () => {
  it.each([
    ["any/index.ts", "any"],
    ["any/Table.svelte", "any"],
    ["any/pieces.ts", "any"],
    ["any/Later.svelte", null],
    ["any/drawing.ts", null],
    ["any/Poster.svelte", null],
  ])("%s is in that of %s", (file, game) => {
    expect(gameOf(join(GAMES, file), modules)).toBe(game);
  });

  it("holds nothing of what games share", () => {
    expect(gameOf(join(ROOT, "web/src/table/Story.svelte"), modules)).toBeNull();
  });
});
