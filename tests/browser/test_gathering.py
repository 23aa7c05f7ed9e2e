"""Before the game: people round the table, talk, rules, ways to get there, and a new game without a detour."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.around import reachable
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED
from tests.browser.serving import Server
from tests.browser.test_scenarios import WIDE, set_up


def test_people_talk_and_sit_down_round_the_table(server: Server, visit: Visit) -> None:
    ann = visit(server.url, **WIDE)
    link = set_up(ann, server.url, "Ann")
    ben = visit(link, **WIDE)
    ben.get_by_role("button", name="Sit here (seat 2)").click()
    expect(ben.get_by_role("alert")).to_have_text("Enter your name first.")
    expect(ben.get_by_label("Your name")).to_be_focused()
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit here (seat 2)").click()
    expect(ann.get_by_role("list", name="At the table")).to_contain_text("Ben")
    expect(ann.get_by_text("Everybody is here")).to_be_visible()
    ben.get_by_placeholder("Write something").fill("good evening")
    ben.keyboard.press("Enter")
    talk = ann.get_by_role("list", name="Talk").locator("li")
    expect(talk).to_contain_text("Ben good evening")
    # who said it is known even when the seats are others by now
    ann.get_by_text("Arrange the seats").click()
    ann.get_by_role("button", name="Move Ben up one seat").click()
    expect(ann.get_by_role("list", name="At the table").locator("li").first).to_contain_text("Ben")
    expect(talk).to_contain_text("Ben good evening")
    for page in (ann, ben):
        page.reload()
        expect(page.get_by_role("list", name="Talk").locator("li")).to_contain_text("Ben good evening")


def test_who_begins_is_drawn_and_told(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/new", **WIDE)
    page.get_by_label("Who takes seat 2").select_option("here")
    page.get_by_label("Who goes first").select_option("drawn by lot")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("listitem").filter(has_text="Who goes first is drawn by lot")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(f"{OFFERED}, .curtain")
    expect(page.locator("[role=log]").or_(page.locator(".curtain")).first).to_be_attached()
    page.locator(".curtain .button.main").or_(page.locator(OFFERED)).first.wait_for()
    if page.locator(".curtain").count():
        page.locator(".curtain .button.main").click()
    expect(page.get_by_role("list", name="Story")).to_contain_text("is drawn to go first")


def test_a_code_that_was_said_leads_to_the_table(server: Server, visit: Visit) -> None:
    ann = visit(server.url, **WIDE)
    reachable(ann)
    link = set_up(ann, server.url, "Ann")
    expect(ann.locator(".invite img")).to_be_visible()
    code = ann.locator("[data-code]").inner_text()
    ben = visit(server.url, forgive="status of 404", **WIDE)
    ben.get_by_label("Link or code").fill("000 000" if code != "000 000" else "000 001")
    ben.get_by_role("button", name="Open").click()
    expect(ben.get_by_role("alert")).to_contain_text("No table is waiting for players under that code.")
    ben.get_by_label("Link or code").fill(code)
    ben.get_by_role("button", name="Open").click()
    ben.get_by_role("button", name="Sit down").wait_for()
    assert ben.url == link


def test_play_again_against_bots_begins_at_once(server: Server, visit: Visit) -> None:
    page = visit(server.url, **WIDE)
    page.get_by_role("button", name="Play now").first.click()
    page.wait_for_selector(OFFERED)
    before = page.url
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="End the game now").click()
    page.get_by_role("button", name="End it").click()
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(OFFERED)
    assert page.locator(".lobby").count() == 0
