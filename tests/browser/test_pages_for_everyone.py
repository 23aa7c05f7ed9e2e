"""axe finds nothing on the pages around a game: odds, rules, a question answered, the guided games."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.around import screens_around
from tests.browser.conftest import Visit
from tests.browser.serving import Server
from tests.browser.test_for_everyone import LOOKS


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
    for screen in screens_around(page, server.url):
        for violation in axe.run(page).response["violations"]:
            found += [f"{screen}: {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 412:
            found.append(f"{screen}: {width} px wide")
    assert found == []
