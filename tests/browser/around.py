"""The screens around a game: odds of a real table, rules, guided games, answers to a question."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page, Route

from serai.core.registry import games


def reachable(page: Page) -> None:
    """Let the page believe that others reach the server, which listens to nobody but this machine."""

    def answer(route: Route) -> None:
        if route.request.method == "GET":
            route.fulfill(json={**route.fetch().json(), "local": False})
        else:
            route.continue_()

    page.route("**/api/tables/*", answer)


def screens_around(page: Page, url: str) -> Iterator[str]:
    page.goto(f"{url}/g/camelup/odds?position=1gyo+3bw+|+%2B5+-9+|+bgw")
    page.wait_for_selector("[data-figures]", state="attached")
    for summary in page.locator("details summary").all():
        summary.click()
    yield "odds-page"
    page.locator("#position").fill("1gyo 3bx")
    page.wait_for_selector("[data-column]")
    yield "odds-mistake"
    page.locator('[data-piece="clear"]').click()
    yield "odds-empty"
    for game in games():
        page.goto(f"{url}/g/{game}/rules")
        page.wait_for_selector("figure")
        yield f"rules-{game}"
        page.goto(f"{url}/learn/{game}")
        page.wait_for_selector(".guide .button")
        page.locator(".guide .button").first.click()
        page.wait_for_selector('[data-stage="do"]')
        yield f"lesson-{game}"
    page.goto(f"{url}/learn/camelup")
    page.locator("[data-help]").first.click()
    page.wait_for_selector("dialog figure, dialog p")
    yield "help"
    page.goto(f"{url}/g/camelup/nothing")
    page.wait_for_selector("main a")
    yield "nothing"
