"""axe finds nothing on any screen: both themes in English, light in every language."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, ROLL, Player
from tests.browser.serving import Server

LOOKS = [("en-GB", "light"), ("en-GB", "dark"), ("de-DE", "light"), ("fr-FR", "light")]


def screens(page: Page, url: str) -> Iterator[str]:
    """Every screen there is, one after the other."""
    page.goto(url)
    page.wait_for_selector(".game")
    yield "home"
    page.locator("button[aria-controls=settings]").click()
    yield "settings"
    page.goto(f"{url}/about")
    page.wait_for_selector("h1")
    yield "about"
    page.goto(f"{url}/new")
    page.wait_for_selector("form")
    yield "new table"
    page.locator("form .kind select").nth(1).select_option("here")
    page.locator("form .button.main").click()
    page.wait_for_selector(".lobby img")
    yield "lobby"
    page.locator(".lobby .start").click()
    page.wait_for_selector(OFFERED)
    page.locator('[data-action^="leg"]').first.click()
    page.wait_for_selector(".curtain")
    yield "curtain"
    page.goto(url)
    page.locator(".game .button.main").first.click()
    page.wait_for_selector(OFFERED)
    yield "table"
    page.locator('[data-action^="desert"]').first.click()
    page.wait_for_selector("[role=dialog]")
    yield "question"
    page.keyboard.press("Escape")
    page.locator("button[aria-controls=table-menu]").click()
    yield "menu"
    page.keyboard.press("Escape")
    player = Player(page, random.Random(12))
    page.emulate_media(reduced_motion="no-preference")
    while page.locator(".scoring").count() == 0:
        page.locator(ROLL).or_(page.locator(".scoring")).first.wait_for()
        if page.locator(".scoring").count() == 0:
            player.act(ROLL)
    # Nothing may fade in while axe looks; the rows go on coming.
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_timeout(300)
    yield "scoring"
    page.locator(".scoring .button").click()
    player.play_to_the_end()
    yield "end"
    page.goto(f"{url}/t/nowhere")
    page.wait_for_selector("main.panel")
    yield "no such table"


@pytest.mark.parametrize(("locale", "theme"), LOOKS)
def test_axe_finds_nothing(server: Server, visit: Visit, locale: str, theme: str) -> None:
    page = visit(server.url, locale=locale, color_scheme=theme, viewport={"width": 412, "height": 915})
    found: list[str] = []
    axe = Axe()
    seen = 0
    for screen in screens(page, server.url):
        seen += 1
        for violation in axe.run(page).response["violations"]:
            found += [f"{screen}: {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
    assert seen == 12
    assert found == []
