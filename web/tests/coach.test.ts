import { expect, it, vi } from "vitest";
import { coachWordsOf } from "../src/coach/words";

vi.stubGlobal("document", { documentElement: {} });

it("a game without words of its own tells what came", async () => {
  const words = await coachWordsOf("pig");
  expect(words.action("hold", [])).toBe("hold");
  expect(words.reason({ key: "coach.pig.hold", values: { safe: 3 } }, [])).toBe("coach.pig.hold (safe 3)");
});
