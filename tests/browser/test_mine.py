"""My games: what was played, how it went, and the way back to it."""

from __future__ import annotations

import secrets

import pytest

from tests.browser.axe import EVERY_LOCALE, PHONE, violations
from tests.browser.conftest import Visit
from tests.browser.games import known_as, played_games, screens_of_looking_back
from tests.browser.serving import Server

TOKEN = secrets.token_urlsafe(24)
NEW = {
    "replay-menu": "#replay-menu", "dice": "[data-dice]", "dice-wrong": "[data-dice]", "lesson-other": ".guide",
    "lesson-done": ".guide",
}  # fmt: skip
"""What comes to a screen that has been looked at, and where it is."""


@pytest.fixture(scope="module")
def tables(server: Server) -> list[str]:
    """Where the visitor of the token has played."""
    return played_games(server.url, TOKEN, 3)


def test_finished_games_lead_back_to_their_replay_and_record(server: Server, visit: Visit, tables: list[str]) -> None:
    page = visit(f"{server.url}/mine", locale="de-DE", viewport={"width": 360, "height": 740})
    page.get_by_text("Du hast hier noch kein Spiel zu Ende gespielt").wait_for()
    known_as(page, server.url, TOKEN)
    page.reload()
    page.wait_for_selector("[data-statistics]")
    assert page.locator("dd").first.inner_text() == "3"
    assert page.locator("ol > li").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with page.expect_download() as download:
        page.get_by_role("link", name="Aufzeichnung", exact=True).first.click()
    assert "\nresult " in download.value.path().read_text()
    page.get_by_role("link", name="Wiedergabe").first.click()
    page.wait_for_selector("[data-position]")
    # the newest comes first
    assert f"/replay/{tables[-1]}" in page.url


@EVERY_LOCALE
def test_axe_finds_nothing_around_finished_games(server: Server, visit: Visit, tables: list[str], locale: str) -> None:
    page = visit(server.quiet, forgive="status of 400", locale=locale, **PHONE)
    screens = screens_of_looking_back(page, server.url, TOKEN, tables[-1])
    found = [(screen, violations(page, screen, locale, NEW.get(screen, ""))) for screen in screens]
    assert len(found) == 12
    assert [told for told in found if told[1]] == []
