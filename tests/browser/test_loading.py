"""A part of the page that could not be loaded is there, with its style, once trying again helps."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.serving import Server


def open_settings(page: Page) -> None:
    page.wait_for_selector(".game")
    page.get_by_role("button", name="Settings").click()


def test_what_a_lost_connection_withheld_comes_with_the_connection(server: Server, visit: Visit) -> None:
    page = visit(server.url, forgive="load")
    page.wait_for_selector(".game")
    page.context.set_offline(True)
    open_settings(page)
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost")
    expect(page.get_by_role("button", name="Reload")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator("#preferences > section")).to_have_css("display", "grid")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_trying_again_loads_what_failed(server: Server, visit: Visit) -> None:
    page = visit(server.url, forgive="load")
    page.route("**/assets/PreferencesPanel-*", lambda route: route.fulfill(status=503))
    open_settings(page)
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#preferences > section")).to_have_css("display", "grid")
