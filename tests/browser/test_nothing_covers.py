"""Nothing ever covers a choice: whatever can be pressed is what lies on top at its own middle, in every state."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit, hold
from tests.browser.covering import SCREENS, covered, overlap
from tests.browser.games import drop, golden_record
from tests.browser.hard_cases import (
    before_the_last_die,
    crowded,
    eight_before_the_end_of_a_leg,
    eight_before_the_finish,
    for_the_readme,
)
from tests.browser.player import ROLL
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.browser.sheets import NAMES
from tests.browser.test_lessons import steps
from tests.browser.test_staging import ALL_SHOWN, AgainstBots

DIE = "die green 3"
SPACES = (2, 7, 9, 14, 16)
"""Where the desert tile may be laid: on each side of the track and in its corners."""


def on_every_screen(page: Page, state: str, *, scrolling: bool = True) -> None:
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        assert covered(page, scrolling=scrolling) == [], f"{state} at {width}×{height}"


def test_in_a_turn(server: Server, visit: Visit) -> None:
    page = visit(server.quiet)
    ScriptedTable(for_the_readme(), names=NAMES).open(page, server.url)
    # Something has just been told when one is to act again.
    page.locator('[data-action="leg white"]').click()
    page.locator("[data-undo]").click()
    page.locator("[data-told-of]").wait_for()
    page.locator(ROLL).wait_for()
    on_every_screen(page, "one's turn")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for other in (".ribbon", "[data-order]", ".help"):
            assert not overlap(page, ".pyramid .label", f"[data-board] {other}"), f"{other} at {width}×{height}"
    page.locator('[data-action="tile"]').last.click()
    page.locator("[data-choice]").wait_for()
    on_every_screen(page, "the tile in hand")
    for space in SPACES:
        page.locator(f'[data-action="desert {space}"]').click()
        page.locator(f"[data-choice='{space}'] [data-answer=lay]").wait_for()
        on_every_screen(page, f"the tile on {space}")
    page.keyboard.press("Escape")
    page.locator('[data-action="card blue"]').click()
    page.locator("[data-answer]").first.wait_for()
    on_every_screen(page, "a card in hand")


def test_in_a_crowd(server: Server, visit: Visit) -> None:
    page = visit(server.quiet)
    ScriptedTable(crowded(), names=NAMES).open(page, server.url)
    on_every_screen(page, "eight players")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("button[data-purse]").nth(1).click()
    page.locator("[data-holdings]").wait_for()
    on_every_screen(page, "what another holds")


@pytest.mark.parametrize("players", [4, 8])
def test_at_the_end(server: Server, visit: Visit, players: int) -> None:
    page = visit(server.quiet)
    table = AgainstBots(before_the_last_die() if players == 4 else eight_before_the_finish(), (DIE,))
    courses = [(at,) * players for at in range(5)]
    table.frames = [
        {"type": "frame", "n": at, "on": at, "by": 0, "events": [], "scores": scores, "patch": {}}
        for at, scores in enumerate(courses)
    ]
    table.open(page, server.url)
    page.locator(ROLL).click()
    page.locator("[data-next] [data-step]").first.wait_for()
    page.get_by_role("slider").wait_for()
    on_every_screen(page, "the end")
    # What can be done next is not looked for.
    assert page.locator("[data-over] .button").filter(has_text="Review").count() == 1
    on_every_screen(page, "the end, at first sight", scrolling=False)


def test_at_the_end_of_a_leg(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", pace="calm", faster=4)
    ScriptedTable(eight_before_the_end_of_a_leg(), (DIE,)).open(page, server.url)
    hold(page, ALL_SHOWN)
    page.locator(ROLL).click()
    page.locator(".scoring .button").click()
    page.locator(".scoring .button.main").wait_for()
    on_every_screen(page, "the end of a leg", scrolling=False)


def test_in_a_replay(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/replay")
    page.get_by_text("Watch a saved game").wait_for()
    drop(page, "game.serai", golden_record())
    page.wait_for_selector("[data-position]")
    on_every_screen(page, "a replay")


def test_in_a_guided_game(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/learn/camelup", has_touch=True, faster=20)
    seen = []
    for step in steps(page):
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            assert not overlap(page, ".guide", "[data-board]"), f"step {step} at {width}×{height}"
        on_every_screen(page, f"step {step}")
        if step == 1:
            its_buttons_stay_in_sight(page)
        seen.append(step)
        page.locator(".guide .button").tap()
    assert len(seen) > 8


def its_buttons_stay_in_sight(page: Page) -> None:
    """However much the guide has to say."""
    words = page.locator(".guide .words p").last
    said = words.inner_text()
    words.evaluate("(words) => { words.firstChild.data = words.firstChild.data.repeat(12) }")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert covered(page, scrolling=False, within=".guide") == [], f"the guide's buttons at {width}×{height}"
    words.evaluate("(words, said) => { words.firstChild.data = said }", said)
