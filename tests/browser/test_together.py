"""Being together at a table: what is said is seen where it belongs, and ending a game asks first."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED
from tests.browser.serving import Server
from tests.browser.test_scenarios import two_by_link

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}


def talk(page: Page) -> None:
    page.get_by_role("button", name="Talk").first.click()


def test_what_is_said_is_seen_at_its_speaker_and_counted_until_it_is_read(server: Server, visit: Visit) -> None:
    ann, ben = two_by_link(server, visit, **PHONE)
    talk(ann)
    assert violations(ann, "talk", "en-GB") == []
    ann.get_by_role("button", name="Wow!").click()
    expect(ann.get_by_role("region", name="Talk")).to_have_count(0)
    # at the avatar, with a face; under the button, where the list of players is out of sight; and counted
    bubble = ben.locator("li", has_text="Ann").locator("[data-bubble]").first
    expect(bubble).to_have_text("Wow!")
    assert bubble.locator("svg").count() == 1
    expect(ben.locator("[data-said]")).to_have_text("Ann Wow!")
    expect(ben.locator("[data-unread]")).to_have_text("1")
    expect(ben.get_by_role("button", name="Talk: 1 new line")).to_be_visible()
    assert violations(ben, "bubble", "en-GB") == []
    ann.get_by_placeholder("Write something").fill("what a roll")
    ann.keyboard.press("Enter")
    expect(ben.locator("[data-unread]")).to_have_text("2")
    expect(ben.locator("[role=log]")).to_contain_text("Ann: what a roll")
    talk(ben)
    expect(ben.locator("[data-unread]")).to_have_count(0)
    panel = ben.get_by_role("region", name="Talk")
    expect(panel.get_by_role("list", name="Talk")).to_contain_text("Ann what a roll")
    box = panel.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    panel.get_by_placeholder("Write something").fill("indeed")
    ben.keyboard.press("Enter")
    expect(ann.locator("[data-said]")).to_have_text("Ben indeed")
    assert ben.evaluate("document.documentElement.scrollWidth") <= 390
    ben.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert ben.locator("[data-unread]").count() == 0, "one's own words are not news"
    expect(ann.locator("[data-unread]")).to_have_count(0)  # it stands in the story, which is in sight
    ben.get_by_role("button", name="Table", exact=True).click()
    ben.get_by_role("button", name="End the game now").wait_for()
    assert ben.get_by_role("button", name="Become the host").count() == 0, "the host sits there"
    ann.reload()
    ann.wait_for_selector(OFFERED)
    assert ann.locator("[data-unread], [data-bubble]").count() == 0, "what was said before is history"
