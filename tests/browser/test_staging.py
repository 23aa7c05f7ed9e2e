"""Great moments: a scoring pays what the rules pay, the end shows the same, what comes next is in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

import serai
from serai.camelup.events import CardScored, LegScored
from tests.browser.conftest import Visit
from tests.browser.hard_cases import eight_before_the_end_of_a_leg, eight_before_the_finish
from tests.browser.pharaoh_cases import last_ring
from tests.browser.player import ROLL
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server

FINISH = "die green 3"
SMALLEST = {"width": 360, "height": 640}
SIZES = [SMALLEST, {"width": 390, "height": 844}, {"width": 844, "height": 390}, {"width": 1280, "height": 800}]
QUICKLY = """(() => {
    const later = window.setTimeout;
    window.setTimeout = (then, ms = 0, ...given) => later(then, ms > 5000 ? ms : ms / 30, ...given);
    window.seen = [];
    const look = () => {
        const rows = [...document.querySelectorAll(".scoring [data-row]")];
        if (rows.length === 0) return;
        const tills = rows.map((one) => [one.dataset.row, parseInt(one.querySelector("[data-till]").textContent)]);
        seen.push({
            race: document.querySelector(".scoring .decks") !== null,
            chips: document.querySelectorAll(".scoring .chip").length,
            money: tills.sort().map(([, money]) => money),
        });
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
})()"""
OUTSIDE = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.outerHTML.slice(0, 90))"""


class AgainstBots(ScriptedTable):
    """Eight seats, seven of them taken by bots of a middling level."""

    def _table(self) -> dict[str, Any]:
        table = super()._table()
        bots = [{**seat, "kind": "bot", "bot": self._game.levels[1]} for seat in table["seats"][1:]]
        return {**table, "seats": [table["seats"][0], *bots]}


def paid(state: Any, kind: type, *draws: str) -> list[tuple[int, ...]]:
    """Everybody's money before a roll, and after each event of this kind that follows it."""
    money = list(state.money)
    found = [tuple(money)]
    for action in ("roll", *draws):
        state, events = state.step(serai.game("camelup").parse(action))
        for event in events:
            if isinstance(event, LegScored | CardScored):
                money[event.seat] = event.money
                if isinstance(event, kind):
                    found.append(tuple(money))
                else:
                    found = [tuple(money)]
    return found


def without_repeats(values: Sequence[Any]) -> list[Any]:
    return [value for value, _ in groupby(values)]


def test_the_running_table_is_what_the_rules_pay_after_every_card(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=SMALLEST, pace="calm")
    page.set_default_timeout(60_000)  # everything is shown, to the last card
    page.add_init_script(QUICKLY)
    state = eight_before_the_finish()
    table = ScriptedTable(state, (FINISH,))
    table.open(page, server.url)
    page.locator(ROLL).click()
    page.wait_for_selector("[data-over]")
    seen = page.evaluate("seen")
    cards = len(state.winner_deck) + len(state.loser_deck)
    running = paid(state, CardScored, FINISH)
    assert len(running) == cards + 1 > 20
    race = [(tuple(one["money"]), one["chips"]) for one in seen if one["race"]]
    assert without_repeats([money for money, _ in race]) == without_repeats(running)
    # Money that a card brought is never there before the card.
    for money, chips in race:
        assert money in running[max(0, chips - 1) : chips + 1]
    assert without_repeats([chips for _, chips in race]) == list(range(cards + 1))
    assert scores(page) == sorted(table.state.scores(), reverse=True)


def test_showing_all_and_the_end_tell_the_same_and_what_comes_next_is_in_sight(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=SMALLEST, pace="calm")
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
    show_all.click()
    go_on.wait_for()
    tills = page.locator("[data-till]").evaluate_all("all => all.map((one) => parseInt(one.textContent))")
    assert tills == sorted(table.state.scores(), reverse=True)
    assert page.evaluate(OUTSIDE, ".scoring, .scoring li, .scoring .button") == []
    go_on.click()
    page.locator("[data-step]").first.wait_for()
    assert scores(page) == tills
    lead = tills[0] - table.state.scores()[0]
    expect(page.locator(".ending")).to_contain_text(f"You came second, {lead} pounds short.")
    in_sight(page)
    moment = page.get_by_role("slider")
    for at, scores_then in enumerate(courses):
        moment.fill(str(at))
        assert page.locator("[data-course]").all_inner_texts() == [str(score) for score in scores_then]
    page.get_by_role("button", name="Look at the board").click()
    expect(page.locator(".ending")).to_have_count(0)
    page.get_by_role("button", name="The result").click()
    in_sight(page)


def test_the_end_of_a_leg_fits_a_small_phone_with_eight_players(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", viewport=SMALLEST, pace="calm", locale="de-DE")
    table = ScriptedTable(eight_before_the_end_of_a_leg(), (FINISH,))
    table.open(page, server.url)
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


def loading(page: Page) -> Callable[[], None]:
    """Listen to what the page asks for; the answer waits until it has come."""
    asked: set[Request] = set()
    page.on("request", lambda one: asked.add(one))
    page.on("requestfinished", lambda one: asked.discard(one))
    page.on("requestfailed", lambda one: asked.discard(one))

    def wait() -> None:
        for _ in range(2):
            page.wait_for_timeout(30)
            while asked:
                page.wait_for_timeout(30)

    return wait


def test_where_nothing_moves_everything_is_told(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, viewport=SMALLEST, pace="calm")
    everything_is_loaded = loading(page)
    page.clock.install(time=0)
    state = eight_before_the_finish()
    ScriptedTable(state, (FINISH,)).open(page, server.url)
    page.clock.pause_at(10)
    page.locator(ROLL).click()
    seen = []
    for _ in range(40):
        page.clock.run_for(600)
        everything_is_loaded()
        seen.append(
            page.evaluate("""() => ({
                moving: document.getAnimations().length,
                die: document.querySelectorAll("[data-rolled] svg").length,
                finish: document.querySelector("[data-finish]")?.dataset.finish ?? null,
                sums: [...document.querySelectorAll(".scoring .sum")].filter((one) => one.textContent !== "").length,
                cards: document.querySelectorAll(".scoring:has(.decks) .chip").length,
                over: document.querySelector("[data-over]") !== null,
            })""")
        )
        if seen[-1]["over"]:
            break
    assert {one["moving"] for one in seen} == {0}
    winners, losers = len(state.winner_deck), len(state.loser_deck)
    assert without_repeats([(one["die"], one["finish"], one["sums"], one["cards"]) for one in seen]) == [
        (1, None, 0, 0),
        (0, "crossed", 0, 0),
        (0, "crossed", 8, 0),
        (0, "crossed", 0, winners),
        (0, "crossed", 0, winners + losers),
        (0, None, 0, 0),
    ]
    story = page.locator("section > ol[tabindex] > li").last
    expect(story.locator(".line")).to_have_count(told(state))
    page.clock.resume()


def told(state: Any) -> int:
    """How many sentences the roll that ends the game takes: all but what others of them say."""
    state, events = state.step(serai.game("camelup").parse("roll"))
    _, more = state.step(serai.game("camelup").parse(FINISH))
    kinds = [type(event).__name__ for event in (*events, *more)]
    silent = ("UnitLifted", "UnitHopped", "FinishCrossed", "GameEnded")
    idle = sum(isinstance(event, LegScored) and not event.tiles and not event.pyramid_tiles for event in more)
    return len([kind for kind in kinds if kind not in silent]) - idle


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
