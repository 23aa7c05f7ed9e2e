"""How soon an event moves on the board after its arrival, how long the page is ever deaf, and a roll takes.

The longest tasks while rolls are shown are those of a browser that is slowed down four times.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page
from tests.browser.player import OFFERED, ROLL, Player
from tests.browser.serving import chromium, serving

WANTED_FRAMES = 1.5
FRAME_MS = 1000 / 60
ROLLS = 12
SLOWED = 4
WANTED_TASK = 50
"""Milliseconds."""

WATCH = """
window.delays = []; window.frames = []; window.deaf = 0;
// Only what comes while nothing is being shown has an empty queue before it.
const resting = () => document.querySelector("[data-resting=true]") !== null;
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (data.includes('"unit_lifted"') && resting()) window.arrived = performance.now();
    });
  }
};
new MutationObserver(() => {
  if (!window.arrived) return;
  const { arrived } = window;
  window.arrived = 0;
  window.delays.push(performance.now() - arrived);
  // What has changed is drawn in the next frame: its time is when that frame began.
  requestAnimationFrame((began) => window.frames.push(Math.max(0, began - arrived)));
}).observe(document, { subtree: true, attributes: true, childList: true });
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  if (window.counting) window.deaf = Math.max(window.deaf, now - last - 10);
  last = now;
}, 10);
"""


TASKS = """
window.tasks = []; window.rolls = []; let began = 0;
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const resting = document.querySelector("[data-resting]")?.dataset.resting;
  const rolled = document.querySelector(".pyramid.shaking") !== null;
  if (rolled && began === 0) began = performance.now();
  if (resting === "true" && began > 0) { window.rolls.push([began, performance.now()]); began = 0; }
}).observe(document, { subtree: true, attributes: true, childList: true }));
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        context = browser.new_context(viewport={"width": 412, "height": 915}, locale="en-GB")
        page = context.new_page()
        page.add_init_script(WATCH)
        _roll(page, server.url)
        delays: list[float] = page.evaluate("window.delays")
        frames: list[float] = page.evaluate("window.frames")
        deaf: float = page.evaluate("window.deaf")
        context.close()
        print(
            f"{len(delays)} rolls: first change after {statistics.median(delays):.1f} ms at the median, "
            f"drawn in a frame that began after {statistics.median(frames) / FRAME_MS:.2f} frames "
            f"(wanted: {WANTED_FRAMES}), {max(frames) / FRAME_MS:.2f} at most; "
            f"longest time the page did not listen: {deaf:.0f} ms"
        )
        for pace in ("calm", "brisk"):
            context = browser.new_context(viewport={"width": 412, "height": 915}, locale="en-GB")
            page = context.new_page()
            page.add_init_script(f"localStorage['serai.settings'] ??= JSON.stringify({{ pace: '{pace}' }}); {TASKS}")
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
            _roll(page, server.url)
            rolls: list[tuple[float, float]] = page.evaluate("window.rolls")
            tasks: list[tuple[float, float]] = page.evaluate("window.tasks")
            context.close()
            shown = [length for at, length in tasks if any(start <= at < end for start, end in rolls)]
            seconds = [(end - start) / 1000 for start, end in rolls]
            print(
                f"slowed {SLOWED} times, {pace}: {len(rolls)} rolls, shown for {statistics.median(seconds):.2f} s at "
                f"the median, {max(seconds):.2f} s at most (the ends of legs included); {len(shown)} tasks beyond "
                f"{WANTED_TASK} ms, the longest {max(shown, default=0):.0f} ms (wanted: below {WANTED_TASK})"
            )


def _roll(page: Page, url: str) -> None:
    """Roll whenever it is one's turn."""
    page.goto(url)
    page.locator(".game .button.main").first.click()
    player = Player(page, random.Random(1))
    page.wait_for_selector(OFFERED)
    page.evaluate("window.counting = true")
    for _ in range(ROLLS):
        page.wait_for_selector(f"{ROLL}, [data-over]")
        if player.over():
            break
        player.act(ROLL)


if __name__ == "__main__":
    main()
