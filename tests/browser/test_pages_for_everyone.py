"""axe finds nothing on the pages around a game: odds, rules, a question answered, the guided games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from serai.core.registry import games
from tests.browser.conftest import Visit
from tests.browser.serving import Server
from tests.browser.test_for_everyone import LOOKS


def screens(page: Page, url: str) -> Iterator[str]:
    page.goto(f"{url}/g/camelup/odds?position=1gyo+3bw+|+%2B5+-9+|+bgw")
    page.wait_for_selector("[data-chances]", state="attached")
    for summary in page.locator("details summary").all():
        summary.click()
    yield "odds"
    page.locator("#position").fill("1gyo 3bx")
    page.wait_for_selector("[data-column]")
    yield "odds of a mistake"
    page.locator('[data-piece="clear"]').click()
    yield "odds of an empty track"
    for game in games():
        page.goto(f"{url}/g/{game}/rules")
        page.wait_for_selector("figure")
        yield f"rules of {game}"
        page.goto(f"{url}/learn/{game}")
        page.wait_for_selector(".guide .button")
        page.locator(".guide .button").first.click()
        page.wait_for_selector('[data-stage="do"]')
        yield f"first game of {game}"
    page.goto(f"{url}/learn/camelup")
    page.locator("[data-help]").first.click()
    page.wait_for_selector("dialog figure, dialog p")
    yield "a question"
    page.goto(f"{url}/g/camelup/nothing")
    page.wait_for_selector("main a")
    yield "nothing here"


@pytest.mark.parametrize(("locale", "theme"), LOOKS)
def test_axe_finds_nothing(server: Server, visit: Visit, locale: str, theme: str) -> None:
    page = visit(
        server.url,
        locale=locale,
        color_scheme=theme,
        viewport={"width": 412, "height": 915},
        forgive="400 (Bad Request)",
    )
    found: list[str] = []
    axe = Axe()
    for screen in screens(page, server.url):
        for violation in axe.run(page).response["violations"]:
            found += [f"{screen}: {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 412:
            found.append(f"{screen}: {width} px wide")
    assert found == []
