"""A guided game: only what is taught goes through, the others play by themselves, and it comes to its end."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.games import teach
from tests.browser.player import OFFERED, lay
from tests.browser.serving import Server


def stage(page: Page, name: str, step: int) -> None:
    page.wait_for_selector(f'[data-stage="{name}"][data-step="{step}"]')


def test_a_lesson_is_learnt_by_doing(server: Server, visit: Visit) -> None:
    page = visit(server.url, reduced_motion="no-preference", viewport={"width": 1280, "height": 800})
    teach(page, server.url)
    page.get_by_role("button", name="Let’s begin").click()
    stage(page, "do", 1)
    # Something else gets an explanation and changes nothing.
    before = page.locator("main .table").inner_text()
    page.locator(f'{OFFERED}[data-action="roll"]').click()
    page.get_by_text("You could do that, too").wait_for()
    assert page.locator("main .table").inner_text() == before
    page.locator(f'{OFFERED}[data-action="leg white"]').click()
    stage(page, "done", 1)
    assert page.locator(OFFERED).count() == 0
    page.get_by_role("button", name="Continue").click()
    stage(page, "do", 2)
    lay(page, 7, "oasis")
    stage(page, "done", 2)
    page.get_by_role("button", name="Continue").click()
    stage(page, "do", 3)
    # Whoever is stuck is shown.
    page.get_by_role("button", name="Show me").click()
    page.get_by_role("button", name="Catch up").click()
    stage(page, "done", 3)
    page.get_by_role("button", name="Continue").click()
    stage(page, "end", 3)
    page.get_by_role("button", name="Once more").click()
    stage(page, "intro", 0)


def test_a_lesson_by_keyboard_alone_on_a_phone(server: Server, visit: Visit) -> None:
    page = visit(server.url, locale="de-DE", viewport={"width": 360, "height": 740})
    teach(page, server.url)
    for step in (1, 2, 3):
        # The way on has the focus.
        page.wait_for_selector(".guide .main:focus")
        page.keyboard.press("Enter")
        stage(page, "do", step)
        page.get_by_role("button", name="Zeig es mir").focus()
        page.keyboard.press("Enter")
        stage(page, "done", step)
    page.wait_for_selector(".guide .main:focus")
    page.keyboard.press("Enter")
    stage(page, "end", 3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
