import { expect, it } from "vitest";
import { open, type Told } from "../../../dom/kit";
import { at, goOn, GUIDE, taught } from "../../../dom/lessons";
import { written } from "../../../dom/wire";

it("the guided game is learnt by touching what the guide asks for", async () => {
  const told = written<Told[]>("lesson-pharaoh");
  const page = await open("/learn/pharaoh", {
    told,
    language: "fr-FR",
    answers: { "/api/games/pharaoh/lesson/advice": () => new Response("{}", { status: 404 }) },
  });
  const name = (cell: unknown) => `${"abcdef"[(cell as number) % 6]}${Math.floor((cell as number) / 6) + 1}`;
  const act = async ({ type, cell, openings, value }: Record<string, unknown>) => {
    if (type === "archaeologist" || type === "helper" || type === "reveal") {
      await page.press(`[data-pick="${type === "helper" ? "helper" : "archaeologist"}"]`);
      await page.press(`[data-cell="${cell}"] [data-action]`);
    } else if (type === "lay" || type === "turn") {
      if (type === "turn") {
        await page.press('[data-pick="helper"]');
        await page.press('[data-pick="turn"]');
        await page.press(`[data-action="turn ${name(cell)}"]`);
      }
      const closed = ["nord", "est", "sud", "ouest"].filter((_, side) => ((openings as number) & (1 << side)) === 0);
      const shut = () => page.text("section[aria-label]:has([data-place])").split(/[^a-zé]+/);
      for (let turned = 0; closed.some((side) => shut().includes(side)); turned += 1) {
        expect(turned).toBeLessThan(4);
        await page.press('[data-place="rotate"]');
      }
      await page.press('[data-place="confirm"]');
    } else if (type === "take") {
      const wanted = value === 5 ? "masque" : String(value);
      await page.press(page.all('[data-action="take"]').find((one) => one.textContent!.includes(wanted))!);
    } else await page.press(`[data-action="${type}"]`);
    const asked = page.all("[data-answer]");
    if (asked.length > 0) await page.press(asked[0]);
  };
  for (const [step, action] of taught(told).entries()) {
    expect(await goOn(page)).toBe("do");
    await page.pass(20);
    expect(page.all("[data-pointed]"), `step ${step + 1} points at something`).toHaveLength(1);
    await act(action);
    await page.passUntil(() => at(page) !== `do ${step + 1}`, `the end of step ${step + 1}`, 1000);
  }
  expect(await goOn(page)).toBe("end");
  expect(page.text(GUIDE)).toContain("14 points");
});
