"""A game without a folder of its own on the page can be played all the same."""

from __future__ import annotations

import random

import pytest

from serai import games
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, Player
from tests.browser.serving import Server


@pytest.mark.parametrize("game", games())
def test_every_game_can_be_started_and_acted_in(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.url, viewport={"width": 1280, "height": 800})
    page.locator(f'[data-game="{game}"] .button.main').click()
    player = Player(page, random.Random(1))
    for _ in range(4):
        page.wait_for_selector(OFFERED)
        player.act(OFFERED)
