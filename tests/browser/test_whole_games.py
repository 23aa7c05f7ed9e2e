from __future__ import annotations

import random

from tests.browser.conftest import Visit
from tests.browser.player import Player
from tests.browser.serving import Server


def test_a_person_plays_a_whole_game_against_bots(server: Server, visit: Visit) -> None:
    page = visit(server.url, viewport={"width": 1280, "height": 800})
    page.get_by_role("button", name="Play now").first.click()
    turns = Player(page, random.Random(1)).play_to_the_end()
    assert turns > 3
    assert page.locator("[data-over] li").count() == 4
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert "\nresult " in download.value.path().read_text()
