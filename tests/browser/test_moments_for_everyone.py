"""Whatever comes and goes at a table is for everyone, too: sheets, talk, a recap, and what is just being shown."""

from __future__ import annotations

import pytest

from tests.browser.axe import EVERY_LOCALE, PHONE, violations
from tests.browser.conftest import Visit, hold
from tests.browser.pharaoh_player import SOMETHING
from tests.browser.player import ROLL
from tests.browser.serving import Server
from tests.browser.sheets import sheets
from tests.browser.shown import GAMES
from tests.browser.touching import PHONE as NARROW
from tests.browser.touching import too_small
from tests.browser.watching import Crowd
from tests.support import amount

HOLD = """() => document.getAnimations().forEach((one) => {
  one.pause();
  one.currentTime = one.effect.getComputedTiming().duration * 0.15;
})"""

GO_ON = """() => new Promise((done) => {
  const told = () => document.querySelector("[data-told-of]")?.dataset.toldOf;
  const [before, holding] = [told(), held];
  held = "";
  const look = () => {
    if (told() === before && document.querySelector(holding)) return requestAnimationFrame(look);
    held = holding;
    done();
  };
  look();
})"""
"""Shows on until something else is told, or all has been shown, and holds it there."""


@EVERY_LOCALE
def test_what_lies_over_a_table_is_for_everyone(server: Server, visit: Visit, locale: str) -> None:
    page = visit(server.quiet, locale=locale, color_scheme="light", **NARROW)
    found: list[str] = []
    seen = []
    for screen, within in sheets(page, server.url):
        seen.append(screen)
        if screen == "opponents":
            continue  # looked at from the home page
        found += violations(page, screen, locale, within)
        found += [f"{screen}: too small: {thing}" for thing in too_small(page, within)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{screen}: too wide")
    assert found == []
    assert len(seen) == 13


@EVERY_LOCALE
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_while_something_is_being_shown(server: Server, visit: Visit, game: str, locale: str) -> None:
    page = visit(server.quiet, locale=locale, reduced_motion="no-preference", pace="calm", faster=1, **PHONE)
    Crowd(GAMES[game], 3, 7, whole=False).open(page, server.url)
    page.wait_for_selector(ROLL if game == "camelup" else SOMETHING)
    found: list[str] = []
    hold(page, "[data-resting=false]")
    page.locator(ROLL if game == "camelup" else '[data-action="end"]').click()
    asked = page.locator("[data-answer]")
    shown = page.locator("[data-resting=false]")
    asked.or_(shown).first.wait_for(state="attached")
    if asked.count():
        asked.first.click()
    looks = 0
    shown.wait_for(state="attached")
    while shown.count() and looks < amount(4, 12):
        # Whatever comes in stands still shortly after it began: that is when it is hardest to read.
        page.evaluate(HOLD)
        found += violations(page, f"{game} {looks}", locale)
        looks += 1
        page.evaluate(GO_ON)
    assert looks > 1
    assert found == []
