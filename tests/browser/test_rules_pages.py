"""The rules of every game in three languages, and the way to them from the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serai.core.registry import games
from tests.browser.conftest import Visit
from tests.browser.serving import Server

FOLDER = Path(__file__).parents[2] / "web" / "src" / "games"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("game", games())
def test_rules_are_shown_whole(server: Server, visit: Visit, game: str, locale: str) -> None:
    text = json.loads((FOLDER / game / "rules" / f"{locale[:2]}.json").read_text())
    page = visit(f"{server.url}/g/{game}/rules", locale=locale)
    for section in text["sections"]:
        shown = page.locator(f"section#{section['key']}")
        assert shown.locator("h2").inner_text() == section["title"]
    assert page.locator("main").inner_text().count("[") == 0
    assert page.locator("[data-rules] + small").count() == page.locator("[data-rules]").count() > 50
    for drawing in page.locator("[data-drawing]").all():
        assert drawing.locator("svg rect, svg path").count() > 3, drawing.get_attribute("data-drawing")


def test_the_address_leads_to_a_section(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/g/camelup/rules#mirage", viewport={"width": 360, "height": 740})
    page.wait_for_function("() => Math.abs(document.querySelector('#mirage')?.getBoundingClientRect().top - 10) < 40")
    page.get_by_role("navigation").get_by_role("link", name="Rolling").click()
    page.wait_for_function("() => Math.abs(document.querySelector('#roll')?.getBoundingClientRect().top - 10) < 40")


def test_questions_at_the_table_are_answered_by_the_rules(server: Server, visit: Visit) -> None:
    page = visit(server.url, viewport={"width": 360, "height": 740}, has_touch=True)
    page.get_by_role("button", name="Play now").first.click()
    page.wait_for_selector('[data-action="roll"]')
    for section, title in [("leg_bet", "Betting on the leg"), ("race_bet", "Betting on the race"), ("roll", "Rolling")]:
        page.locator(f'[data-help="{section}"]').tap()
        page.get_by_role("dialog").get_by_role("heading", name=title).wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        assert page.evaluate("document.activeElement.dataset.help") == section
