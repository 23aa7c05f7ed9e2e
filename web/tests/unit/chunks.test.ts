import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { fileOf } from "../../tools/chunks";
import { GAMES } from "./games";

/** Who imports whom, from the start or later. */
const IMPORTERS: Record<string, { importers?: string[]; dynamicImporters?: string[] }> = {
  "../words.ts": { importers: ["../main.ts", "any/Table.svelte"] },
  "any/index.ts": { dynamicImporters: ["../home.ts"] },
  "any/Table.svelte": { importers: ["any/index.ts"] },
  "any/pieces.ts": { importers: ["any/Table.svelte", "any/Later.svelte"] },
  "any/Later.svelte": { dynamicImporters: ["any/Table.svelte"] },
  "any/drawing.ts": { importers: ["any/Table.svelte", "any/Poster.svelte"] },
  "any/pages.ts": { importers: ["../home.ts"] },
  "any/pages/odds.svelte": { dynamicImporters: ["any/pages.ts"] },
  "any/words.ts": { importers: ["any/Table.svelte", "any/pages/odds.svelte"] },
  "../table/Story.svelte": { importers: ["../table/TablePage.svelte", "../pages/replay/Replay.svelte"] },
  "../table/TurnBar.svelte": { importers: ["../table/TablePage.svelte"] },
  "../table/Layout.svelte": { importers: ["any/Table.svelte", "other/index.ts"] },
  "../table/Ending.svelte": { importers: ["other/index.ts"] },
  "../ui/sound/hearing.ts": { importers: ["any/Table.svelte"] },
  "../ui/sound/render.ts": { importers: ["../ui/sound/worker.ts"] },
  "any/Table.svelte?svelte&type=style&lang.css": { importers: ["any/Table.svelte"] },
  "any/Poster.svelte": { dynamicImporters: ["../home.ts"] },
};
const modules = {
  getModuleInfo: (id: string) => {
    const { importers = [], dynamicImporters = [] } = IMPORTERS[relative(GAMES, id)] ?? {};
    const isEntry = id === join(GAMES, "../main.ts");
    return {
      isEntry,
      importers: importers.map((one) => join(GAMES, one)),
      dynamicImporters: dynamicImporters.map((one) => join(GAMES, one)),
    };
  },
};

describe("the file that a module is in", () => {
  it.each([
    ["any/index.ts", "any"],
    ["any/Table.svelte", "any"],
    ["any/pieces.ts", "any"],
    ["any/Table.svelte?svelte&type=style&lang.css", "any"],
    ["any/Later.svelte", null],
    ["any/drawing.ts", "any-parts"],
    ["any/pages/odds.svelte", null],
    ["any/words.ts", "any-parts"],
    ["any/Poster.svelte", null],
    ["../words.ts", "index"],
    ["../table/Story.svelte", "shared"],
    ["../table/TurnBar.svelte", null],
    ["../table/Layout.svelte", "games"],
    ["../table/Ending.svelte", null],
    ["../ui/sound/hearing.ts", "sound"],
    ["../ui/sound/render.ts", null],
  ])("for %s is %s", (file, game) => {
    expect(fileOf(join(GAMES, file), modules)).toBe(game);
  });
});
