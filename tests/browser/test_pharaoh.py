"""Das Gold des Pharao on the page: whole games, and the moments that decide them."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TooLate

from serai.pharaoh.position import parse_position
from serai.pharaoh.rules import PharaohState
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.pharaoh_cases import half_fallen, last_ring
from tests.browser.pharaoh_player import CELLS, CONFIRM, END, Explorer, KeyboardExplorer
from tests.browser.pharaoh_reader import PyramidReader
from tests.browser.player import tap
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.support import SOAK

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
MOVING: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "reduced_motion": "no-preference"}
"""Where much moves the screen is small: without a GPU every frame of it costs."""
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
GAMES_BY_NAMES = [("en", "en-GB", 200), ("de", "de-DE", 200), ("fr", "fr-FR", 200)] if SOAK else [("en", "en-GB", 5)]
"""Language and most rounds: few, where the pyramid need not fall."""
FEW_ROUNDS = 8
"""For a finger, in the short form: it falls in the sight of others."""
NAMES = ("Ann", "Ben")
GAME = "Das Gold des Pharao"
CAREFUL = """() => {
  const kept = JSON.parse(localStorage.getItem("serai.settings"));
  localStorage.setItem("serai.settings", JSON.stringify({ ...kept, careful: true }));
}"""
"""Asks before what cannot be undone, from the next page on."""


def finish(page: Page, hurry: str) -> None:
    """See the end of what is being shown, unless it has come already."""
    button = page.get_by_role("button", name=hurry)
    if button.is_visible():
        with suppress(TooLate):
            button.click(timeout=10_000)


def test_a_whole_game_by_touch_on_a_phone_in_german(server: Server, visit: Visit) -> None:
    page = visit(server.url, locale="de-DE", **(PHONE | {"viewport": {"width": 390, "height": 844}}))
    page.evaluate(CAREFUL)
    page.reload()
    if SOAK:
        page.locator(".game", has_text=GAME).get_by_role("button", name="Jetzt gegen Bots spielen").tap()
    else:
        page.goto(f"{server.url}/new/pharaoh")
        page.get_by_label("Wer nimmt Platz 2").select_option(label="Ein Bot")
        page.get_by_label("Höchstens so viele Runden").fill(str(FEW_ROUNDS))
        page.locator("form .button.main").tap()
        page.locator(".lobby .start").tap()
    page.locator('[data-action^="reveal"]').first.wait_for()
    # Whoever wants to is asked before the turn ends early.
    page.locator(END).tap()
    page.get_by_text("Zug beenden? Du hast noch 3 Spielzüge.").wait_for()
    tap(page.get_by_role("button", name="Abbrechen"))
    Explorer(page, random.Random(21), touch=True, patience=0.3).play_to_the_end()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("[data-over] .place").count() == (4 if SOAK else 2)
    story = page.locator("section ol li").all_inner_texts()
    ended = "stürzt" if SOAK else "Die letzte Runde ist vorbei"
    assert any(ended in line for line in story)
    assert any("Fotos" in line for line in story), "the points were counted"


@pytest.mark.skipif(not SOAK, reason="long; by touch and by a screen reader's names it is played in the short form too")
def test_a_whole_game_by_keyboard_alone_in_french(server: Server, visit: Visit) -> None:
    page = visit(server.url, locale="fr-FR", **WIDE)
    player = KeyboardExplorer(page, random.Random(22), patience=0.3)
    player.press(f'.game:has-text("{GAME}") button.main')
    player.play_to_the_end()
    assert page.locator("html").get_attribute("lang") == "fr"
    assert page.locator("[data-over] .place").count() == 4
    spoken = page.locator("[role=log] p").all_inner_texts()
    assert spoken
    assert any("pyramide s’est effondrée" in line for line in spoken)


@pytest.mark.parametrize(("language", "locale", "rounds"), GAMES_BY_NAMES)
def test_a_whole_game_by_what_a_screen_reader_says(
    server: Server, visit: Visit, language: str, locale: str, rounds: int
) -> None:
    page = visit(server.url, locale=locale, **WIDE)
    reader = PyramidReader(page, language)
    reader.play(rounds)
    every = ("reveal", "lay", "walk_archaeologist", "walk_helper", "lamp", "turned", "end")
    assert {f"pharaoh.do.{what}" for what in every} <= set(reader.done)
    ends = ("pharaoh.tell.ended_rounds", "pharaoh.tell.ended_collapse")
    assert any(reader.sentence(end).search(reader.told) for end in ends)
    page.get_by_role("heading", name=reader.sentence("ending.won")).or_(
        page.get_by_role("heading", name=reader.sentence("ending.shared"))
    ).or_(page.get_by_role("heading", name=reader.sentence("ending.you_win"))).first.wait_for()


def test_undo_step_by_step(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE)
    table = ScriptedTable(parse_position(CORRIDOR), names=NAMES)
    table.open(page, server.url)
    figure = page.locator('[data-figure="0 archaeologist"]')
    page.locator('[data-action="walk c3"]').click()
    expect(page.locator('[data-pick="archaeologist"]')).to_contain_text("c3")
    page.locator('[data-pick="helper"]').click()
    page.locator('[data-action="lamp"]').click()
    expect(page.get_by_text("1 left")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 left")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator('[data-pick="archaeologist"]')).to_contain_text("c2")
    expect(figure).to_be_visible()
    assert table.state == parse_position(CORRIDOR)


CORRIDOR = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c2 H=c3
    1 A=c3 lamps=c2
"""


HOARD = f"""{CORRIDOR.split("0 A=")[0]}
    0 A=c2 H=c2
    1 A=c2+3 H=c2
    lying c2=2
"""


def test_keys_do_what_buttons_do(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE)
    table = ScriptedTable(parse_position(CORRIDOR), ("tile corner",), names=NAMES)
    table.open(page, server.url)

    def act(*keys: str) -> PharaohState:
        """What has become of the game when the last key has done something."""
        turns = page.locator("[data-turns]")
        before = int(turns.get_attribute("data-turns") or 0)
        for key in keys:
            page.keyboard.press(key)
        expect(turns).to_have_attribute("data-turns", str(before + 1))
        assert isinstance(table.state, PharaohState)
        return table.state

    page.keyboard.press("?")
    keys = page.get_by_role("dialog").locator("kbd").filter(has_text=re.compile("^[A-Z]$"))
    expect(keys).to_have_text(list("AHBTRFLGDSEU"))
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    for key, what in (("h", "helper"), ("t", "turn"), ("a", "archaeologist")):
        page.keyboard.press(key)
        expect(page.locator(f'[data-pick="{what}"]')).to_have_attribute("aria-pressed", "true")
    lit = act("h", "l")
    assert lit.lamps != parse_position(CORRIDOR).lamps
    assert act("u") == parse_position(CORRIDOR)
    page.keyboard.press("a")
    page.keyboard.press("b")
    expect(page.locator("[data-cell] button:focus")).to_have_count(1)
    # Down, and up again to c3, and from there to what is face down on c4; every key turns the tile once.
    assert act("ArrowDown", "ArrowUp", "Enter").archaeologists[0] == 14
    hidden = page.locator('[data-action="reveal c4"]')
    expect(hidden).to_be_visible()
    page.keyboard.press("b")
    expect(hidden).to_be_focused()
    act("ArrowUp", "ArrowDown", "Enter")
    tile = page.locator('[data-action="rotate"]')
    before = tile.get_attribute("aria-label")
    page.keyboard.press("r")
    expect(tile).not_to_have_attribute("aria-label", before or "")
    assert act("f").tiles[20] > 0
    assert act("e").actor == 1
    table = ScriptedTable(parse_position(HOARD), names=NAMES)
    table.open(page, server.url)
    assert [act(key).carried[0] for key in "gds"] == [2, 0, 3]


def test_a_tile_is_turned_in_place_and_confirmed(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE)
    table = ScriptedTable(parse_position(CORRIDOR), ("tile corner",), names=NAMES)
    table.open(page, server.url)
    page.locator('[data-action="walk c3"]').click()
    page.locator('[data-action="reveal c4"]').click()
    tile = page.locator('[data-action="rotate"]')
    # The tile comes to lie so that one can go there; every touch turns it a quarter further.
    expect(tile).to_have_accessible_name("Rotate: the tile on c4 is open to east and south")
    for sides in ("south and west", "north and west", "north and east", "east and south", "south and west"):
        tile.click()
        expect(tile).to_have_accessible_name(f"Rotate: the tile on c4 is open to {sides}")
    page.locator(CONFIRM).click()
    expect(page.locator('[data-action="walk c4"]')).to_be_visible()
    # The helper turns it once more, and changes its mind.
    page.locator('[data-pick="helper"]').click()
    page.locator('[data-pick="turn"]').click()
    page.locator('[data-action="turn c4"]').click()
    page.keyboard.press("Escape")
    expect(page.locator("[data-place]")).to_have_count(0)
    page.locator('[data-action="turn c4"]').click()
    page.locator(CONFIRM).click()
    expect(page.locator("[data-cell='20'] .unseen")).to_contain_text("corner, open to: north and west")
    assert table.state.moves_left == 0


def test_the_mummy_walks_and_figures_flee(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **MOVING)
    draws = ("tile ibis", "photo 3", "treasure 2", "treasure 3")
    table = ScriptedTable(parse_position(CORRIDOR), draws, names=NAMES)
    table.open(page, server.url)
    page.locator('[data-action="walk c3"]').click()
    page.locator('[data-action="reveal c4"]').click()
    page.locator(".way.mummy").first.wait_for()
    expect(page.get_by_text("The mummy awakes").first).to_be_attached()
    finish(page, "Catch up")
    for figure in ("archaeologist", "helper"):
        expect(page.locator("[data-cell='2'] .unseen")).to_contain_text(f"{figure} of Ann")
    # Both treasures lie in the chamber, and the finder's turn is over.
    expect(page.locator("[data-cell='20'] .unseen")).to_contain_text("Treasure worth 2, Treasure worth 3")
    expect(page.get_by_text("Ben is thinking")).to_be_visible()


def test_the_curse_blows_the_lamps_out(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **MOVING)
    table = ScriptedTable(parse_position(CORRIDOR), ("tile eye", "photo 2", "treasure 3"), names=NAMES)
    table.open(page, server.url)
    page.locator('[data-action="walk c3"]').click()
    page.locator('[data-action="reveal c4"]').click()
    page.locator(".way.curse").first.wait_for()
    finish(page, "Catch up")
    expect(page.locator("[role=log]")).to_contain_text("Ben’s lamp on c2 goes out.", timeout=15_000)
    expect(page.locator(".board .lamp")).to_have_count(0)


def test_the_collapse_takes_figures_with_it(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, locale="de-DE", **MOVING)
    ScriptedTable(half_fallen()).open(page, server.url)
    # What falls next is told beforehand, on the board and in words.
    expect(page.locator("[data-cell='8'] .unseen")).to_contain_text("stürzt als Nächstes ein")
    assert page.locator(".doom").count() == 9
    expect(page.get_by_text("Am Zugende stürzt Ring 3 ein: 9 rissige Platten.")).to_be_visible()
    page.locator(".falls").first.wait_for()
    page.locator(END).click()
    # Nobody is lost without having been warned.
    page.get_by_text("Endet der Zug jetzt, sind deine beiden Figuren verloren.").wait_for()
    page.locator("[data-answer]").first.click()
    page.locator(".board .falling").first.wait_for()
    finish(page, "Überspringen")
    spoken = page.locator("[role=log]")
    lost = "Maximiliane von Hohenfels-Donnersberg verliert auf c2 den Archäologen (−2)."
    expect(spoken).to_contain_text(lost, timeout=15_000)
    expect(spoken).to_contain_text(
        "Die Tiefe verschlingt, was Maximiliane von Hohenfels-Donnersberg trägt: die Totenmaske."
    )
    assert page.locator(".board .void").count() == 25
    expect(page.locator('[data-figure="0 archaeologist"]')).to_have_count(0)


def test_a_seat_without_figures_ends_its_turn_by_itself(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE)
    lone = half_fallen_without_figures()
    ScriptedTable(lone, names=NAMES).open(page, server.url)
    expect(page.get_by_text("Ben is thinking")).to_be_visible()


def half_fallen_without_figures() -> PharaohState:
    return parse_position("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? x ? ?
        ? ? │ ? ? ?
        ? ? │ ? ? ?
        ? ? S ? ? ?
        0 A=lost H=lost
        1 museum=mask
        unseen tee=12 corner=10 straight=6 lotus=1 eye=1 falcon=1 ibis=1
        mask d4 finder=1 clock=1 ring=0
        turn 0
    """)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_too_small_to_touch_on_a_phone(server: Server, visit: Visit, theme: str) -> None:
    page = visit(server.quiet, color_scheme=theme, **PHONE)
    ScriptedTable(half_fallen()).open(page, server.url)
    page.locator(".falls").first.wait_for()
    # A question mark looks smaller than the room that a finger has on it.
    for button in page.locator("main button:not([data-help]):visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, button.inner_text()
    # What can be done is on the screen without scrolling.
    end = page.locator(END).bounding_box()
    assert end is not None
    assert end["y"] + end["height"] <= 740


@axe.EVERY_LOCALE
def test_axe_finds_nothing_in_the_pyramid(server: Server, visit: Visit, locale: str) -> None:
    page = visit(server.quiet, locale=locale, pace="calm", **axe.PHONE)
    found: list[str] = []

    def check(screen: str, within: str = "") -> None:
        found.extend(axe.violations(page, screen, locale, within))

    page.goto(f"{server.url}/new")
    page.locator("form select").first.select_option("pharaoh")
    check("new table")
    ScriptedTable(parse_position(CORRIDOR), ("tile corner",), names=NAMES).open(page, server.url)
    page.locator('[data-action="walk c3"]').click()
    page.locator('[data-action="reveal c4"]').click()
    page.locator(CONFIRM).wait_for()
    check("laying", "[data-dock]")
    draws = ("tile ibis", "photo 3", "treasure 2", "treasure 3")
    ScriptedTable(parse_position(CORRIDOR), draws, names=NAMES).open(page, server.url)
    check("table")
    page.locator('[data-pick="turn"]').click()
    page.locator("details summary").click()
    check("helper")
    page.locator("[data-why]").first.click()
    page.locator("[data-bubble]").wait_for()
    check("why not")
    page.locator(CELLS).first.click()
    check("turning")
    page.emulate_media(reduced_motion="no-preference")
    page.locator('[data-place="cancel"]').click()
    page.locator('[data-pick="archaeologist"]').click()
    page.locator('[data-action="walk c3"]').click()
    page.locator('[data-action="reveal c4"]').click()
    page.locator(".way").first.wait_for()
    page.wait_for_timeout(300)
    check("mummy")
    page.emulate_media(reduced_motion="reduce")
    ScriptedTable(half_fallen()).open(page, server.url)
    page.locator(".falls").first.wait_for()
    check("half fallen")
    page.evaluate(CAREFUL)
    ScriptedTable(last_ring()).open(page, server.url)
    page.locator(END).click()
    page.wait_for_selector("[role=dialog]")
    check("question", "[role=dialog]")
    page.locator("[data-answer]").click()
    page.wait_for_selector(".scoring li")
    check("scoring", ".scoring")
    page.wait_for_selector("[data-next]")
    check("end", ".ending")
    assert found == []
