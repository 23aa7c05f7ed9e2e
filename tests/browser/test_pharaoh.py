"""Das Gold des Pharao on the page: whole games, for fingers and for everyone."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.browser import axe
from tests.browser.conftest import Visit, hold
from tests.browser.pharaoh_cases import half_fallen, last_ring
from tests.browser.pharaoh_player import CELLS, CONFIRM, END, Explorer, KeyboardExplorer
from tests.browser.pharaoh_reader import PyramidReader
from tests.browser.player import tap
from tests.browser.scripted import ScriptedTable
from tests.browser.serving import Server
from tests.page.pyramids import CORRIDOR
from tests.pharaoh.positions import at
from tests.support import SOAK

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
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


def test_nothing_is_too_small_to_touch_on_a_phone(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **PHONE)
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


THINGS = ".board [data-figure], .board .lamp, .board .treasure"
PARTS = """() => {
    const drops = (one) => one.getAnimations().filter(({ animationName }) => /-(drop|tumble)$/.test(animationName));
    const at = (one) => [...document.querySelectorAll("[data-cell]")].find((cell) => {
        const [box, own] = [cell.getBoundingClientRect(), one.getBoundingClientRect()];
        const [x, y] = [own.x + own.width / 2, own.y + own.height / 2];
        return x >= box.x && x < box.right && y >= box.y && y < box.bottom;
    }).querySelector(".tile");
    for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = 0; }
    const things = [...document.querySelectorAll(`THINGS`)].map((one) => [one.querySelector(".stands"), at(one)]);
    const told = ([one, tile]) => {
        const [thing, ground] = [one, tile].map((what) => drops(what)[0]);
        if (ground === undefined) return thing === undefined ? "stands" : "falls alone";
        if (thing === undefined) return "stays behind";
        const [when, where] = [thing, ground].map((drop) => JSON.stringify(drop.effect.getTiming()));
        // Turned around the middle of the tile, as the tile is.
        const origin = (what) => getComputedStyle(what).transformOrigin.split(" ").map(parseFloat);
        const middle = (what) => {
            const { x, y } = what.getBoundingClientRect();
            return [x, y].map((from, axis) => from + origin(what)[axis]);
        };
        const [here, there] = [one, tile].map(middle);
        return when === where && Math.hypot(here[0] - there[0], here[1] - there[1]) < 3 ? "falls" : "falls apart";
    };
    return things.map(told);
}""".replace("THINGS", THINGS)
"""What becomes of everything on the board while a ring falls: it stands, or falls with its tile."""
WHEN_IT_BEGINS = f"""() => {{
    const watching = new MutationObserver(() => {{
        if (document.querySelector(".board .drops") === null) return;
        watching.disconnect();
        window.found = ({PARTS})();
    }});
    watching.observe(document.body, {{ subtree: true, childList: true, attributes: true }});
}}"""
"""Looks at it as soon as something falls: what has fallen tells no more of how it fell."""


def test_what_stands_on_a_falling_tile_falls_with_it(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, reduced_motion="no-preference", **WIDE)
    ScriptedTable(half_fallen()).open(page, server.url)
    page.locator(".falls").first.wait_for()
    page.evaluate(WHEN_IT_BEGINS)
    page.locator(END).click()
    page.locator("[data-answer]").click()
    page.wait_for_function("() => window.found")
    found = page.evaluate("found")
    assert set(found) == {"stands", "falls"}
    falling = page.locator("[data-cell]:has(.tile.drops)")
    assert falling.count() == 9
    # No number hangs over the abyss.
    numbers = page.evaluate("""() => [...document.querySelectorAll(".falls .unseen")].map((one) => one.textContent)""")
    cells = falling.evaluate_all("all => all.map(one => one.dataset.cell)")
    names = [f"{'abcdef'[int(cell) % 6]}{int(cell) // 6 + 1}" for cell in cells]
    assert [number for number in numbers if number.split(":")[0] in names] == []
    assert numbers


RICH = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c2 H=c3 museum=2,2,2,3,3,3
    1 A=c3+2 H=c1 museum=3
"""
CUT = """() => [...document.querySelectorAll(".players .things > *")].filter((thing) => {
    const [box, own] = [thing.parentElement, thing].map((one) => one.getBoundingClientRect());
    const picture = thing.querySelector("svg")?.getBoundingClientRect() ?? own;
    return own.left < box.left - 1 || own.right > box.right + 1 || picture.bottom > box.bottom + 1
        || own.width > picture.width + 24;
}).map((thing) => thing.outerHTML.slice(0, 120))"""
"""What a player has that is not seen whole, or stands in more room than it fills."""


def test_what_everybody_has_is_seen_whole(server: Server, visit: Visit) -> None:
    page = visit(server.quiet)
    ScriptedTable(at(RICH), names=NAMES).open(page, server.url)
    page.locator(".players .things").first.wait_for()
    for width, height in ((360, 740), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == [], f"{width}×{height}"


END_OF_THE_STORY = """() => {
    const [story] = document.querySelectorAll(".side section > ol");
    const line = story.lastElementChild;
    for (let more = 0; more < 20; more += 1) story.append(line.cloneNode(true));
    story.scrollTop = story.scrollHeight;
    const { x, top, bottom } = story.lastElementChild.getBoundingClientRect();
    return [top, bottom].map((y) => story.contains(document.elementFromPoint(x + 20, y < bottom ? y + 2 : y - 2)));
}"""
"""Whether the first and the last of the newest line, of many, are in sight."""


def test_what_happened_last_is_in_sight_beside_what_can_be_done(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE)
    ScriptedTable(half_fallen(), names=("Ann", "Ben", "Cleo", "Dana")).open(page, server.url)
    page.locator(".falls").first.wait_for()
    page.locator('[data-action^="walk "]').first.click()
    page.locator(".side section > ol li").first.wait_for()
    for width, height in ((1280, 800), (1440, 900), (1600, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(END_OF_THE_STORY) == [True, True], f"{width}×{height}"


@axe.EVERY_LOCALE
def test_axe_finds_nothing_in_the_pyramid(server: Server, visit: Visit, locale: str) -> None:
    page = visit(server.quiet, locale=locale, pace="calm", faster=20, **axe.PHONE)
    found: list[str] = []

    def check(screen: str, within: str = "") -> None:
        found.extend(axe.violations(page, screen, locale, within))

    page.goto(f"{server.url}/new")
    page.locator("form select").first.select_option("pharaoh")
    check("new table")
    ScriptedTable(at(CORRIDOR), ("tile corner",), names=NAMES).open(page, server.url)
    page.locator('[data-action="walk c3"]').click()
    page.locator('[data-action="reveal c4"]').click()
    page.locator(CONFIRM).wait_for()
    check("laying", "[data-dock]")
    draws = ("tile ibis", "photo 3", "treasure 2", "treasure 3")
    ScriptedTable(at(CORRIDOR), draws, names=NAMES).open(page, server.url)
    check("table")
    page.locator('[data-pick="turn"]').click()
    page.locator("details summary").click()
    check("helper")
    page.locator("[data-why]").first.click()
    page.locator("[data-bubble]").wait_for()
    check("why not")
    page.locator(CELLS).first.click()
    check("turning")
    page.locator('[data-place="cancel"]').click()
    page.locator('[data-pick="archaeologist"]').click()
    page.locator('[data-action="walk c3"]').click()
    hold(page, ".way")
    page.locator('[data-action="reveal c4"]').click()
    page.locator(".way").first.wait_for()
    check("mummy")
    ScriptedTable(half_fallen()).open(page, server.url)
    page.locator(".falls").first.wait_for()
    check("half fallen")
    page.evaluate(CAREFUL)
    ScriptedTable(last_ring()).open(page, server.url)
    page.locator(END).click()
    page.wait_for_selector("[role=dialog]")
    check("question", "[role=dialog]")
    hold(page, ".scoring li")
    page.locator("[data-answer]").click()
    page.wait_for_selector(".scoring li")
    check("scoring", ".scoring")
    hold(page, "")
    page.wait_for_selector("[data-next]")
    check("end", ".ending")
    assert found == []
