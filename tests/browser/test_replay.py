"""Looking back: at a game of one's own, at a record, at the dice."""

from __future__ import annotations

import difflib
import random
import re
import secrets
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from serai import game as find_game
from serai import games
from tests.browser.conftest import Visit
from tests.browser.games import drop, golden_record, known_as, play_watched, played_games
from tests.browser.player import Player, tap
from tests.browser.serving import Server
from tests.support import amount

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


DRAWN = """parts => {
    const drawn = (node) => {
        if (node.nodeType === Node.TEXT_NODE) return node.textContent.trim();
        if (node.nodeType !== Node.ELEMENT_NODE || node.querySelector(":scope > ol[tabindex]")) return "";
        if (node.hasAttribute("data-advice") || node.hasAttribute("data-bubble")) return "";
        if (getComputedStyle(node).visibility === "hidden") return "";
        const upright = (_, degrees) => `rotate(${((degrees % 360) + 360) % 360}deg)`;
        const kept = Array.from(node.attributes).filter(
            ({ name, value }) => name !== "data-mood" && `${name}${value}` !== "style",
        );
        const attributes = kept.map(({ name, value }) =>
            `${name}=${name === "class" ? value.split(" ").filter((one) => one && one !== "live").sort().join(" ")
                : value.replace(/rotate\\((-?\\d+)deg\\)/g, upright)}`);
        return [node.tagName, ...attributes.sort(), ...Array.from(node.childNodes, drawn)].filter(Boolean).join("\\n");
    };
    return parts.map(drawn);
}"""
"""Elements with attributes and text in a fixed order, turns beyond a whole one taken off, without the marks that the
page's machinery leaves, without log and chat, and without the mark of a table at which something can be done. What is
hidden is left out, too: the switch for the odds keeps its place at the end of live play, and a replay never has it. So
is advice, which comes when it has been worked out, and what bots say and how they look, which passes."""


def check_same(shown: list[str], wanted: list[str], when: str = "") -> None:
    """Two screens are the same; else it is said line by line where they differ."""
    old, new = ("\n".join(screen).split("\n") for screen in (wanted, shown))
    differing = "\n".join(difflib.unified_diff(old, new, lineterm=""))
    assert not differing, when + differing


def screen(page: Page, part: str = "main .table") -> list[str]:
    """What the game's own table shows, or a part of it."""
    page.wait_for_selector("[data-resting=true], [data-over]")
    found: list[str] = by_name(page.locator(part).evaluate_all(DRAWN))
    assert found
    return found


def by_name(shown: list[str]) -> list[str]:
    """What a player's own table shows, as others are shown it: they read the name of whom the player reads as you."""
    named = [re.sub(r"\byour (card|mirage|oasis)\b", r"\1 of Guest", part) for part in shown]
    return [re.sub(r"\bYou\b", "Guest", part.replace("You win.", "Guest wins.")) for part in named]


def check_draws(page: Page) -> None:
    page.get_by_role("button", name="Game").click()
    page.get_by_role("button", name="Check the draws").click()


def moment(page: Page) -> int:
    return int(page.locator("[data-position]").get_attribute("data-position") or "")


def choose(page: Page, folder: Path, text: str) -> None:
    file = folder / "game.serai"
    file.write_text(text)
    page.locator("input[type=file]").set_input_files(file)


def test_a_replay_forwards_and_backwards_ends_on_the_screen_of_live_play_and_its_draws_hold(
    server: Server, visit: Visit
) -> None:
    page = visit(server.url, **WIDE)
    page.get_by_role("button", name="Play now").first.click()
    Player(page, random.Random(5)).play_to_the_end()
    live = screen(page)
    page.get_by_role("link", name="Replay").first.click()
    page.wait_for_selector("[data-position]")
    assert moment(page) == 0
    first = screen(page)
    last = int(page.locator("input[type=range]").get_attribute("max") or "")
    begin = last - amount(min(20, last), last)
    page.locator("input[type=range]").fill(str(begin))
    for n in range(begin + 1, last + 1):
        page.keyboard.press("ArrowRight")
        assert moment(page) == n
    check_same(screen(page), live)
    forwards = {}
    for n in range(last - 1, last - 6, -1):
        page.get_by_role("button", name="One step back").click()
        forwards[n] = screen(page)
    page.keyboard.press("Home")
    check_same(screen(page), first)
    expect(page.get_by_role("log")).to_contain_text("starts on space")
    page.get_by_role("button", name="To the end").click()
    check_same(screen(page), live)
    for n, seen in forwards.items():
        page.locator("input[type=range]").fill(str(n - 1))
        page.get_by_role("button", name="One step forward").click()
        check_same(screen(page), seen)

    check_draws(page)
    page.wait_for_selector("[data-dice=hold]")
    told = page.get_by_label("Check the draws").inner_text()
    assert "the very fingerprint that this browser saw" in told
    assert "✗" not in told
    assert "–" not in told
    page.get_by_role("button", name="Close").click()
    page.wait_for_selector("[data-dice]", state="detached")


@pytest.mark.parametrize("game", games())
def test_every_game_replays_to_the_screen_that_its_player_saw(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.quiet, **WIDE)
    token = secrets.token_urlsafe(24)
    known_as(page, server.url, token)
    watched = threading.Event()

    def watch(table: str) -> None:
        page.goto(f"{server.url}/t/{table}")
        page.wait_for_selector(".lobby")
        watched.set()

    table = play_watched(server.url, token, game, watch, watched)
    page.wait_for_selector("[data-over]", timeout=60_000)  # a whole game comes at once
    live = screen(page)
    page.goto(f"{server.url}/replay/{table}/99999")
    page.wait_for_selector("[data-position]")
    check_same(screen(page), live)
    last = moment(page)
    seen = {}
    for n in range(last - 1, max(0, last - amount(5, 40)), -1):
        page.keyboard.press("ArrowLeft")
        seen[n] = screen(page)
    for n in sorted(seen):
        check_same(screen(page), seen[n], f"at {n}: ")
        page.keyboard.press("ArrowRight")
    check_same(screen(page), live)
    page.get_by_role("button", name="Game", exact=True).click()
    page.get_by_role("button", name="Link to this moment").wait_for()
    assert page.get_by_label("Seen by").count() == find_game(game).hides


def test_a_link_leads_others_to_the_same_moment(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE)
    token = secrets.token_urlsafe(24)
    (table,) = played_games(server.url, token, 1)
    known_as(page, server.url, token)
    page.goto(f"{server.url}/replay/{table}")
    page.wait_for_selector("[data-position]")
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("/7$"))
    other = visit(page.url, **WIDE)
    other.wait_for_selector("[data-position]")
    assert moment(other) == 7
    # Somebody else sees it as an onlooker: hidden cards stay hidden until the end.
    other.get_by_role("button", name="Game").click()
    assert other.get_by_label("Seen by").count() == 0
    board = "main [data-board] .board"  # without the ribbon, which tells each what they may know
    check_same(screen(other, board), screen(page, board))


def test_a_running_game_replays_as_far_as_it_has_come(server: Server, visit: Visit) -> None:
    page = visit(server.url, **WIDE)
    page.get_by_role("button", name="Play now").first.click()
    player = Player(page, random.Random(7))
    page.wait_for_selector('[data-action]:not([aria-disabled="true"])')
    for _ in range(3):
        player.act()
        page.wait_for_selector('[data-action]:not([aria-disabled="true"])')
    page.goto(page.url.replace("/t/", "/replay/"))
    page.wait_for_selector("[data-position]")
    page.keyboard.press("End")
    assert moment(page) > 3
    assert page.locator('[data-action]:not([aria-disabled="true"])').count() == 0
    assert page.get_by_role("button", name="Check the draws").count() == 0
    page.get_by_role("button", name="Game").click()
    page.get_by_role("link", name="To the table").click()
    page.wait_for_selector('[data-action]:not([aria-disabled="true"])')


def test_a_record_is_dropped_and_played_by_touch_on_a_phone_in_german(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/replay", locale="de-DE", reduced_motion="no-preference", **PHONE)
    page.get_by_text("Eine Aufzeichnung ansehen").wait_for()
    drop(page, "game.serai", golden_record())
    page.wait_for_selector("[data-position]")
    page.get_by_label("Tempo").select_option(label="4 ×")
    tap(page.get_by_role("button", name="Abspielen", exact=True))
    page.wait_for_function("() => Number(document.querySelector('[data-position]').dataset.position) >= 3")
    tap(page.get_by_role("button", name="Anhalten"))
    page.get_by_role("button", name="Abspielen", exact=True).wait_for()
    page.wait_for_selector("[data-resting=true]")  # what was being shown is shown to its end
    stopped = moment(page)
    page.wait_for_timeout(1200)
    assert moment(page) == stopped
    tap(page.get_by_role("button", name="Einen Schritt zurück"))
    page.wait_for_selector(f'[data-position="{stopped - 1}"]')
    tap(page.get_by_role("button", name="Zum Ende"))
    tap(page.get_by_role("button", name="Spiel", exact=True))
    page.get_by_label("Gesehen von").select_option(index=2)
    page.wait_for_selector("[data-position]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
