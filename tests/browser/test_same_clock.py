"""The one clock elsewhere: in a replay, in a lesson, and where nothing moves; and how fast it goes is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

import serai
from serai.core.record import Record
from serai.server.http.api import learner, lesson
from tests.browser import games
from tests.browser.conftest import Visit
from tests.browser.scripted import FIRST
from tests.browser.serving import Server
from tests.browser.shown import GAMES
from tests.browser.watching import LESSON, REPLAY, Crowd, Position, follow, look_on, recorded, sit_down
from tests.support import SOAK

WIDE = {"width": 1280, "height": 800}
LAST = 8
"""How many positions of a replay are watched in the short form."""
ROUNDS = 2
"""How many rounds are watched in the short form where nothing moves."""


@pytest.mark.parametrize("game", GAMES if SOAK else ["camelup"])
def test_a_replay_is_of_one_moment(server: Server, visit: Visit, game: str) -> None:
    text = min((games.GOLDEN / game).glob("*.serai")).read_text()
    positions = recorded(Record.read(text), GAMES[game], None)
    page = visit(server.quiet, reduced_motion="no-preference", viewport=WIDE)
    look_on(page, GAMES[game])
    page.goto(f"{server.url}/replay")
    page.locator("input[type=file]").wait_for(state="attached")
    games.drop(page, "game.serai", text)
    start = 0 if SOAK else len(positions) - 1 - LAST
    page.locator("input[type=range]").fill(str(start))
    page.evaluate("() => samples.splice(0)")
    page.set_default_timeout(300_000)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector(f'[data-position="{len(positions) - 1}"][data-resting=true]')
    assert follow(page.evaluate("samples"), positions, False, REPLAY, start) == len(positions) - 1


def test_a_lesson_is_of_one_moment(server: Server, visit: Visit) -> None:
    positions = recorded(Record.read(games.LESSON), GAMES["camelup"], FIRST)
    page = visit(server.quiet, reduced_motion="no-preference", viewport=WIDE)
    look_on(page, GAMES["camelup"])
    games.teach(page, server.url)
    learn(page, positions)


@pytest.mark.skipif(not SOAK, reason="a whole lesson takes long")
@pytest.mark.parametrize("game", GAMES)
def test_every_lesson_is_of_one_moment(server: Server, visit: Visit, game: str) -> None:
    prepared = lesson(serai.game(game))
    assert prepared is not None
    assert learner(prepared) == FIRST
    page = visit(server.quiet, reduced_motion="no-preference", viewport=WIDE)
    look_on(page, GAMES[game])
    page.goto(f"{server.url}/learn/{game}")
    learn(page, recorded(prepared, GAMES[game], FIRST))


def learn(page: Page, positions: list[Position]) -> None:
    """Go through a lesson, and see that all was of one moment."""
    page.set_default_timeout(60_000)
    while page.locator("[data-stage=end]").count() == 0:
        go_on(page)
    page.wait_for_selector("[data-over]", state="attached")
    assert follow(page.evaluate("samples"), positions, False, LESSON) == len(positions) - 1


def go_on(page: Page) -> None:
    """Read what there is to read, or be shown what there is to do."""
    stages = page.locator("[data-stage=intro], [data-stage=do], [data-stage=done], [data-stage=end]")
    stage, step = stages.get_attribute("data-stage"), stages.get_attribute("data-step")
    if stage == "end":
        return
    page.locator(".guide .button").first.click()
    page.locator(f"[data-stage={stage}][data-step='{step}']").wait_for(state="detached")


@pytest.mark.parametrize("game", GAMES)
def test_where_nothing_moves_all_is_told_moment_by_moment(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.quiet, pace="calm", viewport=WIDE)
    crowd = Crowd(GAMES[game], 4, 7, whole=SOAK)
    sit_down(page, server.url, crowd, 11)
    wanted = "[data-over]" if SOAK else f"section > ol[tabindex] > li:nth-child({ROUNDS * 4})"
    page.wait_for_selector(wanted, state="attached")
    samples = page.evaluate("samples")
    last = follow(samples, crowd.positions, GAMES[game].odds)
    assert last >= ROUNDS * 4
    assert {sample["ribbon"][0] for sample in samples} >= {position.n for position in crowd.positions[1:last]}
