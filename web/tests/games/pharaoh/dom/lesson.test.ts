import { expect, it } from "vitest";
import { followTheLight, GUIDE } from "../../../dom/lessons";

it("the guided game is learnt by touching what the light is on", async () => {
  const page = await followTheLight("pharaoh", "fr-FR");
  expect(page.text(GUIDE)).toContain("14 points");
});
