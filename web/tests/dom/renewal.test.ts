/** A server has another build of the page: an open one is loaded anew, once, when nobody loses anything. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { atTable } from "./kit";
import { Wire, written, type Script } from "./wire";

const OWN = document.createElement("meta");
OWN.name = "serai-build";
OWN.content = "first";

beforeEach(() => document.head.append(OWN));
afterEach(() => OWN.remove());

/** A table whose server is of the second build. */
function replaced(name: string): Script {
  const script = written(name);
  const [welcome, ...rest] = script.steps[0].replies;
  return {
    ...script,
    steps: [{ ...script.steps[0], replies: [{ ...welcome, build: "second" }, ...rest] }, ...script.steps.slice(1)],
  };
}

it("it is loaded anew once whoever is to act has acted, and no second time for the same build", async () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  let page = await atTable(replaced("race-leg-tile"));
  expect(reload).not.toHaveBeenCalled();
  await page.press('[data-action="leg green"]');
  await page.until(() => Wire.last.done === 1, "the action");
  expect(reload).toHaveBeenCalledTimes(1);
  // What stands between hands out the old page, whatever the server has.
  page = await atTable(replaced("race-leg-tile"));
  await page.press('[data-action="leg green"]');
  await page.until(() => Wire.last.done === 1, "the action again");
  expect(reload).toHaveBeenCalledTimes(1);
});

it("it waits until what is being written has been sent", async () => {
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  const page = await atTable(replaced("race-leg-tile"));
  await page.fill("section [placeholder^=Write]", "half a");
  await page.press('[data-action="leg green"]');
  await page.until(() => Wire.last.done === 1, "the action");
  expect(reload).not.toHaveBeenCalled();
  await page.fill("section [placeholder^=Write]", "");
  expect(reload).toHaveBeenCalledTimes(1);
});
