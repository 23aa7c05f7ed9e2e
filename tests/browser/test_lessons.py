"""Both guided games to their end: on a phone by touch, and by letting the page show every move."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.server.lessons import lesson
from tests.browser.conftest import Visit
from tests.browser.serving import Server


def stage(page: Page) -> str:
    return page.locator("[data-stage]").get_attribute("data-stage") or ""


def go_through(page: Page, touch: bool) -> int:
    """How many actions were learnt on the way to the end."""
    learnt = 0
    while stage(page) != "end":
        page.wait_for_selector('[data-stage="intro"], [data-stage="do"], [data-stage="done"], [data-stage="end"]')
        now = stage(page)
        if now == "end":
            break
        if now == "do":
            learnt += 1
        button = page.locator(".guide button").first
        assert not page.locator(".guide").get_by_text("lesson.").count()
        button.tap() if touch else button.click()
        page.wait_for_function("was => document.querySelector('[data-stage]')?.dataset.stage !== was", arg=now)
    return learnt


@pytest.mark.parametrize(("locale", "touch"), [("en-GB", False), ("de-DE", True), ("fr-FR", True)])
@pytest.mark.parametrize("name", [name for name in games() if lesson(find_game(name)) is not None])
def test_a_guided_game_to_its_end(server: Server, visit: Visit, name: str, locale: str, touch: bool) -> None:
    size = {"width": 360, "height": 740} if touch else {"width": 1280, "height": 800}
    page = visit(f"{server.url}/learn/{name}", locale=locale, viewport=size, has_touch=touch)
    assert go_through(page, touch) >= 10
    assert page.locator(".guide").inner_text().strip()
