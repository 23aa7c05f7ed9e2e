"""The layout never jumps: what the browser counts as shifts stays below what anybody notices, in whole games."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.hard_cases import for_the_readme
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.browser.shifting import Window, played, worst
from tests.browser.shown import GAMES
from tests.browser.test_one_clock import PHONE, WIDE
from tests.browser.test_small_screens import SIZES
from tests.browser.watching import Crowd
from tests.support import SOAK

MOST = 0.02
LOW = {"width": 960, "height": 600}
CASES = [("camelup", 2, PHONE, False), ("pharaoh", 2, LOW, False)]
"""In the short form from where the end is near, on screens that are soon drawn: a whole game takes long."""
if SOAK:
    CASES = [(game, players, size, False) for game in GAMES for players in (2, 4) for size in (PHONE, WIDE)]
    CASES += [(game, 4, PHONE, True) for game in GAMES]


@pytest.mark.parametrize(("game", "players", "size", "scrolled"), CASES)
def test_nothing_jumps_in_a_game(
    server: Server, visit: Visit, game: str, players: int, size: dict[str, int], scrolled: bool
) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=size)
    crowd = Crowd(GAMES[game], players, 7, whole=SOAK)
    found = worst(played(page, server.url, crowd, 11, scrolled=scrolled))
    assert found.value <= MOST, "\n".join(found.moved)
    assert page.locator("[data-told]:visible, .bets table:visible").count() == 0, "of what is over there are no odds"


def test_shifts_that_follow_each_other_are_counted_together() -> None:
    def shift(at: float, value: float) -> dict[str, object]:
        return {"at": at, "value": value, "moved": []}

    assert worst([]) == Window(0, 0)
    assert worst([shift(at, 0.01) for at in (2000, 2900, 3800)]).value == pytest.approx(0.03)
    assert worst([shift(at, 0.01) for at in (2000, 3100, 4200)]).value == pytest.approx(0.01)
    assert worst([shift(at * 900, 0.01) for at in range(20)]).value == pytest.approx(0.06)


def test_preferences_lie_over_a_table_and_move_nothing(server: Server, visit: Visit) -> None:
    page = visit(server.quiet)
    ScriptedTable(for_the_readme()).open(page, server.url)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        before = page.locator("[data-board]").bounding_box()
        page.locator("header [popovertarget=preferences]").click()
        panel = page.locator("#preferences")
        panel.wait_for()
        assert page.locator("[data-board]").bounding_box() == before
        box = panel.bounding_box()
        assert box is not None
        assert box["x"] >= 0 <= box["y"]
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        page.mouse.click(2, 2)  # beside it
        panel.wait_for(state="hidden")
