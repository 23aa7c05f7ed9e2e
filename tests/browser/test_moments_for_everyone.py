"""Whatever comes and goes at a table is for everyone, too: sheets, talk, a recap, and what is just being shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.axe import PHONE, THEMES, violations
from tests.browser.conftest import Visit
from tests.browser.hard_cases import crowded, full_log, show
from tests.browser.pharaoh_player import SOMETHING
from tests.browser.player import ROLL
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.browser.test_one_clock import GAMES
from tests.browser.watching import Crowd
from tests.support import SOAK

LOCALES = list(THEMES) if SOAK else ["en-GB"]
NAMES = ("Ann", "Ben", "Cleo", "Dana")


def sheets(page: Page, url: str) -> Iterator[str]:
    """What lies over a table or beside it for a while."""
    page.goto(url)
    page.locator(".game [data-meet], .game .buttons button:not(.main)").last.click()
    page.wait_for_selector(".lobby")
    yield "quick match"
    frames, late = full_log()
    own = max(at for at, frame in enumerate(frames) if frame["by"] == 0)
    show(page, url, late, NAMES, frames[:own])
    page.wait_for_selector("[data-recap]")
    yield "recap"
    page.unroute_all()
    ScriptedTable(crowded(), names=(*NAMES, "Emil", "Fay", "Gus", "Hal")).open(page, url)
    page.locator("button[data-purse]").nth(1).click()
    page.wait_for_selector("[data-holdings]")
    yield "what another holds"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog, [role=dialog]")
    yield "keys"
    page.keyboard.press("Escape")
    page.locator("header button[aria-expanded]").first.click()
    page.wait_for_selector(".panel form, [role=region]")
    yield "talk"


@pytest.mark.parametrize("locale", LOCALES)
def test_axe_finds_nothing_in_what_lies_over_a_table(server: Server, visit: Visit, locale: str) -> None:
    page = visit(server.url, locale=locale, **PHONE)
    found: list[str] = []
    seen = []
    for screen in sheets(page, server.url):
        found += violations(page, screen, locale)
        seen.append(screen)
    assert found == []
    assert len(seen) == 5


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_while_something_is_being_shown(server: Server, visit: Visit, game: str, locale: str) -> None:
    page = visit(f"{server.url}/about", locale=locale, reduced_motion="no-preference", pace="calm", **PHONE)
    Crowd(GAMES[game], 3, 7, whole=False).open(page, server.url)
    page.wait_for_selector(ROLL if game == "camelup" else SOMETHING)
    found: list[str] = []
    page.locator(ROLL if game == "camelup" else '[data-action="end"]').click()
    for answer in page.locator("[data-answer]").all():
        answer.click()
        break
    looks = 0
    page.locator("[data-resting=false]").wait_for(state="attached")
    while page.locator("[data-resting=false]").count() and looks < (12 if SOAK else 4):
        found += violations(page, f"{game} {looks}", locale)
        looks += 1
    assert looks > 1
    assert found == []
