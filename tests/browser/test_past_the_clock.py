"""Whoever watches whether all is of one moment notices when any one thing is wired past the clock, in either game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.planting import plant
from tests.browser.serving import Server
from tests.browser.shown import GAMES
from tests.browser.watching import Crowd, follow, sit_down
from tests.support import SOAK

pytestmark = pytest.mark.skipif(not SOAK, reason="what watches is watched in the long form")

WIDE = {"width": 1280, "height": 800}
VIEWS = {
    "camelup": {"purses": ("money",), "list": ("leg_bets", "pyramid_tiles", "hands")},
    "pharaoh": {"purses": ("points",), "list": ("photos", "supplies", "carried", "museums")},
}
"""By game, the parts of its view that are drawn beside the board."""
SEEN_AS = {
    "board": "board|ribbon|heard",
    "purses": "board",
    "list": "board",
    "turn": "turn|marked|sign",
    "odds": "odds",
    "offers": "offered",
    "over": "over|turn",
    "story": "story",
    "ribbon": "ribbon",
    "sounds": "heard",
}
"""By what is wired past the clock, what is found to be wrong."""
LATE = ("board", "purses", "list", "turn", "odds", "story", "ribbon", "sounds")
"""What can lag behind: a seat that may not act, and an end that does not come, stop the game."""
PLANTS = [
    (game, what, late)
    for late in (False, True)
    for game, shown in GAMES.items()
    for what in (LATE if late else SEEN_AS)
    if what != "odds" or shown.odds
]
AT_ONCE = 200
"""How many samples are looked at together."""
MOST_WAITS = 200


def found(page: Page, crowd: Crowd) -> str:
    """What is found to be wrong first; nothing if the game comes to its end."""
    seen, quiet = 0, 0
    while quiet < MOST_WAITS:
        page.wait_for_timeout(100)
        over, count = page.evaluate("() => [document.querySelector('[data-over]') !== null, samples.length]")
        quiet = quiet + 1 if count == seen else 0
        if over or quiet == MOST_WAITS - 1 or count // AT_ONCE > seen // AT_ONCE:
            try:
                follow(page.evaluate("samples"), crowd.positions, crowd.shown.odds)
            except AssertionError as wrong:
                return str(wrong)
        if over:
            break
        seen = count
    return ""


@pytest.mark.parametrize(("game", "what", "late"), [*PLANTS, *((game, None, False) for game in GAMES)])
def test_what_is_wired_past_the_clock_is_noticed(
    server: Server, visit: Visit, game: str, what: str | None, late: bool
) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=WIDE)
    parts = VIEWS[game].get(what or "", ())
    plant(page, "part" if parts else what, late=late, parts=parts)
    crowd = Crowd(GAMES[game], 2, 16, whole=game == "camelup", since=GAMES[game].full)
    sit_down(page, server.url, crowd, 11)
    wrong = found(page, crowd)
    if what is None:
        assert wrong == ""
    else:
        assert re.search(f"'({SEEN_AS[what]})': ", wrong), wrong
