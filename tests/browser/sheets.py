"""What lies over a table or beside it for a while, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.browser.hard_cases import crowded, full_log, show
from tests.browser.scripted import ScriptedTable

NAMES = ("Ann", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hal")


def sheets(page: Page, url: str) -> Iterator[str]:
    """Each as it stands, on a narrow screen: chips of players are shown only there."""
    page.goto(url)
    page.locator(".game [data-meet], .game .buttons button:not(.main)").last.click()
    page.wait_for_selector(".lobby")
    yield "quick match"
    frames, late = full_log()
    own = max(at for at, frame in enumerate(frames) if frame["by"] == 0)
    show(page, url, late, NAMES, frames[:own])
    page.wait_for_selector("[data-recap]")
    yield "recap"
    page.unroute_all()
    page.set_viewport_size({"width": 412, "height": 915})
    ScriptedTable(crowded(), names=NAMES).open(page, url)
    page.locator("button[data-purse]").nth(1).click()
    page.wait_for_selector("[data-holdings]")
    yield "what another holds"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog, [role=dialog]")
    yield "keys"
    page.keyboard.press("Escape")
    page.locator("header button[aria-expanded]").first.click()
    page.wait_for_selector("#talk section")
    yield "talk"
