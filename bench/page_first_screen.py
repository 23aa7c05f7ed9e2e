"""How soon the first screen can be used on a slow phone: 1.6 Mbit/s, 150 ms, a processor four times slower."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser
from tests.browser.serving import chromium, serving

ROUNDS = 5
WANTED_SECONDS = 2.5
BYTES_PER_SECOND = 1.6e6 / 8


def seconds(browser: Browser, url: str, slow: bool) -> float:
    """From asking for the page to the button that starts a game, with nothing in the cache."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en-GB")
    page = context.new_page()
    if slow:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        line = {"offline": False, "latency": 150, "downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": 1e5}
        session.send("Network.emulateNetworkConditions", line)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector(".game button:not([disabled])")
    taken = time.perf_counter() - began
    context.close()
    return taken


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        rounds = [(seconds(browser, server.url, True), seconds(browser, server.url, False)) for _ in range(ROUNDS)]
    slow, fast = (statistics.median(taken) for taken in zip(*rounds, strict=True))
    print(f"slow phone: {slow:.2f} s (wanted: at most {WANTED_SECONDS} s); unhindered: {fast:.2f} s")


if __name__ == "__main__":
    main()
