"""The board of the pyramid can be read: nobody stands on what matters, and what is told elsewhere lights up on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from serai.core.record import Record, replay
from serai.pharaoh.events import AnyEvent, CurseSpread, FigureShutIn, MaskFound, MummyWoke, RingFell, TreasureStolen
from serai.pharaoh.position import parse_position
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.games import drop
from tests.browser.pharaoh_cases import crowded_start, last_ring
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.support import SOAK

CROWDED = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ┌ ┬ ┐ F ┐ ?
    └ ┴ S ┴ ┘ ?
    0 A=d2+3 H=d2 lamps=d2 photos=1
    1 A=d2+3 H=d2 lamps=d2
    2 A=d2+2 H=d2 lamps=d2
    3 A=d2+2 H=d2 lamps=d2
    lying d2=2
    turn 0 moves=3
"""

COVERED = """() => {
    const box = (one) => one.getBoundingClientRect();
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const found = [];
    for (const figure of document.querySelectorAll("[data-figure]")) {
        const cell = document.querySelector(`[data-cell="${figure.dataset.at}"]`);
        const [own, { left, top, width, height }] = [box(figure), box(cell)];
        const [x, y] = [left + width / 2, top + height / 2];
        const across = { left, right: left + width, top: y - 2, bottom: y + 2 };
        const down = { left: x - 2, right: x + 2, top, bottom: top + height };
        const sign = { left: x - width / 5, right: x + width / 5, top: y - height / 5, bottom: y + height / 5 };
        const hints = [...cell.querySelectorAll(":is(.walk, .turn, .reveal) .hint, .hint b, .turnable")].map(box);
        const carried = [...figure.querySelectorAll(".carried")].map(box);
        for (const one of [own, ...carried])
            if ([across, down, sign, ...hints].some((other) => meet(one, other))) found.push(figure.dataset.figure);
    }
    return found;
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 800)])
def test_nobody_stands_on_a_passage_a_sign_or_a_marker(server: Server, visit: Visit, width: int, height: int) -> None:
    page = visit(server.quiet, viewport={"width": width, "height": height})
    ScriptedTable(parse_position(CROWDED)).open(page, server.url)
    expect(page.locator("[data-figure]")).to_have_count(8)
    assert page.evaluate(COVERED) == []
    page.locator('[data-pick="helper"]').click()
    expect(page.locator(".hint b").first).to_be_visible()
    assert page.evaluate(COVERED) == []
    page.locator('[data-pick="turn"]').click()
    expect(page.locator('[data-action^="turn"]').first).to_be_visible()
    assert page.evaluate(COVERED) == []
    ScriptedTable(crowded_start()).open(page, server.url)
    expect(page.locator("[data-at='2']")).to_have_count(8)
    assert page.evaluate(COVERED) == []


TALL: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
GOLDEN = Path(__file__).parents[1] / "golden" / "pharaoh"
MOMENTS: dict[str, tuple[str, type[AnyEvent], tuple[str, ...], str]] = {
    "mummy": (
        "mummy-frightens-rivals", MummyWoke, ("[data-flash]", "[data-picture]", "[data-omen=mummy]"),
        "The mummy awakes",
    ),
    "curse": (
        "curse-blows-out-lamps-of-several", CurseSpread, ("[data-picture]", "[data-omen=curse]", ".smoke"),
        "The curse blows out the lamps",
    ),
    "mask": ("mask-brought-to-safety", MaskFound, ("[data-picture]", ".glory"), "the death mask"),
    "theft": ("theft", TreasureStolen, (".note", ".flight"), "steals a treasure"),
    "shut in": ("somebody-is-shut-in", FigureShutIn, (".note.grave", "[data-walls]"), "is shut in on"),
    "collapse": ("ring-takes-several-figures", RingFell, (".board .cracking", ".dust", ".sun"), "Ring 1 falls"),
}  # fmt: skip
"""The golden record, what it leads to, what is then seen on the board, and what is told."""
FASTER = """(() => {
    const later = window.setTimeout;
    window.faster = 1;
    window.setTimeout = (then, ms = 0, ...given) => later(then, ms > 5000 ? ms : ms / faster, ...given);
})()"""
"""Lets time run faster, once the page has all it needs to show what happens."""


LOOK_OUT = """wanted => {
    window.lookedFor = new Set(wanted);
    const look = () => wanted.filter((one) => document.querySelector(one)).forEach((one) => lookedFor.delete(one));
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Remembers what has not been seen yet, however short it is there."""


def moment_of(text: str, kind: type[AnyEvent]) -> int:
    """How many actions of players come before the one that leads to the first event of a kind."""
    acted = 0
    for ply in replay(Record.read(text)):
        acted += not ply.drawn
        if any(isinstance(event, kind) for event in ply.events):
            return acted - 1
    raise AssertionError(f"the record has no {kind.__name__}")


def test_great_moments_of_golden_records_are_seen_and_told(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", pace="brisk", **TALL)
    page.add_init_script(FASTER)
    page.goto(f"{server.url}/replay")
    page.get_by_text("Watch a saved game").wait_for()
    shown = ""
    found: list[str] = []
    for name, kind, seen, said in MOMENTS.values():
        text = (GOLDEN / f"{name}.serai").read_text()
        # Some records have several of them.
        if text != shown:
            drop(page, "game.serai", text)
            page.wait_for_selector("[data-position='0']")
        shown = text
        page.locator("input[type=range]").fill(str(moment_of(text, kind)))
        page.evaluate(LOOK_OUT, list(seen))
        page.get_by_role("button", name="One step forward").click()
        page.wait_for_function("() => window.lookedFor.size === 0")
        page.locator("[role=log]", has_text=said).wait_for(state="attached")
        page.locator("[data-resting=true]").first.wait_for(state="attached")
        page.evaluate("window.faster = 2")
        if SOAK:
            found += axe.violations(page, f"after {name}", "en-GB")
    assert found == []


def test_the_end_tells_what_everybodys_points_are_made_of(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, viewport={"width": 360, "height": 640})
    ScriptedTable(last_ring()).open(page, server.url)
    page.locator('[data-action="end"]').click()
    page.locator(".ending, [data-answer]").first.wait_for()
    if page.locator("[data-answer]").count():
        page.locator("[data-answer]").first.click()
    lines = page.locator(".ending ol li")
    expect(lines.locator("[data-part]").first).to_be_visible()
    found = {}
    for line in lines.all():
        parts = {
            one.get_attribute("data-part"): one.locator("b").inner_text() for one in line.locator("[data-part]").all()
        }
        worth = sum(int(points.replace("−", "-")) for points in parts.values())
        assert worth == int(line.locator(".score").inner_text().replace("−", "-"))
        found[line.locator("> b").inner_text()] = parts
    assert found["Jürgen"] == {"photos": "1", "losses": "−3"}


def test_a_line_of_the_story_and_a_player_light_up_what_they_are_about(server: Server, visit: Visit) -> None:
    wide: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
    page = visit(server.quiet, **wide)
    ScriptedTable(parse_position(CROWDED)).open(page, server.url)
    page.locator('[data-action="walk e2"]').click()
    line = page.locator("ol li", has_text="e2").last
    line.hover()
    expect(page.locator("[data-spot]")).to_have_count(1)
    expect(page.locator('[data-spot="10"]')).to_be_visible()
    page.mouse.move(5, 5)
    expect(page.locator("[data-spot]")).to_have_count(0)
    page.locator("section > ol[tabindex]").focus()
    expect(page.locator('[data-spot="10"]')).to_be_visible()
    page.get_by_role("button", name="Show Jürgen on the board").focus()
    expect(page.locator("[data-spot]")).to_have_count(0)
    expect(page.locator("[data-figure].lit")).to_have_count(2)
    expect(page.locator('[data-figure="3 helper"].lit')).to_be_visible()
