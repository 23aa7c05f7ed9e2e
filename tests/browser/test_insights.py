"""How to play well: the page fits phones and desks in three languages, axe finds nothing, and its positions open."""

from __future__ import annotations

from tests.browser.axe import EVERY_LOCALE, violations
from tests.browser.conftest import Visit
from tests.browser.serving import Server


@EVERY_LOCALE
def test_it_fits_and_everybody_can_read_it(server: Server, visit: Visit, locale: str) -> None:
    page = visit(server.quiet, viewport={"width": 390, "height": 844}, locale=locale)
    for game in ("camelup", "pharaoh"):
        page.goto(f"{server.url}/g/{game}/insights")
        page.wait_for_selector("main li h2")
        for width in (390, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            cut = page.locator("main li .label, main li .value").evaluate_all(
                "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
            )
            assert cut == []
        assert violations(page, f"insights of {game}", locale) == []
        page.goto(f"{server.url}/train/{game}")
        page.locator("[data-theme-row] .about").first.click()
        page.wait_for_selector(".look")
        assert violations(page, f"theme of {game}", locale) == []


def test_a_position_opens_on_the_board(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/g/camelup/insights", viewport={"width": 390, "height": 844})
    page.locator('main li a[href^="/train/camelup/"]').first.click()
    page.wait_for_selector("main [data-resting=true] [data-action]")
