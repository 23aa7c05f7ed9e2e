"""Out of the page and into it from elsewhere: strangers meet, results travel, and whoever is away is called."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED
from tests.browser.serving import Server
from tests.browser.test_scenarios import WIDE, two_by_link

AWAY = """hidden => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
CALLS = """
    globalThis.calls = [];
    globalThis.Notification = class {
      static permission = "default";
      static async requestPermission() { return (this.permission = "granted"); }
      constructor(title, { body }) { calls.push(body); }
      close() {}
    };
"""


def test_strangers_meet_at_a_public_table(server: Server, visit: Visit) -> None:
    pages = [visit(server.url, **WIDE) for _ in range(2)]
    for page in pages:
        page.locator("[data-game=camelup]").get_by_role("button", name="Play with others now").click()
        page.wait_for_selector(".lobby")
    first, second = pages
    assert first.url == second.url
    seats = first.get_by_role("list", name="At the table")
    expect(seats).to_contain_text("Guest 2")
    assert first.get_by_placeholder("Write something").count() == 0, "strangers have phrases only"
    first.get_by_role("button", name="Start without the open seats").click()
    first.wait_for_selector(OFFERED)
    second.wait_for_selector("text=Guest is thinking")


def test_whoever_finds_nobody_begins_with_bots(server: Server, visit: Visit) -> None:
    page = visit(server.url, **WIDE)
    page.locator("[data-game=pharaoh]").get_by_role("button", name="Play with others now").click()
    expect(page.get_by_text("Nobody else is here yet.")).to_be_visible()
    page.get_by_role("button", name="Begin with bots now").click()
    page.locator("[data-resting]").first.wait_for()
    expect(page.locator("[data-game], .lobby")).to_have_count(0)


def test_a_table_for_one_device_begins_with_you(server: Server, visit: Visit) -> None:
    page = visit(server.url, **WIDE)
    page.locator("[data-game=camelup]").get_by_role("link", name="Together on one device").click()
    first = page.get_by_label("Who takes seat 1")
    expect(first.locator("option:checked")).to_have_text("You")
    expect(page.get_by_label("Who takes seat 2").locator("option:checked")).to_have_text("Someone on this device")
    expect(page.get_by_label("We share one screen")).to_be_checked()


def test_a_result_goes_out_as_a_picture(server: Server, visit: Visit, tmp_path: Path) -> None:
    page = visit(server.url, **WIDE)
    page.get_by_role("button", name="Play now").first.click()
    page.wait_for_selector(OFFERED)
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="End the game now").click()
    page.get_by_role("button", name="End it").click()
    # Nobody had to agree, and nobody won.
    expect(page.locator(".ending")).to_contain_text("Game abandoned")
    expect(page.locator(".ending")).not_to_contain_text("agreed")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Result as a picture").or_(
            page.get_by_role("button", name="Share the result")
        ).click()
    assert re.fullmatch(r"camel-up-\d{4}-\d\d-\d\d\.png", saved.value.suggested_filename)
    saved.value.save_as(tmp_path / "result.png")
    picture = (tmp_path / "result.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (1080, 250 + 4 * 96 + 90)


def test_whoever_was_away_in_their_turn_is_asked_once_and_called_from_then_on(server: Server, visit: Visit) -> None:
    ann, ben = two_by_link(server, visit)
    ben.add_init_script(CALLS)
    ben.reload()
    ben.wait_for_selector("text=Ann is thinking")
    away(ben, True)
    ann.locator('[data-action="leg green"]').click()
    ben.wait_for_function("() => document.title.includes('Your turn')")
    assert ben.get_by_text("Shall we call you next time?").count() == 0
    away(ben, False)
    ben.get_by_role("button", name="Yes, call me").wait_for()
    assert violations(ben, "call me", "en-GB", "div.notice") == []
    ben.get_by_role("button", name="Yes, call me").click()
    expect(ben.get_by_text("Shall we call you next time?")).to_have_count(0)
    assert ben.evaluate("calls") == []
    ben.locator('[data-action="leg blue"]').click()
    ben.wait_for_selector("text=Ann is thinking")
    away(ben, True)
    ann.locator('[data-action="leg white"]').click()
    ben.wait_for_function("() => calls.length > 0")
    assert ben.evaluate("calls") == ["Your turn"]


def away(page: Page, hidden: bool) -> None:
    page.evaluate(AWAY, hidden)
