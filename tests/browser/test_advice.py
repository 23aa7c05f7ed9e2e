"""The pyramid explains itself: reasons where nothing is to be done, reach, few taps, warnings; nothing by the book."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from serai.pharaoh.events import MaskFound
from serai.pharaoh.pieces import CELL_NAMES
from serai.pharaoh.position import parse_position
from tests.browser.conftest import Visit
from tests.browser.games import drop
from tests.browser.pharaoh_player import END
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.browser.test_pyramid import GOLDEN, moment_of

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


LIT = WINDING.replace("└ ┐ ?\n    ? └", "┴ ┐ ?\n    ? └").replace("A=c2", "A=d3").replace("lamps=b3", "lamps=e3,e2")


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
    page = visit(server.quiet, **PHONE)
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
    page = visit(server.quiet, **PHONE)
    table = opened(page, server, WINDING)
    tap = Finger(page)
    # How many moves away every cell in reach is.
    reached = {
        cell: page.locator(f'[data-cell="{CELL_NAMES.index(cell)}"] .hint b').inner_text()
        for cell in ("b2", "b3", "c4")
    }
    assert reached == {"b2": "1", "b3": "2", "c4": "3"}
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
    page = visit(server.quiet, **PHONE)
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
    page = visit(server.quiet, viewport={"width": 1280, "height": 800})
    opened(page, server, WINDING.replace("A=c2", "A=e1").replace("lamps=b3", "lamps=e2,e3"))
    way, omen = page.locator("polyline.way"), page.locator("path.omen")
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
    assert (omen.get_attribute("d") or "").count("L") == 2
    # Which photos are left is known to all.
    page.locator("details summary").click()
    for photo in ("1 treasure", "1, curse", "2, mummy"):
        expect(page.locator("details")).to_contain_text(f"photo: {photo}: not found yet")


def test_the_way_home_the_rings_and_a_fatal_end_are_told(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **PHONE)
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
    expect(page.get_by_role("button", name="Turn it like this")).to_have_count(2)
    expect(page.get_by_text("Ben: the archaeologist would have no way home.")).to_be_visible()
    tap('[data-why="a1"]')
    expect(page.locator("[data-tick]")).to_have_count(0)


def test_a_fatal_end_for_both_figures_is_one_sentence(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **PHONE)
    opened(page, server, COUNTING_DOWN.replace("A=d4", "A=d6"))
    page.locator(END).tap()
    said = page.get_by_role("dialog", name="If you end the turn now, both your figures are lost.", exact=True)
    expect(said).to_be_visible()
    # Whoever is lost already needs no warning, but the word.
    opened(page, server, COUNTING_DOWN.replace("H=d6", "H=lost"))
    expect(page.locator('[data-pick="helper"]').get_by_text("lost")).to_be_visible()


def test_ways_are_drawn_for_fingers_too(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **PHONE)
    tap, bubble = Finger(page), page.locator("[data-bubble]")
    opened(page, server, LIT)
    # Where a lamp can be put up, and how far the lit run goes, is seen without pointing at anything.
    expect(page.locator(f'[data-lamp="{CELL_NAMES.index("b2")}"]')).to_be_visible()
    expect(page.locator("polyline.run")).to_have_count(2)
    # Whoever touches the figure in hand is shown what a chamber would wake.
    tap('[data-pick="archaeologist"]')
    expect(page.locator("path.omen")).to_have_count(1)
    expect(bubble).to_contain_text("Mummy or curse would come along the dashed violet way.")
    tap('[data-pick="helper"]')
    expect(page.locator("path.omen")).to_have_count(0)


def test_rivals_ways_home_are_shown(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **PHONE)
    opened(page, server, COUNTING_DOWN)
    tap, bubble = Finger(page), page.locator("[data-bubble]")
    page.get_by_role("button", name="Show Ben on the board").tap()
    expect(page.locator("[data-home]")).to_have_count(2)
    way = page.locator('[data-home="1 archaeologist"]').get_attribute("points") or ""
    assert len(way.split()) == 6
    expect(bubble).to_have_text(
        "Archaeologist of Ben: 5 moves home, 1 turn left: safe. Helper of Ben: 2 moves home, 3 turns left: safe."
    )
    expect(page.locator("[data-board]")).to_be_in_viewport(ratio=1)
    # On the board, too, where somebody stands; and before anything falls.
    opened(page, server, WINDING.replace("0 A=c2 H=b2", "0 A=b4 H=b2").replace("turn 0", "turn 1"))
    tap('[data-why="b4"]')
    expect(page.locator('[data-home="0 archaeologist"]')).to_have_count(1)
    expect(bubble).to_have_text("Ben’s turn Archaeologist: 3 moves home.")
    tap('[data-why="a1"]')
    expect(page.locator("[data-home]")).to_have_count(0)
    expect(bubble).to_have_text("Ben’s turn")


def test_a_tapped_line_of_the_story_brings_the_board_into_sight(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **{**PHONE, "viewport": {"width": 360, "height": 640}})
    opened(page, server, WINDING)
    Finger(page)('[data-action="walk b2"]')
    line = page.locator("ol li", has_text="b2").last
    line.scroll_into_view_if_needed()
    expect(page.locator("[data-board]")).not_to_be_in_viewport(ratio=0.9)
    line.tap()
    expect(page.locator(f'[data-spot="{CELL_NAMES.index("b2")}"]')).to_be_in_viewport()
    expect(page.locator('[data-figure="0 archaeologist"].lit')).to_be_in_viewport()
    expect(page.locator("[data-board]")).to_be_in_viewport(ratio=0.9)


def test_arrow_keys_come_to_every_cell(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, viewport={"width": 1280, "height": 800})
    opened(page, server, WINDING)
    bubble = page.locator("[data-bubble]")
    expect(page.locator('[data-action="walk b2"]')).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator("[data-cell] :focus")).to_have_count(1)
    page.locator('[data-action="walk b2"]').focus()
    for key in ("ArrowLeft", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator('[data-why="a1"]')).to_be_focused()
    expect(bubble).to_have_text("a1 is not next to your archaeologist.")
    # While others play there is nothing to be done anywhere, and that is said.
    page.locator(END).click()
    expect(page.get_by_text("Ben is thinking")).to_be_visible()
    page.locator('[data-why="a6"]').click()
    expect(bubble).to_have_text("Ben’s turn")
    page.locator('[data-why="c1"][tabindex="0"]').focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator('[data-why="c2"]')).to_be_focused()
    expect(bubble).to_contain_text("Ben’s turn")


HESITATE = """
    const pressed = new Promise((done) =>
        addEventListener("click", ({ target }) => target.closest("[data-action=end]") && done(), true));
    const hurried = window.fetch;
    window.fetch = async (what, how) => {
        if (String(what).includes("/advice")) await pressed;
        return hurried(what, how);
    };
"""
"""Advice is asked for only once somebody has pressed what ends the turn."""


def test_a_turn_does_not_end_before_its_warning_has_come(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **PHONE)
    page.add_init_script(HESITATE)
    table = opened(page, server, COUNTING_DOWN)
    page.locator(END).tap()
    expect(page.get_by_text("If you end the turn now, your helper is lost.")).to_be_visible()
    assert table.state.turn == 0


def test_a_game_looked_back_upon_explains_itself_too(server: Server, visit: Visit) -> None:
    text = (GOLDEN / "mask-brought-to-safety.serai").read_text()
    page = visit(f"{server.url}/replay", **PHONE)
    page.get_by_text("Watch a saved game").wait_for()
    drop(page, "game.serai", text)
    page.wait_for_selector("[data-position]")
    page.locator("input[type=range]").fill(str(moment_of(text, MaskFound) + 1))
    expect(page.locator(".falls")).not_to_have_count(0)
    page.locator('li:has([data-purse="0"])').tap()
    expect(page.locator("[data-home]")).not_to_have_count(0)
    expect(page.locator("[data-bubble]")).to_contain_text("moves home")
    # Further back nothing falls yet.
    page.locator("input[type=range]").fill("1")
    expect(page.locator(".falls")).to_have_count(0)


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
    # How many photos are left can be counted; what they show is for those who remember.
    page.locator("details summary").tap()
    expect(page.locator("details")).to_contain_text("5 photos")
    expect(page.locator("details")).not_to_contain_text("photo:")
    assert [url for url in asked if "/advice" in url] == []
