"""What a hint points at is in sight, and for everyone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.covering import overlap
from tests.browser.hard_cases import for_the_readme
from tests.browser.serving import Server
from tests.page.races import NAMES, Hinting

HINTS = [
    {
        "action": {"type": "leg", "camel": 1},
        "notation": "leg green",
        "wins": 0.284,
        "error": 0.005,
        "score": 8.8,
        "against": "roll",
        "reasons": [
            {
                "key": "coach.camelup.gets.tile",
                "values": {"seats": [0], "camel": "green", "tile": 5, "pounds": 1.9},
                "weight": 0.05,
            }
        ],
    },
    {
        "action": {"type": "roll"},
        "notation": "roll",
        "wins": 0.25,
        "error": 0.005,
        "score": 8.1,
        "against": "leg green",
        "reasons": [{"key": "coach.even", "values": {}}],
    },
]


def test_a_hint_points_at_what_it_means(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, viewport={"width": 390, "height": 844})
    page.route("**/hints", lambda route: route.fulfill(json={"on": 1, "hints": HINTS}))
    Hinting(for_the_readme(), (), NAMES).open(page, server.url)
    page.get_by_role("button", name="Hint").click()
    told = page.locator(".hints")
    expect(told.locator("li")).to_have_count(2)
    assert violations(page, "hints", "en-GB", ".hints") == []
    told.get_by_role("button", name="Leg bet").click()
    pointed, tile = (
        page.locator("[data-spot]").bounding_box(),
        page.locator('[data-action="leg green"]').bounding_box(),
    )
    assert pointed is not None
    assert tile is not None
    assert pointed["x"] < tile["x"] < tile["x"] + tile["width"] < pointed["x"] + pointed["width"]


def test_hints_stand_beside_the_board_where_there_is_room(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, viewport={"width": 1440, "height": 900})
    page.route("**/hints", lambda route: route.fulfill(json={"on": 1, "hints": HINTS}))
    Hinting(for_the_readme(), (), NAMES).open(page, server.url)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hints li")).to_have_count(2)
    for width, height in ((1440, 900), (1280, 800), (844, 390), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert not overlap(page, ".hints", "[data-board]"), f"{width}×{height}"
