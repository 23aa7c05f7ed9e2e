"""The pyramid explains itself: on the board that is in sight, and when looked back upon; nothing by the book."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from serai.core.record import Record, replay
from serai.pharaoh.rules.events import AnyEvent, MaskFound
from serai.pharaoh.rules.pieces import CELL_NAMES
from tests.browser.conftest import Visit
from tests.browser.games import GOLDEN, drop
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.page.pyramids import WINDING
from tests.pharaoh.positions import at

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_tapped_line_of_the_story_brings_the_board_into_sight(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **{**PHONE, "viewport": {"width": 360, "height": 640}})
    ScriptedTable(at(WINDING), names=("Ann", "Ben")).open(page, server.url)
    page.locator('[data-action="walk b2"]').tap()
    line = page.locator("ol li", has_text="b2").last
    line.scroll_into_view_if_needed()
    expect(page.locator("[data-board]")).not_to_be_in_viewport(ratio=0.9)
    line.tap()
    expect(page.locator(f'[data-spot="{CELL_NAMES.index("b2")}"]')).to_be_in_viewport()
    expect(page.locator('[data-figure="0 archaeologist"].lit')).to_be_in_viewport()
    expect(page.locator("[data-board]")).to_be_in_viewport(ratio=0.9)


def test_a_game_looked_back_upon_explains_itself_too(server: Server, visit: Visit) -> None:
    text = (GOLDEN / "pharaoh" / "mask-brought-to-safety.serai").read_text()
    page = visit(f"{server.url}/replay", **PHONE)
    page.get_by_text("Watch a saved game").wait_for()
    drop(page, "game.serai", text)
    page.wait_for_selector("[data-position]")
    page.locator("input[type=range]").fill(str(moment_of(text, MaskFound) + 1))
    expect(page.locator(".falls")).not_to_have_count(0)
    page.locator('li:has([data-purse="0"])').tap()
    expect(page.locator("[data-home]")).not_to_have_count(0)
    expect(page.locator("[data-bubble]")).to_contain_text("moves home")
    # Further back nothing falls yet.
    page.locator("input[type=range]").fill("1")
    expect(page.locator(".falls")).to_have_count(0)


def moment_of(text: str, kind: type[AnyEvent]) -> int:
    """How many actions of players come before the one that leads to the first event of a kind."""
    acted = 0
    for ply in replay(Record.read(text)):
        acted += not ply.drawn
        if any(isinstance(event, kind) for event in ply.events):
            return acted - 1
    raise AssertionError(f"the record has no {kind.__name__}")
