"""Several people at one device: with the curtain, or all in front of one screen."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.player import ROLL, Player
from tests.browser.serving import Server

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
COLOURS = ("blue", "green", "orange", "yellow", "white")


def set_up(page: Page, url: str, *, together: bool) -> None:
    """Ann and Ben at a table that has begun."""
    page.goto(f"{url}/new")
    page.get_by_label("Who takes seat 2").select_option("here")
    for seat, name in enumerate(("Ann", "Ben")):
        page.get_by_label("Your name").nth(seat).fill(name)
    page.get_by_label("We share one screen").set_checked(together)
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Start the game").click()


def test_where_all_sit_here_there_is_no_curtain_and_cards_are_laid_face_down(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, pace="calm", reduced_motion="no-preference", **PHONE)
    set_up(page, server.url, together=True)
    player = Player(page, random.Random(3))
    page.get_by_text("Ann’s turn").wait_for()
    for name in ("Ann", "Ben"):
        page.get_by_text(f"{name}’s turn").wait_for()
        expect(page.locator("[data-action^=card]")).to_have_count(1)
        page.get_by_role("button", name="Lay a race card face down").click()
        cover = page.get_by_role("dialog", name=f"Only {name} looks now")
        box = cover.bounding_box()
        assert box == {"x": 0, "y": 0, "width": 390, "height": 844}, "nothing else is in sight"
        expect(cover.locator("[data-pick]")).to_have_count(0)
        cover.get_by_role("button", name="Show my cards").click()
        expect(cover.locator("[data-pick]")).to_have_count(5)
        expect(cover.get_by_role("button", name="Overall loser")).to_be_disabled()
        cover.get_by_role("button", name="Green").click()
        cover.get_by_role("button", name="Overall winner").click()
        expect(cover).to_have_count(0)
    page.get_by_text("Ann’s turn").wait_for()
    deck = page.locator("[data-deck=winner]")
    expect(deck.locator("li")).to_have_count(2)
    expect(deck.locator(".chip")).to_have_count(0)
    told = page.locator("[role=log]")
    expect(told).to_contain_text("Ben lays a card for the overall winner.")
    bets = [line for line in told.locator("p").all_inner_texts() if "lays a card" in line]
    assert len(bets) == 2
    assert not [colour for colour in COLOURS if colour in "".join(bets).lower()]
    # What was done can be taken back although another is to act; what all have seen needs no recap.
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Ben’s turn").wait_for()
    expect(deck.locator("li")).to_have_count(1)
    expect(page.get_by_role("region", name="Since your last turn")).to_have_count(0)
    player.begin(ROLL)
    page.locator("[data-resting=false]").wait_for(state="attached")
    expect(page.locator(".curtain")).to_have_count(0)


def test_with_the_curtain_the_roll_is_seen_by_all_before_it_falls(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, pace="brisk", reduced_motion="no-preference", **PHONE)
    set_up(page, server.url, together=False)
    page.locator(ROLL).wait_for()
    page.evaluate(
        """() => {
            window.seen = [];
            const look = () => {
                const curtain = document.querySelector(".curtain");
                const board = document.querySelector("[data-board]");
                if (!curtain && !board) return;
                const rolled = document.querySelectorAll("[data-die] circle").length;
                const kind = curtain ? "curtain" : rolled ? "rolled" : "before";
                if (seen.at(-1) !== kind) seen.push(kind);
            };
            const anything = { subtree: true, childList: true, attributes: true };
            new MutationObserver(look).observe(document.body, anything);
        }"""
    )
    player = Player(page, random.Random(3))
    player.begin(ROLL)
    page.get_by_role("button", name="I am Ben").wait_for()
    assert page.evaluate("seen") == ["before", "rolled", "curtain"]
    curtain = page.locator(".curtain").bounding_box()
    assert curtain == {"x": 0, "y": 56, "width": 390, "height": 844 - 56}
    assert page.locator("[data-camel], [data-purse]").count() == 0
    page.get_by_role("button", name="I am Ben").click()
    missed = page.get_by_role("region", name="Since your last turn")
    expect(missed).to_contain_text("Ann shakes the pyramid")
    missed.get_by_role("button", name="Continue").click()
    expect(missed).to_have_count(0)
