"""Every screen of a table for everyone: axe finds nothing, fingers meet what they aim at, large text fits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from tests.browser.around import reachable
from tests.browser.axe import EVERY_LOCALE, PHONE, violations
from tests.browser.conftest import Visit
from tests.browser.hard_cases import before_the_last_die, crowded, show
from tests.browser.player import OFFERED, ROLL, SPACE, Player
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server

CALM = """() => {
  const kept = JSON.parse(localStorage.getItem("serai.settings"));
  localStorage.setItem("serai.settings", JSON.stringify({ ...kept, pace: "calm" }));
}"""


def screens(page: Page, url: str) -> Iterator[str]:
    """Every screen there is, one after the other."""
    page.goto(url)
    page.wait_for_selector(".game")
    yield "home"
    page.locator(".opponents").first.click()
    page.wait_for_selector("fieldset")
    yield "opponents"
    page.locator("button[aria-controls=preferences]").click()
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
    page.locator("button[aria-controls=table-menu]").click()
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
    page.wait_for_selector("[data-over]")
    yield "end"
    page.goto(f"{url}/t/nowhere")
    page.wait_for_selector("main.panel")
    yield "no such table"


@EVERY_LOCALE
def test_axe_finds_nothing(server: Server, visit: Visit, locale: str) -> None:
    page = visit(server.url, locale=locale, **PHONE)
    found = [(screen, violations(page, screen, locale)) for screen in screens(page, server.url)]
    assert len(found) == 16
    assert [told for told in found if told[1]] == []


SMALL_TARGETS = """() => {
  const small = [];
  for (const one of document.querySelectorAll("button, a[href], select, input:not([type=checkbox])")) {
    if (!one.offsetParent) continue;
    // What is not seen itself is touched by its label.
    const thing = one.matches("label .unseen") ? one.closest("label") : one;
    thing.scrollIntoView({ block: "center" });
    const box = thing.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    // What lies under the result, or under preferences, cannot be touched until they are put away.
    const over = document.elementFromPoint(x, y)?.closest("[data-over], #preferences");
    if (over && !over.contains(thing)) continue;
    const hits = (dx, dy) => {
      let count = 0;
      for (let step = -40; step <= 40; step += 1) {
        const found = document.elementFromPoint(x + dx * step, y + dy * step);
        if (found !== null && thing.contains(found)) count += 1;
      }
      return count;
    };
    const wide = box.width >= 43.5 || hits(1, 0) >= 43;
    const high = box.height >= 43 || hits(0, 1) >= 43;
    if (!wide || !high) small.push(thing.outerHTML.slice(0, 120));
  }
  return small;
}"""


def test_a_finger_meets_whatever_can_be_touched(server: Server, visit: Visit) -> None:
    """Targets are 44 pixels wide and high, on a narrow phone, in the language with the longest words."""
    phone: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = visit(server.url, locale="de-DE", **phone)
    found: list[str] = []
    for screen in screens(page, server.url):
        if screen in ("desert tile on trial", "question", "menu", "scoring"):
            continue  # they lie over others, which then cannot be touched
        found += [f"{screen}: {thing}" for thing in page.evaluate(SMALL_TARGETS)]
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, screen
    assert found == []


def test_text_twice_as_large_still_fits(server: Server, visit: Visit) -> None:
    page = visit(server.url, locale="de-DE", viewport={"width": 412, "height": 915})
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
