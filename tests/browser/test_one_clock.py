"""What is shown is one moment: games to their end at calm pace, nothing on the page ahead of the board or behind it."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
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
