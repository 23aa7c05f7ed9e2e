"""The odds page tells what ``serai odds`` tells, however the position got there."""

from __future__ import annotations

import json
import random
import re
from typing import Any
from urllib.parse import urlencode

from click.testing import CliRunner
from playwright.sync_api import Locator, Page

from serai.camelup.pieces import CAMEL_NAMES
from serai.camelup.position import parse_position
from serai.cli.odds import command
from tests.browser.conftest import Visit
from tests.browser.serving import Server
from tests.camelup.odds.brute import random_position
from tests.support import amount

PATH = "/g/camelup/odds"
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def told_by_the_command(position: str, *details: str) -> dict[str, Any]:
    done = CliRunner().invoke(command, ["camelup", position, "--actions", "--json", *details])
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.output)
    return told


def numbers(row: Locator) -> list[float | None]:
    """The numbers of a table row as a person reads them; None for a dash."""
    cells = row.locator("td").all_inner_texts()
    plain = [re.sub(r"[\s\u202f%]", "", cell).replace("−", "-").replace(",", ".") for cell in cells]
    return [None if cell == "–" else float(cell) for cell in plain]


def wait_for(page: Page, position: str) -> None:
    """Until the page shows the odds of this position."""
    written = str(parse_position(position))
    page.wait_for_function("told => document.querySelector('[data-odds]')?.dataset.odds === told", arg=written)


def compare(page: Page, told: dict[str, Any]) -> None:
    if not page.locator("[data-figures]").first.is_visible():
        page.locator("details", has=page.locator("[data-figures]")).locator("summary").click()
    for camel in CAMEL_NAMES:
        leg, race = told["leg"][camel], told["race"][camel]
        chances = [leg["first"], leg["second"], leg["last"], race["winner"], race["loser"]]
        shown = numbers(page.locator(f'[data-figures="chances {camel}"]'))
        assert all(abs(a - 100 * b) < 0.0501 for a, b in zip(shown, chances, strict=True) if a is not None), camel
        assert None not in shown
        values = [told["actions"].get(f"{kind} {camel}") for kind in ("leg", "winner", "loser")]
        same_values(numbers(page.locator(f'[data-figures="bets {camel}"]')), values)
    for space in range(1, 17):
        row = page.locator(f'[data-figures="tiles {space}"]')
        values = [told["actions"].get(f"{kind} {space}") for kind in ("oasis", "mirage")]
        if values == [None, None]:
            assert row.count() == 0
        else:
            same_values(numbers(row), values)


def same_values(shown: list[float | None], values: list[float | None]) -> None:
    for seen, value in zip(shown, values, strict=True):
        assert (seen is None) == (value is None)
        if seen is not None and value is not None:
            assert abs(seen - value) < 0.00501


def test_positions_agree_with_the_command(server: Server, visit: Visit) -> None:
    rng = random.Random(20)
    page = visit(server.url + PATH, viewport={"width": 1280, "height": 800})
    for _ in range(amount(6, 60)):
        position = str(random_position(rng, tiles=rng.randint(0, 7)))
        page.locator("#position").fill(position)
        wait_for(page, position)
        compare(page, told_by_the_command(position))


def test_a_position_is_set_up_by_thumb_and_travels_in_the_link(server: Server, visit: Visit) -> None:
    page = visit(server.url + PATH, locale="de-DE", **PHONE)
    page.locator('[data-piece="clear"]').tap()
    for space in (1, 3, 3, 4, 1):  # blue first; the next camel is in hand by itself
        page.locator(f'[data-space="{space}"][aria-label]').tap()
    page.locator('[data-piece="mirage"]').tap()
    page.locator('[data-space="6"][aria-label]').tap()
    for camel in (1, 3):
        page.locator(f'.die[data-die="{camel}"]').tap()
    position = "1bw 3go 4y | -6 | bow"
    assert page.locator("#position").input_value() == position
    wait_for(page, position)
    compare(page, told_by_the_command(position))
    page.locator("details summary").first.tap()
    page.locator('[data-taken="0"]').tap()
    page.wait_for_function("() => location.search.includes('taken=b1')")
    other = visit(page.url, locale="fr-FR")
    wait_for(other, position)
    compare(other, told_by_the_command(position, "--taken", "b1"))


def test_of_eight_tiles_one_is_your_own(server: Server, visit: Visit) -> None:
    position = "5g 7w 9oby | +2 +4 -6 +8 -10 +12 +14 -16 | ow"
    asked = urlencode({"position": position})
    page = visit(f"{server.url}{PATH}?{asked}", locale="fr-FR", forgive="400 (Bad Request)")
    page.get_by_text("l’une est la vôtre").wait_for()
    page.locator("[data-own]").select_option("8")
    wait_for(page, position)
    compare(page, told_by_the_command(position, "--own-tile", "8"))


def test_a_mistake_is_marked_at_its_character_in_words(server: Server, visit: Visit) -> None:
    page = visit(server.url + PATH, locale="de-DE", forgive="400 (Bad Request)")
    page.locator("#position").fill("1gyo 3bx")
    marked = page.locator("[data-column]")
    marked.wait_for()
    assert marked.get_attribute("data-column") == "7"
    assert marked.locator("mark").inner_text() == "x"
    assert "ist kein Kamel" in page.get_by_role("alert").inner_text()
    page.locator("#position").fill("1gyo 3bw | +3")
    page.get_by_text("Auf Feld 3 steht ein Kamel").wait_for()
    page.locator("#position").fill("1gyo 3bw | +5")
    wait_for(page, "1gyo 3bw | +5")
    assert page.get_by_role("alert").count() == 0


def test_the_table_leads_to_the_odds_of_its_position(server: Server, visit: Visit) -> None:
    page = visit(server.url)
    page.get_by_role("button", name="Play now").first.click()
    link = page.get_by_role("link", name="Odds of this position")
    link.wait_for()
    shown = link.get_attribute("href") or ""
    other = visit(server.url + shown)
    other.wait_for_selector("[data-figures]", state="attached")
    assert urlencode({"position": other.locator("#position").input_value()}) in shown
