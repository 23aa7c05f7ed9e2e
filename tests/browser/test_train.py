"""Exercises on the page: posed on the game's own board, answered by doing it, explained, and counted on the device."""

from __future__ import annotations

from playwright.sync_api import Page

import serai
from serai.coach.exercises import Exercise, exercises
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.serving import Server

KINDS = {"camelup": ("leg", "leg")}
"""What is best in the exercises that are tried, and what the page calls doing it."""


def some(name: str) -> list[Exercise]:
    collection = exercises(serai.game(name))
    assert collection is not None
    return [each for each in collection.exercises if each.best.action.startswith(KINDS[name][0])]


def do(page: Page, name: str, action: str) -> None:
    about = action.partition(" ")[2]
    page.locator(f'main [data-action="{KINDS[name][1]} {about}"]').click()


def wrong(exercise: Exercise, name: str) -> str:
    """Something of the same kind that is not best."""
    return next(option.action for option in exercise.options[1:] if option.action.startswith(KINDS[name][0]))


def test_one_right_one_wrong(server: Server, visit: Visit) -> None:
    name, locale = "camelup", "de-DE"
    page = visit(server.url, viewport={"width": 390, "height": 844}, locale=locale)
    page.locator("footer a").first.click()
    page.wait_for_selector(f'[data-game="{name}"] [data-theme-row]')
    first, second = [each for each in some(name) if any(_kind(each, name))][:2]
    for exercise, action in ((first, first.best.action), (second, wrong(second, name))):
        page.goto(f"{server.url}/train/{name}/{exercise.id}")
        page.wait_for_selector("main [data-resting=true] [data-action]")
        do(page, name, action)
        right = "true" if action == exercise.best.action else "false"
        page.wait_for_selector(f'[data-answered="{right}"] .box tbody tr.own')
        # What is best is pointed at, and the way on has the focus.
        page.wait_for_selector("[data-spot]")
        page.wait_for_selector(".box .main:focus")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    assert violations(page, "answered", locale, ".box") == []
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-answered]", state="detached")
    page.wait_for_selector(".box")
    page.goto(f"{server.url}/train/{name}")
    for exercise in (first, second):
        page.wait_for_selector(f'[data-theme-row="{exercise.theme}"] svg')
    assert violations(page, "exercises", locale) == []


def _kind(exercise: Exercise, name: str) -> list[bool]:
    return [option.action.startswith(KINDS[name][0]) for option in exercise.options[1:]]
