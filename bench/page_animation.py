"""How soon an event moves on the board after its arrival, in frames, and for how long the page is ever deaf."""

from __future__ import annotations

import random
import statistics
import tempfile
from pathlib import Path

from tests.browser.player import OFFERED, ROLL, Player
from tests.browser.serving import chromium, serving

WANTED_FRAMES = 1.5
FRAME_MS = 1000 / 60
ROLLS = 12

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


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        context = browser.new_context(viewport={"width": 412, "height": 915}, locale="en-GB")
        page = context.new_page()
        page.add_init_script(WATCH)
        page.goto(server.url)
        page.locator(".game .button.main").first.click()
        player = Player(page, random.Random(1))
        page.wait_for_selector(OFFERED)
        page.evaluate("window.counting = true")
        for _ in range(ROLLS):
            page.wait_for_selector(f"{ROLL}, [data-over]")
            if player.over():
                break
            player.act(ROLL)
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


if __name__ == "__main__":
    main()
