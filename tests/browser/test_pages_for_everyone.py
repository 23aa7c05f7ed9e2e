"""axe finds nothing on the pages around a game: odds, rules, a question answered, the guided games."""

from __future__ import annotations

from tests.browser.around import screens_around
from tests.browser.axe import EVERY_LOCALE, PHONE, violations
from tests.browser.conftest import Visit
from tests.browser.serving import Server


@EVERY_LOCALE
def test_axe_finds_nothing(server: Server, visit: Visit, locale: str) -> None:
    page = visit(server.quiet, locale=locale, forgive="400 (Bad Request)", **PHONE)
    found: list[str] = []
    for screen in screens_around(page, server.url):
        found += violations(page, screen, locale)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["viewport"]["width"]:
            found.append(f"{screen}: {width} px wide")
    assert found == []
