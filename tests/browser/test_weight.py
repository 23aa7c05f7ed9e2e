"""What a visitor has to load, in the language whose words weigh most."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Page, Request

from serai.server.http.pages import WEB
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED
from tests.browser.serving import Server

FIRST_SCREEN = 38_000
TABLES = {"camelup": 110_000, "pharaoh": 95_000}
"""With whatever of their sounds is heard before the first turn."""


@pytest.mark.parametrize("game", TABLES)
def test_what_a_visitor_has_to_load(server: Server, visit: Visit, game: str) -> None:
    page = visit(f"{server.url}/about", locale="fr-FR")
    page.wait_for_load_state("networkidle")
    weights = weigh(page)
    page.goto(server.url)
    page.wait_for_selector(".game")
    page.wait_for_load_state("networkidle")
    first = sum(weights.values())
    assert 0 < first <= FIRST_SCREEN, weights
    assert not [name for name in weights if name.startswith(tuple(TABLES))], "a game is loaded only when it is played"
    page.locator(f'[data-game="{game}"] .button.main').click()
    page.wait_for_selector(OFFERED)
    page.wait_for_load_state("networkidle")
    assert {other for other in TABLES for name in weights if name.startswith(other)} == {game}
    assert first < sum(weights.values()) <= TABLES[game], weights
    later = ("Scoring", "Ending", "Stage", "ending")
    assert not [name for name in weights if name.startswith(later)], "what ends a game is loaded when it is near"


def weigh(page: Page) -> dict[str, int]:
    """JavaScript and style sheets by name, as they weigh compressed; filled while the page asks for them."""
    weights: dict[str, int] = {}

    def on_request(request: Request) -> None:
        name = request.url.rpartition("/")[2]
        if name.endswith((".js", ".css")):
            weights[name] = len(gzip.compress((WEB / "assets" / name).read_bytes()))

    page.on("request", on_request)
    return weights
