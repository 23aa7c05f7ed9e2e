"""Pictures of every screen at several sizes, and of the hard cases: ``make screenshots`` puts them under build/."""

from __future__ import annotations

import random
import secrets
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize

from serai import game as find_game
from tests.browser.around import reachable, screens_around
from tests.browser.games import played_games, screens_of_looking_back
from tests.browser.hard_cases import crowded, for_the_readme, full_log, show, stacks
from tests.browser.moments import take_moments
from tests.browser.pharaoh_cases import half_fallen
from tests.browser.pharaoh_screenshots import take_pyramid
from tests.browser.pictures import SIZES, dressed, take_large_text, take_sizes
from tests.browser.player import OFFERED, ROLL, Player
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import chromium, serving
from tests.browser.sheets import sheets

LEVELS = find_game("camelup").levels
LOOKS = [("en-GB", "light"), ("de-DE", "light"), ("fr-FR", "light"), ("en-GB", "dark")]
INSTANTLY = """() => {
  const kept = JSON.parse(localStorage.getItem("serai.settings") ?? "{}");
  localStorage.setItem("serai.settings", JSON.stringify({ ...kept, pace: "instant" }));
}"""
NARROW: ViewportSize = {"width": 412, "height": 915}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as store, serving(Path(store)) as server, chromium() as browser:
        for locale, theme in LOOKS:
            take_screens(browser, server.url, locale, theme, folder)
        take_hard_cases(browser, server.url, folder)
        take_pyramid(browser, server.url, folder, LOOKS, visitor)
        take_moments(browser, server.url, folder)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


def take_screens(browser: Browser, url: str, locale: str, theme: str, folder: Path) -> None:
    """One game, each screen at every size."""
    page = visitor(browser, locale, theme)
    look = f"{locale[:2]}-{theme}"

    def take(screen: str) -> None:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(120)
            page.screenshot(path=folder / f"{screen}-{look}-{width}.png")

    for screen in ("home", "about", "new"):
        page.goto(url if screen == "home" else f"{url}/{screen}")
        page.wait_for_selector(".game, section.panel, form")
        take(screen)
    page.locator("form .kind select").nth(1).select_option("bot")
    page.locator(f"[data-face={LEVELS[0]}]").click()
    take("new-bot")
    page.locator("form .button.main").click()
    page.wait_for_selector(".lobby .invite pre")
    take("lobby-local")
    reachable(page)
    page.reload()
    page.wait_for_selector("[data-code]")
    page.wait_for_selector("[data-face]")
    take("lobby")
    page.goto(url)
    page.locator(".opponents").first.click()
    page.wait_for_selector("fieldset")
    take("opponents")
    page.locator(".game .button.main").first.click()
    player = Player(page, random.Random(5))
    for _ in range(5):
        page.wait_for_selector(OFFERED)
        player.act()
    page.wait_for_selector(OFFERED)
    take("table")
    page.locator("[popovertarget=table-menu]").click()
    page.locator("#table-menu [aria-pressed]").click()
    page.wait_for_selector("[role=dialog]")
    take("end-question")
    page.keyboard.press("Escape")
    page.get_by_role("switch").click()
    page.wait_for_selector(".odds")
    take("odds")
    page.emulate_media(reduced_motion="no-preference")
    while page.locator(".scoring").count() == 0:
        page.locator(ROLL).or_(page.locator(".scoring")).first.wait_for()
        if page.locator(".scoring").count() == 0:
            player.act(ROLL)
    page.wait_for_timeout(2500)
    page.screenshot(path=folder / f"scoring-{look}.png")
    page.emulate_media(reduced_motion="reduce")
    page.locator(".scoring .button.main").click()
    page.evaluate(INSTANTLY)
    page.reload()
    player.play_to_the_end()
    take("end")
    page.set_viewport_size(NARROW)
    for screen, _ in sheets(page, url):
        take(screen.replace(" ", "-"))
        page.set_viewport_size(NARROW)
    page.unroute_all()
    token = secrets.token_urlsafe(24)
    for screen in screens_of_looking_back(page, url, token, played_games(url, token, 8)[-1]):
        take(screen)
    for screen in screens_around(page, url):
        take(screen)
    page.context.close()


def take_hard_cases(browser: Browser, url: str, folder: Path) -> None:
    frames, late = full_log()
    cases = {"crowded": (crowded(), []), "stacks": (stacks(), []), "full-log": (late, frames)}
    for name, (state, told) in cases.items():
        for theme in ("light", "dark"):
            page = visitor(browser, "de-DE", theme)
            show(page, url, state, frames=told)
            take_sizes(page, folder, f"case-{name}-{theme}", whole_below=500)
    page = visitor(browser, "de-DE", "light")
    show(page, url, crowded())
    take_large_text(page, folder, "case")


def take_for_the_readme(folder: Path) -> None:
    """The pictures in the README, of a position that does not change."""
    names = ("Guest", "Fennec", "Cheetah", "Cobra")
    with tempfile.TemporaryDirectory() as store, serving(Path(store)) as server, chromium() as browser:
        for theme, width, height in (("light", 1280, 800), ("dark", 412, 915)):
            page = visitor(browser, "en-GB", theme)
            page.set_viewport_size({"width": width, "height": height})
            show(page, server.url, for_the_readme(), names)
            page.screenshot(path=folder / f"camelup-{theme}.jpg", type="jpeg", quality=82)
            page.context.close()
        page = visitor(browser, "en-GB", "dark")
        page.set_viewport_size({"width": 1280, "height": 800})
        ScriptedTable(half_fallen(), names=("Guest", "Jackal", "Lynx", "Gecko")).open(page, server.url)
        page.wait_for_timeout(1000)  # until nothing moves any more
        page.screenshot(path=folder / "pharaoh-dark.jpg", type="jpeg", quality=82)
        page.context.close()


def visitor(browser: Browser, locale: str, theme: str) -> Page:
    return dressed(browser, locale, theme, reduced_motion="reduce").new_page()


if __name__ == "__main__":
    if sys.argv[1:] == ["--readme"]:
        take_for_the_readme(Path("docs/pictures"))
    else:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/screenshots"))
