"""Small, low and zoomed screens: every action can be reached, and nothing lies over the board."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from tests.browser.games import drop, golden_record
from tests.browser.hard_cases import for_the_readme
from tests.browser.pharaoh_cases import half_fallen
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.support import amount

SIZES = [(360, 640), (320, 640), (390, 844), (844, 390), (640, 400), (1024, 768), (1280, 800)]
TABLES = {"camelup": for_the_readme, "pharaoh": half_fallen}

MISSED = """() => [...document.querySelectorAll(
        "[data-action], [data-pick], [data-place], [data-undo], header a, header button")]
    .filter((thing) => thing.checkVisibility() && thing.ariaDisabled !== "true" && !thing.disabled)
    .filter((thing) => {
        thing.scrollIntoView({ block: "nearest", inline: "nearest" });
        const box = thing.getBoundingClientRect();
        const hits = [0.3, 0.5, 0.7].flatMap((x) => [0.3, 0.5, 0.7].map((y) =>
            document.elementFromPoint(box.x + box.width * x, box.y + box.height * y)));
        return hits.filter((hit) => hit !== null && thing.contains(hit)).length < 5;
    })
    .map((thing) => thing.outerHTML.slice(0, 120))"""
"""What is offered and cannot be hit by a finger once it has been scrolled to."""

OVER_THE_BOARD = """() => {
    const found = new Set();
    const board = document.querySelector("[data-board]");
    const { x, y, width, height } = board.getBoundingClientRect();
    for (let across = 0.02; across < 1; across += 0.06) {
        for (let down = 0.02; down < 1; down += 0.06) {
            const hit = document.elementFromPoint(x + across * width, y + down * height);
            if (hit !== null && !board.contains(hit) && !hit.contains(board)) found.add(hit.outerHTML.slice(0, 120));
        }
    }
    return [...found];
}"""
"""What lies over the part of the board that is in sight, wherever the page is scrolled to."""


STAYING = """() => [...document.querySelectorAll("body *")]
    .filter((one) => ["fixed", "sticky"].includes(getComputedStyle(one).position) && one.checkVisibility())
    .filter((one) => one.getBoundingClientRect().width > 1 && !one.matches(".flight"))
    .map((one) => ("dock" in one.dataset ? "dock" : one.contains(document.querySelector("[data-board]")) ? "board"
        : one.outerHTML.slice(0, 120)))"""
"""What stays where it is while the page is scrolled."""


@pytest.mark.parametrize("game", TABLES)
def test_every_action_is_reached_and_nothing_covers_the_board(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.quiet, has_touch=True)
    ScriptedTable(TABLES[game]()).open(page, server.url)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(60)
        size = f"{width}×{height}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, size
        assert page.evaluate(OVER_THE_BOARD) == [], size
        board = page.locator("[data-board]").bounding_box()
        assert board is not None
        assert board["y"] + board["height"] <= height, f"{size}: the whole board is in sight"
        assert page.evaluate(MISSED) == [], size
        assert page.evaluate(OVER_THE_BOARD) == [], f"{size}, scrolled"
        # While the rest is scrolled the dock stays, and the board where there is room beside it.
        assert page.evaluate(STAYING) == (["board", "dock"] if width > height else ["dock"]), size
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        board = page.locator("[data-board]").bounding_box()
        assert board is not None
        assert width < height or (board["y"] >= 0 and board["y"] + board["height"] <= height), f"{size}, at the end"


@pytest.mark.parametrize("game", TABLES)
def test_a_replay_on_a_low_screen_leaves_the_board_its_room(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.quiet, has_touch=True)
    room = {}
    for size in ((844, 390), (740, 360)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        ScriptedTable(TABLES[game]()).open(page, server.url)
        room[size] = page.locator("[data-board]").bounding_box()
    page.goto(f"{server.url}/replay")
    page.get_by_text("Watch a saved game").wait_for()
    drop(page, "game.serai", golden_record(game))
    page.wait_for_selector("[data-position]")
    for size, live in room.items():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(60)
        board = page.locator("[data-board]").bounding_box()
        assert board is not None
        assert live is not None
        assert board["width"] >= live["width"] - 1, size
        assert page.evaluate(OVER_THE_BOARD) == [], size


CUT = """() => [...document.querySelectorAll("[data-choice] .sheet, [data-told-of] *, [data-dock] .text")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
    .map((one) => one.textContent)"""
"""What is to be read and does not fit where it stands."""


def test_what_is_said_and_asked_over_the_board_fits_it(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, has_touch=True, locale="de-DE")
    for width, height in SIZES[:: amount(2, 1)]:
        page.set_viewport_size({"width": width, "height": height})
        ScriptedTable(for_the_readme(), names=("Ann", "Ben", "Cleo", "Dana")).open(page, server.url)
        page.locator('[data-action="tile"]').last.click()
        page.locator('[data-action="desert 14"]').click()
        page.locator("[data-answer=lay]").wait_for()
        assert page.evaluate(CUT) == [], f"{width}×{height}"
        page.locator("[data-answer=lay]").click()
        page.locator("[data-told-of]").wait_for()
        assert page.evaluate(CUT) == [], f"{width}×{height}"


def test_what_flies_is_as_large_as_a_piece(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", pace="calm", faster=1)
    ScriptedTable(for_the_readme(), ("die green 2",)).open(page, server.url)
    page.evaluate(
        """() => {
            window.flown = [];
            new MutationObserver(() => {
                const piece = document.querySelector(".flight > *");
                // The die is on its way to its tent for a moment only: on a busy machine it would not be seen.
                if (piece?.classList.contains("die")) held = "";
                else if (document.querySelector("[data-rolled] .die")) held = "body:not(:has([data-rolled] .die))";
                if (piece) flown.push([piece.className.split(" ")[0], piece.offsetWidth, piece.offsetHeight]);
            }).observe(document.body, { subtree: true, childList: true });
        }"""
    )
    page.locator('[data-action="roll"]').click()
    page.locator("[data-resting=false]").wait_for(state="attached")
    page.locator("[data-resting=true]").wait_for(state="attached")
    flown = page.evaluate("flown")
    assert {kind for kind, _, _ in flown} == {"pyramid", "die", "coin"}
    assert all(15 < width < 60 and 15 < height < 60 for _, width, height in flown), flown


def test_on_a_phone_on_its_side_every_game_can_be_played_without_scrolling(server: Server, visit: Visit) -> None:
    page = visit(server.url, viewport={"width": 844, "height": 390})
    games = page.locator("[data-game] .button.main")
    games.first.wait_for()
    assert games.count() == len(TABLES)
    bottoms = games.evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
    assert max(bottoms) <= 390
