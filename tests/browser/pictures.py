"""One page as pictures: at several sizes, and with text twice as large."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

SIZES = [(360, 740), (412, 915), (820, 1180), (1280, 800), (1920, 1080)]

CHOOSE_THEME = """(() => {
    const kept = JSON.parse(localStorage.getItem("serai.settings") ?? "{}");
    localStorage.setItem("serai.settings", JSON.stringify({ ...kept, theme: %r }));
})()"""


def dressed(browser: Browser, locale: str, theme: str, **context: Any) -> BrowserContext:
    """A visitor who has chosen a theme: a game may have one of its own for everybody else."""
    made = browser.new_context(locale=locale, **context)
    made.add_init_script(CHOOSE_THEME % theme)
    made.set_default_timeout(15_000)
    return made


def take_sizes(
    page: Page, folder: Path, name: str, *, sizes: Sequence[tuple[int, int]] = SIZES, whole_below: int = 0
) -> None:
    """``NAME-WIDTH.png`` for each size, from narrow screens the whole page; then the page is closed."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(120)
        page.screenshot(path=folder / f"{name}-{width}.png", full_page=width < whole_below)
    page.context.close()


def take_large_text(page: Page, folder: Path, name: str) -> None:
    """The same on a phone and a desktop with text twice as large."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    take_sizes(page, folder, f"{name}-large-text", sizes=((412, 915), (1280, 800)), whole_below=10_000)
