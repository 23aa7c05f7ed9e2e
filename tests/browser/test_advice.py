"""The pyramid explains itself: reasons where nothing is to be done, reach, few taps, warnings; nothing by the book."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from serai.pharaoh.position import parse_position
from tests.browser.conftest import Visit
from tests.browser.pharaoh_player import END
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NAMES = ("Ann", "Ben")
WINDING = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ┌ ─ ┐ ? ?
    ? │ ? └ ┐ ?
    ? └ ┐ ? │ ?
    ? ? S ? │ ?
    0 A=c2 H=b2 lamps=b3
    1 A=c4
    turn 0 ply=9
"""
COUNTING_DOWN = """
    ? ? ? L ? ?
    ? ? ? │ ? ?
    ? ? ┌ ┘ ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=d4 H=d6
    1 A=d5 H=c3
    mask d6 finder=0 countdown=1
    lying d6=mask
    turn 0 ply=9
"""


class Finger:
    """Taps, and counts how often."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def __call__(self, selector: str) -> None:
        self.taps += 1
        self.page.locator(selector).tap()


def opened(page: Page, server: Server, position: str, draws: tuple[str, ...] = ()) -> ScriptedTable:
    table = ScriptedTable(parse_position(position), draws, names=NAMES)
    table.open(page, server.url)
    return table


def test_whatever_offers_nothing_says_why(server: Server, visit: Visit) -> None:
    page = visit(server.url, **PHONE)
    opened(page, server, WINDING)
    tap, bubble = Finger(page), page.locator("[data-bubble]")
    tap('[data-why="f6"]')
    expect(bubble).to_have_text("f6 is not next to your archaeologist.")
    tap('[data-why="b1"]')
    expect(bubble).to_have_text("b1 is not next to your archaeologist.")
    tap('[data-pick="helper"]')
    expect(bubble).to_have_count(0)
    tap('[data-why="d2"]')
    expect(bubble).to_have_text("d2 is face down: reveal it first.")
    tap('[data-pick="turn"]')
    tap('[data-why="e1"]')
    expect(bubble).to_have_text("e1 is not next to your helper.")
    # A figure says what it cannot do, and its caption what it can.
    expect(page.locator('[data-pick="archaeologist"] small')).to_have_text("walk")
    expect(page.locator('[data-pick="helper"] small')).to_have_text("walk · turn · lamp")
    opened(page, server, "? ? ? ? ? ?\n" * 5 + "? ? S ? ? ?")
    expect(page.locator('[data-pick="archaeologist"] small')).to_have_text("reveal")
    tap('[data-pick="helper"]')
    expect(bubble).to_have_text(
        "No way leads on from c1. No tile in reach of c1 can be turned. The start tile takes no lamp."
    )


def test_a_walk_of_three_moves_takes_two_taps(server: Server, visit: Visit) -> None:
    page = visit(server.url, **PHONE)
    table = opened(page, server, WINDING)
    tap = Finger(page)
    far = page.locator('[data-go="c4"]')
    expect(far).to_have_accessible_name("Archaeologist walks to c4: 3 moves")
    tap('[data-go="c4"]')
    expect(page.locator("polyline.way")).to_have_count(1)
    assert table.state.moves_left == 3, "the first tap only shows the way"
    tap('[data-go="c4"]')
    expect(page.locator('[data-figure="0 archaeologist"]')).to_have_attribute("data-at", "20")
    assert table.state.moves_left == 0
    assert tap.taps == 2


def test_a_turn_of_three_reveals_takes_seven_taps(server: Server, visit: Visit) -> None:
    page = visit(server.url, **PHONE)
    table = opened(page, server, "? ? ? ? ? ?\n" * 5 + "? ? S ? ? ?", ("tile tee", "tile corner", "tile straight"))
    tap = Finger(page)
    for cell in ("c2", "b1", "d1"):
        tap(f'[data-action="reveal {cell}"]')
        tap("[data-tick]")
    tap(END)
    expect(page.get_by_text("Ben is thinking")).to_be_visible()
    assert table.state.turn == 1
    assert tap.taps <= 7


def test_ways_are_drawn_before_they_are_taken(server: Server, visit: Visit) -> None:
    page = visit(server.url, viewport={"width": 1280, "height": 800})
    opened(page, server, WINDING.replace("A=c2", "A=e1").replace("lamps=b3", "lamps=e2,e3"))
    way, omen = page.locator("polyline.way"), page.locator("polyline.omen")
    # A lit run is one move, and a path of several cells.
    page.locator('[data-action="walk d3"]').hover()
    expect(way).to_have_count(1)
    assert len((way.get_attribute("points") or "").split()) == 4
    page.mouse.move(5, 5)
    expect(way).to_have_count(0)
    opened(page, server, COUNTING_DOWN.replace("A=d4", "A=c3").replace("│ ? ? ?\n    ? ? S", "├ ? ? ?\n    ? ? S"))
    page.locator('[data-action="walk c2"]').click()
    page.locator('[data-action="reveal d2"]').focus()
    expect(omen).to_have_count(1)
    assert len((omen.get_attribute("points") or "").split()) == 3
    # Which photos are left is known to all.
    page.locator("details summary").click()
    for photo in ("1 treasure", "1, curse", "2, mummy"):
        expect(page.locator("details")).to_contain_text(f"photo: {photo}: not found yet")


def test_the_way_home_the_rings_and_a_fatal_end_are_told(server: Server, visit: Visit) -> None:
    page = visit(server.url, **PHONE)
    opened(page, server, COUNTING_DOWN)
    tap = Finger(page)
    brief = page.locator('[data-pick="archaeologist"] .brief')
    expect(brief).to_have_text("⌂ 4 · safe")
    assert brief.get_attribute("title") == (
        "4 moves home, 3 turns left: safe. If nobody takes the mask or moves a wall."
    )
    rings = page.locator(".falls").all_inner_texts()
    assert [text.split()[0] for text in rings].count("1") == 1
    assert len(rings) == 35
    tap(END)
    asked = page.get_by_text("If you end the turn now, your helper is lost.")
    asked.wait_for()
    page.get_by_role("button", name="Cancel").tap()
    expect(asked).to_have_count(0)
    # Turning this tile would shut Ben in, and says so before it is done.
    tap('[data-pick="helper"]')
    tap('[data-action="walk d5"]')
    tap('[data-pick="turn"]')
    tap('[data-action="turn d5"]')
    expect(page.get_by_text("Ben: the archaeologist would have no way home.")).to_be_visible()
    tap('[data-why="a1"]')
    expect(page.locator("[data-tick]")).to_have_count(0)


def test_a_table_by_the_book_tells_nothing(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/new?game=pharaoh", **PHONE)
    page.locator("form select").first.select_option("pharaoh")
    advice = page.get_by_label("The game gives advice")
    expect(advice).to_be_checked()
    advice.uncheck()
    page.locator("form select").nth(2).select_option("bot")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Set up the table").tap()
    expect(page.get_by_text("By the book: the game gives no advice")).to_be_visible()
    page.locator("[data-start], button.main").first.tap()
    page.locator('[data-action^="reveal"]').first.wait_for()
    # Neither a touch of a cell nor one of a figure asks for anything.
    page.locator("[data-cell='35']").tap()
    page.locator('[data-pick="helper"]').tap()
    page.wait_for_load_state("networkidle")
    assert page.locator("[data-why], [data-go]").count() == 0
    assert [url for url in asked if "/advice" in url] == []
