"""Pictures of the pyramid: every look, every size, and the cases that are hard to draw."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from serai.pharaoh.rules.rules import PharaohState
from tests.browser.pharaoh_cases import crowded_start, half_fallen, last_ring, played
from tests.browser.pictures import take_large_text, take_sizes
from tests.browser.scripted import ScriptedTable

Visitor = Callable[[Browser, str, str], Page]


def cases() -> dict[str, PharaohState]:
    """The positions to be drawn, by name."""
    return {
        "start": crowded_start(),
        "middle": played(lambda state: state.round >= 9 and state.moves_left == 3),
        "laying": played(lambda state: state.drawn >= 0 and state.round > 6),
        "countdown": played(lambda state: 0 < state.countdown < 4),
        "half-fallen": half_fallen(),
    }


def take_pyramid(
    browser: Browser,
    url: str,
    folder: Path,
    looks: list[tuple[str, str]],
    visitor: Visitor,
) -> None:
    """Everything about the second game that ``make screenshots`` shows."""
    for name, state in cases().items():
        for locale, theme in looks:
            page = visitor(browser, locale, theme)
            ScriptedTable(state).open(page, url)
            if name == "countdown":
                page.locator('[data-pick="helper"]').click()
                page.locator("details summary").click()
            take_sizes(page, folder, f"pharaoh-{name}-{locale[:2]}-{theme}")
    _take_collapse(visitor(browser, "en-GB", "dark"), url, folder)
    page = visitor(browser, "de-DE", "light")
    ScriptedTable(half_fallen()).open(page, url)
    take_large_text(page, folder, "pharaoh")


def _take_collapse(page: Page, url: str, folder: Path) -> None:
    """A ring on its way down, and the final scoring."""
    page.emulate_media(reduced_motion="no-preference")
    page.set_viewport_size({"width": 1280, "height": 800})
    ScriptedTable(half_fallen()).open(page, url)
    _end_all_the_same(page)
    page.locator(".board .drops").first.wait_for()
    page.wait_for_timeout(350)
    page.screenshot(path=folder / "pharaoh-falling.png")
    ScriptedTable(last_ring()).open(page, url)
    _end_all_the_same(page)
    page.locator(".scoring .button.main").wait_for()
    page.wait_for_timeout(400)
    page.screenshot(path=folder / "pharaoh-scoring.png")
    page.context.close()


def _end_all_the_same(page: Page) -> None:
    """End the turn, though it costs a figure."""
    page.locator(".falls").first.wait_for()
    page.locator('[data-action="end"]').click()
    page.locator("[data-answer]").first.click()
