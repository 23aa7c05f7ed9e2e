"""A game that has no folder of its own on the page can be played all the same."""

from __future__ import annotations

import random

from playwright.sync_api import WebSocketRoute

from serai import games
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, Player
from tests.browser.serving import Server


def test_a_game_the_page_does_not_know(server: Server, visit: Visit) -> None:
    for game in games():
        page = visit(server.url, viewport={"width": 1280, "height": 800})

        def as_a_stranger(route: WebSocketRoute, name: str = game) -> None:
            behind = route.connect_to_server()
            behind.on_message(lambda text: route.send(str(text).replace(f'"game":"{name}"', '"game":"stranger"')))

        page.route_web_socket("**/socket**", as_a_stranger)
        page.locator(f'[data-game="{game}"] .button.main').click()
        page.get_by_role("heading", name="stranger").wait_for()
        player = Player(page, random.Random(1))
        for _ in range(3):
            page.wait_for_selector(OFFERED)
            player.act(OFFERED)
