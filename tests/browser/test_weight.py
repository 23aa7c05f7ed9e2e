from __future__ import annotations

import gzip
import re

from playwright.sync_api import Browser, Page, Response

from tests.browser.player import OFFERED
from tests.browser.serving import Server

FIRST_SCREEN = 60_000
TABLE = 90_000


def test_what_a_visitor_has_to_load(server: Server, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    weights = weigh(page)
    page.goto(server.url)
    page.wait_for_selector(".game")
    page.wait_for_load_state("networkidle")
    first = sum(weights.values())
    assert 0 < first <= FIRST_SCREEN
    page.locator(".game .button.main").first.click()
    page.wait_for_selector(OFFERED)
    assert first < sum(weights.values()) <= TABLE
    context.close()


def weigh(page: Page) -> dict[str, int]:
    """JavaScript and style sheets by address, as they weigh compressed; filled while the page loads them."""
    weights: dict[str, int] = {}

    def on_response(response: Response) -> None:
        if re.search(r"\.(js|css)$", response.url):
            weights[response.url] = len(gzip.compress(response.body()))

    page.on("response", on_response)
    return weights
