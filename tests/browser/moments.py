"""What lasts only for a moment, for ``make screenshots``: things held, what moves, great moments, people together."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, ViewportSize, WebSocketRoute

from serai.camelup.rules.rules import CamelUpState
from tests.browser.around import reachable
from tests.browser.hard_cases import (
    before_the_last_die,
    crowded,
    eight_before_the_end_of_a_leg,
    eight_before_the_finish,
    for_the_readme,
)
from tests.browser.pharaoh_cases import half_fallen
from tests.browser.pictures import dressed
from tests.browser.player import OFFERED, ROLL
from tests.browser.scripted import ScriptedTable

NAMES = ("Ann", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hal")
GOING_ON = "[data-resting=false]"
HIDE = """hidden => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

Moments = Callable[[Page, str], Iterator[str]]
"""Brings a page from one moment to the next, and says the name of each."""


class Deserted(ScriptedTable):
    """A table at which the one to act is away."""

    def welcome(self, socket: WebSocketRoute) -> None:
        super().welcome(socket)
        presence = {"type": "presence", "away": [{"seat": self.state.actor, "grace": 0}], "watching": 1}
        socket.send(msgspec.json.encode(presence).decode())


def opened(page: Page, url: str, state: CamelUpState, *draws: str) -> None:
    ScriptedTable(state, draws, NAMES).open(page, url)
    page.wait_for_selector(OFFERED)


def series(page: Page, name: str, step: int, most: int) -> Iterator[str]:
    """One picture after the other while something is being shown."""
    page.locator(GOING_ON).or_(page.locator(".scoring")).first.wait_for(state="attached")
    for number in range(most):
        if page.locator(GOING_ON).count() == 0 or page.locator(".scoring").count():
            return
        yield f"{name}-{number}"
        page.wait_for_timeout(step)


def desert_tile(page: Page, url: str) -> Iterator[str]:
    opened(page, url, for_the_readme())
    page.locator(f'{OFFERED}[data-action="tile"]').last.click()
    page.wait_for_selector("[data-choice]")
    yield "tile-held"
    page.locator('[data-action="desert 14"]').click()
    page.wait_for_selector("[data-answer=lay]")
    yield "tile-on-trial"
    page.locator('[data-side="mirage"]').click()
    yield "tile-turned"
    page.locator("[data-answer=lay]").click()
    yield from series(page, "tile-laid", 300, 3)


def bets(page: Page, url: str) -> Iterator[str]:
    opened(page, url, for_the_readme())
    page.locator(f'{OFFERED}[data-action="card yellow"]').click()
    page.wait_for_selector("[data-answer]")
    yield "card-lifted"
    page.keyboard.press("Escape")
    page.locator('[data-action="leg orange"]').click()
    yield from series(page, "leg-tile-taken", 200, 4)
    page.wait_for_selector("text=Ben is thinking")
    yield "not-my-turn"


def roll(page: Page, url: str) -> Iterator[str]:
    opened(page, url, for_the_readme(), "die green 2")
    page.locator(ROLL).click()
    yield from series(page, "roll", 300, 14)


def last_die(page: Page, url: str) -> Iterator[str]:
    opened(page, url, eight_before_the_end_of_a_leg(), "die green 3")
    page.locator(ROLL).click()
    yield from series(page, "last-die", 500, 12)
    page.wait_for_selector(".scoring")
    page.wait_for_timeout(1200)
    yield "leg-scoring-running"
    page.locator(".scoring .button").click()
    page.wait_for_timeout(300)
    yield "leg-scoring"


def finish(page: Page, url: str) -> Iterator[str]:
    """The last die brings the camel over the line; decks are turned; then the end."""
    state = before_the_last_die() if page.viewport_size == {"width": 390, "height": 844} else eight_before_the_finish()
    table = ScriptedTable(state, ("die green 3",), NAMES)
    money = list(state.money)
    table.frames = [
        {"type": "frame", "n": at, "on": at, "by": at % 4, "events": [], "patch": {},
         "scores": [max(0, own * at // 14 + (at * (seat + 3)) % 5) for seat, own in enumerate(money)]}
        for at in range(15)
    ]  # fmt: skip
    table.open(page, url)
    page.wait_for_selector(OFFERED)
    page.locator(ROLL).click()
    yield from series(page, "finish", 500, 16)
    page.wait_for_selector(".scoring")
    page.locator(".scoring .button").click()
    page.locator(".scoring .button.main").click()
    page.locator(".scoring .decks").wait_for()
    page.wait_for_timeout(3500)
    yield "decks-running"
    page.locator(".scoring .button").click()
    page.wait_for_timeout(500)
    yield "decks"
    page.locator(".scoring .button.main").click()
    page.locator("[data-step], [data-next]").first.wait_for()
    page.wait_for_timeout(1200)
    yield "podium"
    page.get_by_role("slider").fill("9")
    page.get_by_role("slider").scroll_into_view_if_needed()
    yield "course"
    with page.expect_download() as saved:
        page.locator("[data-next] .button:not(.main)", has_text="esult").click()
    picture = base64.b64encode(saved.value.path().read_bytes()).decode()
    page.goto("about:blank")
    page.set_content(f'<img style="width: 100%" src="data:image/png;base64,{picture}">')
    page.wait_for_timeout(200)
    yield "shared"


def docks(page: Page, url: str) -> Iterator[str]:
    opened(page, url, crowded())
    yield "dock-full"
    page.locator(".purses button:visible, .people li button:visible").nth(5).click()
    page.wait_for_selector("[data-holdings]")
    page.wait_for_timeout(400)
    yield "holdings"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("[role=dialog], dialog")
    page.wait_for_timeout(300)
    yield "keys"


def scrolled(page: Page, url: str) -> Iterator[str]:
    """What is beside or below the board, scrolled to its end."""
    for name, state in (("table", for_the_readme()), ("pyramid-table", half_fallen())):
        ScriptedTable(state, names=NAMES).open(page, url)
        page.wait_for_timeout(500)
        yield name
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.wait_for_timeout(200)
        yield f"{name}-scrolled"


def absence(page: Page, url: str) -> Iterator[str]:
    state: Any = msgspec.structs.replace(for_the_readme(), actor=1)
    Deserted(state, names=NAMES).open(page, url)
    page.get_by_text("Ben is away").wait_for()
    yield "absent"
    page.locator("[data-dock] [aria-haspopup=dialog]").click()
    page.wait_for_selector("[role=dialog]")
    page.wait_for_timeout(300)
    yield "absent-sheet"


def one_device(page: Page, url: str) -> Iterator[str]:
    _seat_two(page, url, together=False)
    page.locator(ROLL).click()
    yield from series(page, "hot-seat-roll", 500, 9)
    page.wait_for_selector(".curtain")
    yield "curtain"
    page.locator(".curtain .button.main").click()
    page.wait_for_selector("[data-recap]")
    yield "recap-after-curtain"
    _seat_two(page, url, together=True)
    yield "all-sit-here"
    page.locator("[data-action^=card]").click()
    page.get_by_role("dialog").wait_for()
    yield "covered"
    page.get_by_role("dialog").locator(".button.main").click()
    page.locator("[data-pick]").nth(1).click()
    yield "face-down"


def _seat_two(page: Page, url: str, *, together: bool) -> None:
    page.goto(f"{url}/new")
    page.locator("form .kind select").nth(1).select_option("here")
    for seat, name in enumerate(NAMES[:2]):
        page.get_by_label("Your name").nth(seat).fill(name)
    page.get_by_label("We share one screen").set_checked(together)
    page.locator("form .button.main").click()
    page.locator(".lobby .start").click()
    page.wait_for_selector(OFFERED)


def company(page: Page, url: str) -> Iterator[str]:
    """Two people who meet in a lobby, play and talk; the page is the guest's, and the host's in the lobby."""
    browser = page.context.browser
    assert browser is not None
    page.goto(f"{url}/new")
    page.get_by_label("Your name").first.fill("Ann")
    page.locator("form .button.main").click()
    page.wait_for_selector(".lobby .invite pre")
    yield "lobby-host-alone"
    reachable(page)
    page.reload()
    page.wait_for_selector("[data-code]")
    other = second_visitor(browser)
    other.goto(page.url)
    other.get_by_label("Your name").fill("Ben")
    other.get_by_role("button", name="Sit down").click()
    page.get_by_text("Everybody is here").wait_for()
    other.get_by_placeholder("Write something").fill("good evening")
    other.keyboard.press("Enter")
    page.get_by_role("list", name="Talk").locator("li").first.wait_for()
    yield "lobby-host"
    page.locator(".lobby .start").click()
    page.wait_for_selector(OFFERED)
    other.get_by_role("button", name="Talk").first.click()
    other.get_by_role("button", name="Wow!").click()
    page.locator("[data-bubble], [data-said]").first.wait_for(state="attached")
    page.wait_for_timeout(300)
    yield "reaction"
    other.get_by_placeholder("Write something").fill("what a roll that was, I never saw the like of it")
    other.keyboard.press("Enter")
    page.get_by_text("what a roll that was").first.wait_for(state="attached")
    page.wait_for_timeout(300)
    yield "bubble"
    page.get_by_role("button", name="Talk").first.click()
    page.wait_for_timeout(300)
    yield "talk"
    page.keyboard.press("Escape")
    page.locator("[popovertarget=table-menu]").click()
    yield "menu"
    page.locator("#table-menu [aria-pressed]").click()
    page.wait_for_selector("[role=dialog]")
    yield "end-question-together"
    page.keyboard.press("Escape")
    page.locator("[data-action^=leg]").first.click()
    page.wait_for_selector("text=Ben is thinking")
    page.evaluate(HIDE, True)
    other.locator(ROLL).click()
    page.wait_for_function("() => document.title.includes('Your turn')")
    page.evaluate(HIDE, False)
    page.wait_for_selector("[data-recap]")
    yield "recap-after-tab-away"
    other.context.close()


def guest(page: Page, url: str) -> Iterator[str]:
    """The lobby as somebody sees it who has followed a link, and the way there by a code."""
    browser = page.context.browser
    assert browser is not None
    host = second_visitor(browser)
    host.goto(f"{url}/new")
    host.get_by_label("Your name").first.fill("Ann")
    host.locator("form .button.main").click()
    host.wait_for_selector(".lobby")
    page.goto(url)
    page.get_by_label("Link or code").fill("314 159")
    page.get_by_role("button", name="Open").click()
    page.get_by_role("alert").wait_for()
    page.get_by_label("Link or code").scroll_into_view_if_needed()
    yield "code-entry"
    page.goto(host.url)
    page.wait_for_selector(".lobby")
    yield "lobby-guest"
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Sit down").wait_for(state="detached")
    yield "lobby-guest-seated"
    host.context.close()


def starting(page: Page, url: str) -> Iterator[str]:
    page.goto(url)
    page.wait_for_selector(".opponents")
    yield "home"
    page.locator(".opponents").first.click()
    page.wait_for_selector("fieldset")
    page.locator("fieldset").first.scroll_into_view_if_needed()
    yield "play-now"
    page.goto(f"{url}/learn/camelup")
    page.wait_for_selector(".guide .button")
    yield "lesson-intro"
    page.locator(".guide .button").first.click()
    page.wait_for_selector('[data-stage="do"]')
    page.wait_for_timeout(600)
    yield "lesson-target"


def pyramid(page: Page, url: str) -> Iterator[str]:
    ScriptedTable(half_fallen(), names=NAMES).open(page, url)
    page.wait_for_timeout(600)
    yield "pyramid"
    page.locator('[data-action="end"]').click()
    asked = page.locator("[data-answer]")
    asked.or_(page.locator(GOING_ON)).first.wait_for(state="attached")
    if asked.count():
        asked.first.click()
    yield from series(page, "pyramid-end", 500, 6)


def second_visitor(browser: Browser) -> Page:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(15_000)
    return context.new_page()


MOMENTS: tuple[Moments, ...] = (
    starting, desert_tile, bets, roll, last_die, finish, docks, absence, one_device, company, guest, pyramid, scrolled,
)  # fmt: skip
LOW: tuple[Moments, ...] = (scrolled, desert_tile, bets, docks, last_die)
"""What is looked at on screens that are low or very narrow, too."""
LOOKS = (
    ((360, 640), "light", MOMENTS), ((390, 844), "dark", MOMENTS), ((1280, 800), "light", MOMENTS),
    ((1280, 800), "dark", MOMENTS), ((844, 390), "light", LOW), ((640, 400), "dark", LOW), ((320, 640), "light", LOW),
)  # fmt: skip


def take_moments(browser: Browser, url: str, folder: Path) -> None:
    """``moment-NAME-THEME-WIDTH.png``, at the pace at which people see it."""
    for (width, height), theme, moments in LOOKS:
        for each in moments:
            size: ViewportSize = {"width": width, "height": height}
            context = dressed(browser, "en-GB", theme, viewport=size)
            page = context.new_page()
            for name in each(page, url):
                page.screenshot(path=folder / f"moment-{name}-{theme}-{width}.png")
            context.close()
