"""Every screen of a table for everyone: axe finds nothing, fingers meet what they aim at, large text fits."""

from __future__ import annotations

import random
from collections.abc import Iterator

from playwright.sync_api import Page

from tests.browser.around import reachable
from tests.browser.axe import EVERY_LOCALE, violations
from tests.browser.conftest import Visit
from tests.browser.hard_cases import before_the_last_die, crowded, show
from tests.browser.player import OFFERED, ROLL, SPACE, Player
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.browser.touching import PHONE as NARROW
from tests.browser.touching import too_small

CALM = """() => {
  const kept = JSON.parse(localStorage.getItem("serai.settings"));
  localStorage.setItem("serai.settings", JSON.stringify({ ...kept, pace: "calm" }));
}"""

OVER_OTHERS = {
    "opponents": ".game", "preferences": "#preferences", "end": ".ending",
    "desert tile on trial": "[data-choice]", "question": "[role=dialog]", "menu": "#table-menu",
    "scoring": ".scoring", "cards": ".scoring", "after the end": ".reopen",
}  # fmt: skip
"""What comes to a screen that has been looked at, mostly over other things, which then cannot be touched."""


def screens(page: Page, url: str) -> Iterator[str]:
    """Every screen there is, one after the other."""
    page.goto(url)
    page.wait_for_selector(".game")
    yield "home"
    page.locator(".opponents").first.click()
    page.wait_for_selector("fieldset")
    yield "opponents"
    page.locator("button[popovertarget=preferences]").click()
    page.wait_for_selector("#preferences")
    yield "preferences"
    page.goto(f"{url}/about")
    page.wait_for_selector("h1")
    yield "about"
    page.goto(f"{url}/new")
    page.wait_for_selector("form")
    yield "new table"
    page.locator("form .kind select").nth(1).select_option("here")
    page.locator("form .button.main").click()
    page.wait_for_selector(".lobby .invite pre")
    yield "lobby of a server that nobody else reaches"
    reachable(page)
    page.reload()
    page.wait_for_selector("[data-code]")
    page.locator(".talk select").select_option("hello")
    page.wait_for_selector(".said")
    yield "lobby"
    page.locator(".lobby .start").click()
    page.wait_for_selector(OFFERED)
    page.locator('[data-action^="leg"]').first.click()
    page.wait_for_selector(".curtain")
    yield "curtain"
    page.goto(url)
    page.locator(".game .button.main").first.click()
    page.wait_for_selector(OFFERED)
    yield "table"
    page.locator('[data-action="tile"]').first.click()
    page.wait_for_selector("[data-choice]")
    yield "desert tile in hand"
    page.locator(SPACE).first.click()
    page.wait_for_selector("[data-answer=lay]")
    yield "desert tile on trial"
    page.keyboard.press("Escape")
    page.locator('[data-action^="card "]').first.click()
    page.wait_for_selector("[role=dialog]")
    yield "question"
    page.keyboard.press("Escape")
    page.locator("button[popovertarget=table-menu]").click()
    yield "menu"
    page.keyboard.press("Escape")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(CALM)
    ScriptedTable(before_the_last_die(), ("die green 3",)).open(page, url)
    Player(page, random.Random(12)).begin(ROLL)
    page.wait_for_selector(".scoring .rows li")
    # Nothing may fade in while axe looks; the rows go on coming.
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_timeout(300)
    yield "scoring"
    page.locator(".scoring .button").click()
    page.locator(".scoring .decks").or_(page.locator(".scoring .button.main")).first.wait_for()
    if page.locator(".scoring .decks").count() == 0:
        page.locator(".scoring .button.main").click()
    page.wait_for_selector(".scoring:has(.decks) .chip")
    yield "cards"
    page.wait_for_selector("[data-over]")
    yield "end"
    page.locator(".ending .close").click()
    page.wait_for_selector(".reopen")
    yield "after the end"
    page.goto(f"{url}/t/nowhere")
    page.wait_for_selector("main.panel")
    yield "no such table"


@EVERY_LOCALE
def test_axe_finds_nothing_and_a_finger_meets_whatever_can_be_touched(
    server: Server, visit: Visit, locale: str
) -> None:
    """Targets are 44 pixels wide and high, on a narrow phone."""
    page = visit(server.quiet, locale=locale, color_scheme="light", **NARROW)
    found: list[str] = []
    seen = []
    for screen in screens(page, server.url):
        within = OVER_OTHERS.get(screen, "")
        found += violations(page, screen, locale, within)
        found += [f"{screen}: too small: {thing}" for thing in too_small(page, within)]
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            found.append(f"{screen}: too wide")
        seen.append(screen)
    assert found == []
    assert len(seen) == 18


def test_text_twice_as_large_still_fits(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, locale="de-DE", viewport={"width": 412, "height": 915})
    for path in ("/", "/new/camelup", "/about"):
        page.goto(server.url + path)
        page.wait_for_selector("h1")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= 414, path
    show(page, server.url, crowded())
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 414
