"""A hint is told when it is asked for, points at what it means, plays nothing, and stays with the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import structs
from playwright.sync_api import Page, Route, expect

from serai.core.record import Record
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.games import golden_record
from tests.browser.player import OFFERED
from tests.browser.serving import Server
from tests.browser.test_replay import choose

HINTS = [
    {
        "action": {"type": "leg", "camel": 1},
        "notation": "leg green",
        "wins": 0.284,
        "error": 0.005,
        "score": 8.8,
        "reasons": [
            {
                "key": "coach.camelup.leg",
                "values": {"camel": "green", "first": 41, "second": 22, "tile": 5, "value": 1.9},
                "exact": True,
            }
        ],
    },
    {
        "action": {"type": "roll"},
        "notation": "roll",
        "wins": 0.25,
        "error": 0.005,
        "score": 8.1,
        "reasons": [{"key": "coach.camelup.roll", "values": {"value": 1.0}, "exact": True}],
    },
]


def test_a_hint_is_told_when_asked_for_and_plays_nothing(server: Server, visit: Visit) -> None:
    page = visit(server.url, viewport={"width": 390, "height": 844})
    asked = _answered(page)
    page.locator('[data-game="camelup"] .buttons .main').click()
    button = page.get_by_role("button", name="Hint")
    button.click()
    told = page.locator("[data-hints]")
    expect(told.locator("li")).to_have_count(2)
    expect(told).to_contain_text("Leg bet on the green camel")
    expect(told).to_contain_text("The green camel leads the leg with 41%, is second with 22%: its 5 is worth +1.90.")
    expect(told).to_contain_text("28.4% ± 0.5% · 8.8 pounds")
    assert violations(page, "hints", "en-GB", "[data-hints]") == []
    turns = page.locator("[data-turns]").get_attribute("data-turns")
    told.get_by_role("button", name="Leg bet").click()
    pointed, tile = (
        page.locator("[data-pointed]").bounding_box(),
        page.locator('[data-action="leg green"]').bounding_box(),
    )
    assert pointed is not None
    assert tile is not None
    assert pointed["x"] < tile["x"] < tile["x"] + tile["width"] < pointed["x"] + pointed["width"]
    assert page.locator("[data-turns]").get_attribute("data-turns") == turns, "nothing was played"
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    expect(button).to_be_focused()
    button.click()
    expect(told.locator("li")).to_have_count(2)
    page.locator(f'{OFFERED}[data-action="leg green"]').click()
    expect(told).to_have_count(0)
    assert len(asked) == 2


def test_a_result_says_who_played_with_hints(server: Server, visit: Visit, tmp_path: Path) -> None:
    record = Record.read(golden_record())
    helped = structs.replace(record, hints=(3, *(0 for _ in record.seats[1:])))
    page = visit(f"{server.url}/replay")
    choose(page, tmp_path, helped.write())
    page.wait_for_selector("[data-position]")
    page.get_by_role("button", name="To the end").click()
    assert page.locator(".result").inner_text().count("(with hints)") == 1


def _answered(page: Page) -> list[Any]:
    """Who asks gets the answer above, at once; what was asked."""
    asked: list[Any] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(json={"on": asked[-1]["on"], "hints": HINTS})

    page.route("**/hints", answer)
    return asked
