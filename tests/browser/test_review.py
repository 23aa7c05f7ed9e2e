"""A finished game reviewed on the page: asked for, waited for, looked through, and sent to somebody."""

from __future__ import annotations

import itertools
import re
import secrets
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import serai
from serai.arena.simulate import Simulation
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.covering import covered, overlap
from tests.browser.games import drop, known_as, played_for_a_while
from tests.browser.serving import Server
from tests.server.reviews.support import GOLDEN
from tests.support import SOAK

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATIENCE = 240_000
"""Milliseconds: a process of low priority may have to compile first."""


SPILLS = """() => [...document.querySelectorAll(".side .panel")].filter((panel) => {
    const { bottom } = panel.getBoundingClientRect();
    return [...panel.querySelectorAll("*:not(ol *)")].some((one) => one.getBoundingClientRect().bottom > bottom + 1);
}).map((panel) => panel.innerText)"""
"""Panels beside the board out of which something hangs."""


def position(page: Page) -> int:
    return int(page.locator("[data-position]").get_attribute("data-position") or "")


def reviewed(page: Page) -> None:
    page.wait_for_selector("[data-reviewed]", timeout=PATIENCE)


def overflow(page: Page) -> int:
    wider: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wider


def test_a_stored_game_is_reviewed_and_a_moment_of_it_can_be_sent(server: Server, visit: Visit) -> None:
    token = secrets.token_urlsafe(24)
    table = played_for_a_while(server.url, token, 12)
    page = visit(server.quiet, **WIDE)
    known_as(page, server.url, token)
    page.goto(f"{server.url}/mine")
    page.get_by_role("link", name="Review").click()
    page.wait_for_selector("[data-reviewing], [data-reviewed]")
    reviewed(page)
    # It begins as a person would, and each moment leads to the board and can be played on from.
    story = page.locator("[data-story]")
    expect(story).to_contain_text(re.compile("favourite"))
    expect(story).to_contain_text(re.compile(r"cut your chance to win by \d+ points|No move of yours cost much"))
    assert violations(page, "the game in short", "en-GB", "main") == []
    assert covered(page) == []
    moment = story.locator("[data-moment]").first
    moment.locator("[data-play-on-here]").click()
    expect(page.get_by_role("dialog", name="Play on")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="In short").click()
    moment.locator("[data-look]").click()
    expect(page.locator("[data-judgement]")).to_be_visible()
    # Everybody's chances are told in words, too.
    expect(page.locator("[data-reviewed]").get_by_role("img", name=re.compile("Chances of victory.*%"))).to_be_visible()

    page.get_by_label("Whose mistakes are marked").select_option("")
    mistake = page.locator("[data-mark=bad], [data-mark='very bad'], [data-mark=doubtful]").first
    mistake.dispatch_event("click")
    judged = page.locator("[data-judgement]")
    expect(judged.locator("[data-better]")).to_contain_text("Better")
    expect(judged).to_contain_text(re.compile(r"This lowered .+ chance to win from \d+% to \d+%"))
    expect(page.locator("[data-spot=better]")).to_be_visible()
    expect(page.locator("[data-spot=chosen]")).to_be_attached()
    assert violations(page, "review", "en-GB", "main") == []
    assert covered(page) == []
    page.evaluate("scrollTo(0, 0)")
    assert not overlap(page, ".controls", ".summary")
    assert page.evaluate(SPILLS) == []

    # By keys alone: to the last mistake, one by one.
    at = [position(page)]
    button = page.get_by_role("button", name="Next mistake")
    button.focus()
    while button.get_attribute("aria-disabled") == "false":
        page.keyboard.press("Enter")
        at.append(position(page))
        expect(judged.locator("[data-better]")).to_be_visible()
    assert at == sorted(set(at))
    expect(page).to_have_url(f"{server.url}/review/{table}/{at[-1]}")
    page.get_by_role("button", name="In short").click()
    page.locator("[data-look]").first.click()
    turned = position(page)
    expect(page).to_have_url(f"{server.url}/review/{table}/{turned}")

    # Whoever gets the link sees the same moment with what is said of it; nothing is worked out twice.
    other = visit(page.url, **WIDE)
    other.wait_for_selector("[data-reviewed]")
    assert position(other) == turned
    # In other words where it is about whoever looks.
    figures = [re.findall(r"\d+(?:\.\d+)?", one.inner_text()) for one in (other.locator("[data-judgement]"), judged)]
    assert figures[0] == figures[1] != []

    # Without the review it is a replay like any other.
    other.get_by_role("button", name="Review").click()
    expect(other.locator("[data-reviewed]")).to_have_count(0)
    expect(other).to_have_url(f"{server.url}/replay/{table}/{turned}")


def test_a_dropped_record_is_reviewed_on_a_phone_in_the_language_of_the_page(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/replay", **PHONE, locale="de-DE")
    page.wait_for_selector("input[type=file]")
    drop(page, "game.serai", GOLDEN.read_text())
    page.get_by_role("button", name="Analyse").click()
    reviewed(page)
    assert covered(page) == []
    expect(page.locator("[data-story]")).to_contain_text("hat gewonnen")
    assert overflow(page) <= 0
    page.get_by_role("button", name="Zug um Zug").click()
    assert not overlap(page, ".controls", "[data-board]")
    page.evaluate("scrollTo(0, 0)")
    area = page.locator("[data-chart]").bounding_box()
    assert area is not None
    page.locator("[data-chart]").click(position={"x": area["width"] - 2, "y": 2})
    last = int(page.locator("input[type=range]").get_attribute("max") or "")
    assert position(page) == last
    page.get_by_role("button", name="Voriger Fehler").click()
    assert position(page) < last
    expect(page.locator("[data-judgement]")).to_contain_text(
        re.compile(r"Das senkte .*Siegchance.* von \d+\s% auf \d+\s%")
    )
    page.get_by_role("button", name="Alle Zahlen").click()
    expect(page.locator("[data-summary]")).to_contain_text("Spielt wie")
    page.locator("summary", has_text="Alle Chancen als Tabelle").click()
    expect(page.locator("[data-summary] tbody tr")).to_have_count(last + 1)
    assert overflow(page) <= 0
    assert violations(page, "review on a phone", "de-DE", "main") == []


@pytest.mark.skipif(not SOAK, reason="judging so long a game takes half a minute")
def test_of_a_game_that_is_too_long_it_is_told_how_much_was_judged(server: Server, visit: Visit) -> None:
    played = Simulation(serai.game("pharaoh"), ("jackal", "jackal"), seed="hoard")
    long = next(record for number in itertools.count() if len((record := played.record(number)).actions) > 1300)
    page = visit(f"{server.url}/replay", **PHONE)
    page.wait_for_selector("input[type=file]")
    drop(page, "game.serai", long.write())
    page.get_by_role("button", name="Review").click()
    reviewed(page)
    page.get_by_role("button", name="All figures").click()
    expect(page.locator("[data-in-part]")).to_contain_text(re.compile(r"judged in part: \d+% of its decisions"))
    assert overflow(page) <= 0


def test_a_game_that_goes_on_has_no_review(server: Server, visit: Visit) -> None:
    table = played_for_a_while(server.url, secrets.token_urlsafe(24), 3, to_the_end=False)
    page = visit(f"{server.url}/review/{table}", forgive="409", **WIDE)
    expect(page.get_by_role("alert")).to_contain_text("Only finished games are reviewed")
    expect(page.get_by_role("button", name="Review")).to_have_count(0)
