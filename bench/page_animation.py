"""How soon an event moves on the board after its arrival, and for how long the page is ever deaf meanwhile."""

from __future__ import annotations

import random
import statistics
import tempfile
from pathlib import Path

from tests.browser.player import OFFERED, ROLL, Player
from tests.browser.serving import chromium, serving

WANTED_MS = 100
ROLLS = 12

WATCH = """
window.delays = []; window.deaf = 0;
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      if (data.includes('"unit_lifted"')) window.arrived = performance.now();
    });
  }
};
new MutationObserver(() => {
  if (window.arrived) { window.delays.push(performance.now() - window.arrived); window.arrived = 0; }
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
        deaf: float = page.evaluate("window.deaf")
        context.close()
    print(
        f"{len(delays)} moves: first change after {statistics.median(delays):.0f} ms at the median, "
        f"{max(delays):.0f} ms at most (wanted: {WANTED_MS} ms); longest time the page did not listen: {deaf:.0f} ms"
    )


if __name__ == "__main__":
    main()
