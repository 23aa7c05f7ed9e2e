"""What is shown is one moment: games to their end at calm pace, nothing on the page ahead of the board or behind it."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.player import ROLL
from tests.browser.serving import Server
from tests.browser.shown import GAMES
from tests.browser.watching import Crowd, check, watched
from tests.support import SOAK

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
CASES = [("camelup", 2, WIDE), ("pharaoh", 2, PHONE)]
if SOAK:
    CASES += [("camelup", players, size) for players in (2, 4, 8) for size in (WIDE, PHONE)]
    CASES += [("pharaoh", players, size) for players in (2, 4) for size in (WIDE, PHONE)]


@pytest.mark.parametrize(("game", "players", "size"), CASES)
def test_everything_on_the_page_is_of_one_moment(
    server: Server, visit: Visit, game: str, players: int, size: dict[str, int]
) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=size)
    crowd = Crowd(GAMES[game], players, 16, whole=SOAK, since=GAMES[game].full)
    counts = check(watched(page, server.url, crowd, 11), crowd.positions, GAMES[game])
    assert min(counts.values()) > 10


def test_whoever_will_not_wait_catches_up_and_a_tap_begun_before_never_acts(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=WIDE)
    crowd = Crowd(GAMES["camelup"], 3, 7)
    crowd.open(page, server.url)
    pyramid, busy = page.locator("[data-action=roll]"), page.locator("[data-resting=false]")
    for catch_up in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator("[data-board]").click(position={"x": 5, "y": 5}),
        lambda: page.get_by_role("button", name="Catch up").click(),
        lambda: pyramid.click(force=True),
    ):
        page.locator(ROLL).click()
        busy.wait_for(state="attached")
        said = len(crowd.positions)
        catch_up()
        page.locator(ROLL).wait_for()
        assert len(crowd.positions) == said, "what caught up did nothing else"
    # The finger goes down while something is being shown, and up when that is over.
    page.locator(ROLL).click()
    busy.wait_for(state="attached")
    said = len(crowd.positions)
    pyramid.hover()
    page.mouse.down()
    page.keyboard.press("Escape")
    page.locator(ROLL).wait_for()
    page.mouse.up()
    page.wait_for_timeout(100)
    assert len(crowd.positions) == said
