"""Great moments: a scoring pays what the rules pay, the end shows the same, what comes next is in sight."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, hold
from tests.browser.hard_cases import eight_before_the_end_of_a_leg, eight_before_the_finish
from tests.browser.pharaoh_cases import last_ring
from tests.browser.player import ROLL
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server

FINISH = "die green 3"
ALL_SHOWN = ".scoring .button.main"
"""Goes on from a scoring that has been shown to its end; after a while it goes on by itself."""
SMALLEST = {"width": 360, "height": 640}
SIZES = [SMALLEST, {"width": 390, "height": 844}, {"width": 844, "height": 390}, {"width": 1280, "height": 800}]
OUTSIDE = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.outerHTML.slice(0, 90))"""


class AgainstBots(ScriptedTable):
    """Eight seats, seven of them taken by bots of a middling level."""

    def _table(self) -> dict[str, Any]:
        table = super()._table()
        bots = [{**seat, "kind": "bot", "bot": self.game.levels[1]} for seat in table["seats"][1:]]
        return {**table, "seats": [table["seats"][0], *bots]}


def test_showing_all_and_the_end_tell_the_same_and_what_comes_next_is_in_sight(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=SMALLEST, pace="calm", faster=1)
    table = AgainstBots(eight_before_the_finish(), (FINISH,))
    courses = [(1,) * 8, (2,) * 8]
    table.frames = [
        {"type": "frame", "n": at, "on": at, "by": 0, "events": [], "scores": scores, "patch": {}}
        for at, scores in enumerate(courses)
    ]
    table.open(page, server.url)
    page.locator(ROLL).click()
    show_all, go_on = (page.locator(".scoring").get_by_role("button", name=name) for name in ("Show all", "Continue"))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    show_all.click()
    go_on.press("Enter")
    page.locator(".scoring .decks").wait_for()
    expect(show_all).to_be_focused()
    hold(page, ALL_SHOWN)
    show_all.click()
    go_on.wait_for()
    tills = page.locator("[data-till]").evaluate_all("all => all.map((one) => parseInt(one.textContent))")
    assert tills == sorted(table.state.scores(), reverse=True)
    # rows move to their places first
    page.wait_for_function(
        f"selector => ({OUTSIDE})(selector).length === 0", arg=".scoring, .scoring li, .scoring .button"
    )
    go_on.click()
    page.locator("[data-step]").first.wait_for()
    assert scores(page) == tills
    lead = tills[0] - table.state.scores()[0]
    expect(page.locator(".ending")).to_contain_text(f"You came second, {lead} pounds short.")
    in_sight(page)
    moment = page.get_by_role("slider")
    for at, scores_then in enumerate(courses):
        moment.fill(str(at))
        assert page.locator(".ending [data-value]").all_inner_texts() == [str(score) for score in scores_then]
    page.get_by_role("button", name="Look at the board").click()
    expect(page.locator(".ending")).to_have_count(0)
    page.get_by_role("button", name="The result").click()
    in_sight(page)


def test_the_end_of_a_leg_fits_a_small_phone_with_eight_players(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=SMALLEST, pace="calm", faster=4, locale="de-DE")
    table = ScriptedTable(eight_before_the_end_of_a_leg(), (FINISH,))
    table.open(page, server.url)
    hold(page, ALL_SHOWN)
    page.locator(ROLL).click()
    page.locator(".scoring .button").click()
    page.locator(".scoring .button.main").wait_for()
    assert page.evaluate(OUTSIDE, ".scoring, .scoring li, .scoring .button, .podium") == []
    assert page.locator(".scoring .body").evaluate("one => one.scrollHeight <= one.clientHeight"), "nothing scrolls"
    tills = page.locator("[data-till]").evaluate_all("all => all.map((one) => parseInt(one.textContent))")
    assert tuple(tills) == table.state.money
    page.locator(".scoring .button").click()
    expect(page.locator(".scoring")).to_have_count(0)
    expect(page.locator("[data-resting=true]")).to_have_count(1)


@pytest.mark.parametrize("moving", ["reduce", "no-preference"])
def test_the_pyramid_ends_with_a_line_for_everybody(server: Server, visit: Visit, moving: str) -> None:
    page = visit(server.quiet, reduced_motion=moving, viewport=SMALLEST, pace="calm")
    page.clock.install(time=0)
    table = ScriptedTable(last_ring())
    table.open(page, server.url)
    page.locator(".falls").first.wait_for()
    page.locator('[data-action="end"]').click()
    page.locator("[data-answer]").click()
    scoring = page.locator(".scoring")
    for _ in range(60):
        if scoring.count():
            break
        page.clock.run_for(500)
    scoring.locator("li").nth(3).wait_for()
    if moving == "reduce":
        assert page.evaluate("document.getAnimations().length") == 0
    page.clock.pause_at(200)
    show_all = scoring.get_by_role("button", name="Show all")
    if show_all.count():
        show_all.click()
    assert page.evaluate(OUTSIDE, ".scoring, .scoring li, .scoring .button") == []
    totals = scoring.locator("[data-till]").all_inner_texts()
    assert [int(total.replace("−", "-")) for total in totals] == list(table.state.scores())
    scoring.get_by_role("button", name="Continue").click()
    page.clock.resume()
    page.locator("[data-next]").wait_for()
    assert scores(page) == sorted(table.state.scores(), reverse=True)
    first, second = sorted(table.state.scores(), reverse=True)[:2]
    expect(page.locator(".ending")).to_contain_text(f"You won by {first - second} points.")
    in_sight(page)


def scores(page: Page) -> list[int]:
    """The standing at the end, best first."""
    found = page.locator("[data-over] ol .score").all_inner_texts()
    wanted = [int(score.replace("−", "-")) for score in found]
    assert all(a >= b for a, b in pairwise(wanted))
    return wanted


def in_sight(page: Page) -> None:
    """The result and what comes next can be seen without scrolling, whatever the size."""
    for size in SIZES:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect(page.locator("[data-next] .button").first).to_be_in_viewport(ratio=1)
        assert page.evaluate(OUTSIDE, ".ending, .ending h2, [data-next] .button") == [], size
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
    page.set_viewport_size(SMALLEST)  # type: ignore[arg-type]
