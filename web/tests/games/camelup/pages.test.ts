import { expect, it } from "vitest";
import { pagesOf } from "../../../src/games/game";
import type { GameInfo } from "../../../src/net/messages";

it.each([
  [true, ["odds"]],
  [false, []],
])("where odds are %s, the pages are %j", (odds, pages) => {
  expect(pagesOf({ name: "camelup", odds } as GameInfo)).toEqual(pages);
});
