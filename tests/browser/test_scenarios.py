"""Shorter stories: several people, several browsers, and things that go wrong."""

from __future__ import annotations

import json
import random
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocket, WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, ROLL, Player
from tests.browser.serving import IMPATIENT, Server, serving
from tests.support import SOAK, amount

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, IMPATIENT) as running:
        yield running


def set_up(page: Page, url: str, *here: str) -> str:
    """A new table of two for the people named; the address of its link."""
    page.goto(f"{url}/new")
    for seat, name in enumerate(here):
        if seat > 0:
            page.get_by_label(f"Who takes seat {seat + 1}").select_option("here")
        page.get_by_label("Your name").nth(seat).fill(name)
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Start the game").wait_for()
    return page.url


def two_by_link(server: Server, visit: Visit, *, forgive: str = "", **second: Any) -> tuple[Page, Page]:
    """Ann and Ben at one table, Ann to act; complaints of Ann's page that have the text to ``forgive`` do not count."""
    ann = visit(server.quiet, forgive=forgive, **WIDE)
    link = set_up(ann, server.url, "Ann")
    ben = visit(link, **{**WIDE, **second})
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    ann.get_by_role("button", name="Start the game").click()
    ann.wait_for_selector(OFFERED)
    ben.wait_for_selector("text=Ann is thinking")
    return ann, ben


class Gate:
    """Between a page and the server: while it is shut, frames of the game do not come through."""

    shut = False

    def __call__(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(
            lambda message: None if self.shut and '"type":"frame"' in str(message) else route.send(message)
        )


def both_at(turns: int, *pages: Page) -> None:
    """All pages show the table after so many turns."""
    for page in pages:
        expect(page.locator("[data-turns]")).to_have_attribute("data-turns", str(turns))


def turns(page: Page) -> int:
    return int(page.locator("[data-turns]").get_attribute("data-turns") or 0)


def test_two_browsers_by_link_and_no_hidden_card_reaches_the_other(server: Server, visit: Visit) -> None:
    ann, ben = two_by_link(server, visit)
    heard: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    ben.on("websocket", listen)
    ben.reload()
    ben.wait_for_selector("text=Ann is thinking")
    rng = random.Random(4)
    ann_plays, ben_plays = Player(ann, rng), Player(ben, rng)
    ann_plays.act('[data-action="card green"]')
    for _ in range(amount(3, 6)):
        ben.wait_for_selector(OFFERED)
        ben_plays.act('[data-action^="card"], [data-action^="leg"]' if rng.random() < 0.7 else ROLL)
        ann.wait_for_selector(OFFERED)
        ann_plays.act('[data-action^="card"], [data-action^="leg"]' if rng.random() < 0.7 else ROLL)
    assert any(reply["type"] == "frame" for reply in heard)
    seen = 0
    for reply in heard:
        view = reply.get("view") or reply.get("patch") or {}
        if "hands" in view:
            assert set(view["hands"][0]) <= {None}
            assert None not in view["hands"][1]
        for deck in ("winner_deck", "loser_deck"):
            others = [card for owner, card in view.get(deck, []) if owner == 0]
            seen += len(others)
            assert set(others) <= {None}
        for event in reply.get("events", []):
            if event["type"] == "card_laid" and event["seat"] == 0:
                assert event["camel"] is None
    assert seen > 0
    stored = ben.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert "hands" not in stored
    assert "deck" not in stored


def test_hot_seat_with_the_curtain(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE)
    set_up(page, server.url, "Ann", "Ben")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="I am Ann").or_(page.locator(ROLL)).first.wait_for()
    if page.get_by_role("button", name="I am Ann").count():
        page.get_by_role("button", name="I am Ann").click()
    player = Player(page, random.Random(5))
    page.wait_for_selector(OFFERED)
    player.act('[data-action="card blue"]')
    page.get_by_text("Pass the device to Ben").wait_for()
    assert page.locator("[data-action^=card]").count() == 0
    assert "blue" not in page.locator("body").inner_text()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(ROLL)
    player.act('[data-action="card blue"]')
    page.get_by_role("button", name="I am Ben").click()
    page.wait_for_selector(ROLL)
    missed = page.get_by_role("region", name="Since your last turn")
    expect(missed.get_by_role("listitem")).to_have_text(re.compile("Ann lays a card for the overall (winner|loser)."))
    expect(page.locator("[role=log]")).not_to_contain_text(re.compile("backs? Blue"))
    assert page.locator("[data-action^=card]").count() == 5
    player.act(ROLL)
    page.get_by_role("button", name="I am Ann").click()
    page.wait_for_selector(ROLL)
    assert page.locator("[data-action^=card]").count() == 4


def test_an_onlooker_hears_what_happens_while_the_game_is_being_loaded_and_sees_it_taken_back(
    server: Server, visit: Visit
) -> None:
    ann, ben = two_by_link(server, visit)
    watcher = visit(server.quiet, **WIDE)
    held: list[Route] = []
    holding = True
    watcher.route("**/assets/camelup-*.js", lambda route: held.append(route) if holding else route.continue_())
    watcher.goto(ann.url)
    watcher.wait_for_selector(f'[data-turns="{turns(ann)}"]')
    Player(ann, random.Random(6)).act('[data-action="leg green"]')
    watcher.wait_for_selector(f'[data-turns="{turns(ann)}"]')
    assert held
    assert watcher.locator("[data-board]").count() == 0
    holding = False
    for route in held:
        route.continue_()
    expect(watcher.locator("[role=log]")).to_contain_text("Ann backs Green for this leg: 5 if it leads at the end.")
    watcher.get_by_text("Ben is thinking").wait_for()
    expect(ann.get_by_role("button", name="Green: take the 3")).to_be_visible()
    ann.get_by_role("button", name="Undo").click()
    expect(ann.get_by_role("button", name="Green: take the 5")).to_be_visible()
    ann.wait_for_selector(ROLL)
    expect(ben.locator("[role=log]")).to_contain_text("Ann takes back the last action.")
    # Whoever looks on can do nothing.
    watcher.get_by_text("Ann is thinking").wait_for()
    assert watcher.locator(OFFERED).count() == 0
    assert watcher.locator("[data-action^=card]").count() == 0


def test_the_end_of_the_story_stays_in_sight(server: Server, visit: Visit) -> None:
    ann, ben = two_by_link(server, visit, reduced_motion="no-preference")
    for word in ("camel", "oasis", "mirage"):
        ann.get_by_placeholder("Write something").fill(f"{word} " * 30)
        ann.keyboard.press("Enter")
    story = ben.get_by_role("list", name="Story")
    expect(story).to_contain_text("mirage")
    # What is said while the die is still rolling waits for it, and stands below the roll.
    ann.locator(ROLL).click()
    ann.get_by_placeholder("Write something").fill("a good one")
    ann.keyboard.press("Enter")
    expect(story.locator("li").last).to_contain_text("a good one")
    expect(story.locator("li:nth-last-child(2)")).to_contain_text("Ann shakes the pyramid")
    assert story.evaluate("list => list.scrollHeight - list.clientHeight - list.scrollTop") <= 1


def test_absent_and_back(impatient: Server, visit: Visit) -> None:
    ann, ben = two_by_link(impatient, visit)
    link = ben.url
    context = ben.context
    Player(ann, random.Random(8)).act('[data-action="leg green"]')
    ben.close()
    ann.get_by_text("Ben is away").wait_for()
    ann.get_by_role("button", name="What now?").click()
    expect(ann.get_by_role("dialog")).to_contain_text("Ben is away. What now?")
    ann.get_by_role("button", name="Let a bot play on").first.click()
    ann.wait_for_selector(OFFERED)
    back = context.new_page()
    back.goto(link)
    taking = back.get_by_role("button", name="Take your seat back")
    taking.click()
    expect(taking).to_have_count(0)
    Player(ann, random.Random(9)).act('[data-action="leg blue"]')
    back.wait_for_selector(OFFERED)


def test_both_pages_go_on_after_the_server_was_killed(tmp_path: Path, visit: Visit) -> None:
    with serving(tmp_path) as server:
        ann, ben = two_by_link(server, visit)
        rng = random.Random(10)
        Player(ann, rng).act('[data-action="leg green"]')
        ben.wait_for_selector(OFFERED)
        server.stop(signal.SIGKILL)
        for page in (ann, ben):
            page.get_by_text("The connection is lost").wait_for()
        # Said while nobody listens: it must arrive, and once.
        ben.locator('[data-action="leg blue"]').click()
        server.start()
        for page in (ann, ben):
            page.get_by_text("The connection is lost").wait_for(state="hidden")
        ann.wait_for_selector(OFFERED)
        both_at(3, ann, ben)
        expect(ann.get_by_role("button", name="Blue: take the 3")).to_be_visible()
        Player(ann, rng).act(ROLL)
        ben.wait_for_selector(OFFERED)


def test_an_action_sent_into_a_dead_line_is_neither_lost_nor_doubled_and_a_late_one_is_explained(
    server: Server, visit: Visit
) -> None:
    # Decoration that the page asks for just then cannot be had, and the browser says so.
    ann, ben = two_by_link(server, visit, forgive="Failed to")
    ann.context.set_offline(True)
    ann.get_by_text("The connection is lost").wait_for()
    ann.locator('[data-action="leg yellow"]').click()
    ann.context.set_offline(False)
    ben.wait_for_selector(OFFERED)
    ann.get_by_text("The connection is lost").wait_for(state="hidden")
    both_at(2, ann, ben)
    expect(ann.get_by_role("button", name="Yellow: take the 3")).to_be_visible()
    # The same person at two devices: the second one, cut off, acts on what has passed.
    other = ben.context.new_page()
    other.route_web_socket("**/socket**", delay_until_told := Gate())
    other.goto(ben.url)
    other.wait_for_selector(OFFERED)
    delay_until_told.shut = True
    Player(ben, random.Random(11)).act('[data-action="leg white"]')
    other.locator('[data-action="leg white"]').click()
    expect(other.get_by_role("alert")).to_contain_text("Too late")


def test_an_old_tab_after_an_update_says_so(server: Server, visit: Visit) -> None:
    page = visit(server.url, forgive="load", **WIDE)
    page.wait_for_selector(".game")
    newer = re.sub(r'(name="serai-build" content=")\w+', r"\1newer", page.request.get(server.url).text())
    page.route(f"{server.url}/", lambda route: route.fulfill(body=newer, content_type="text/html"))
    page.route("**/assets/About*", lambda route: route.fulfill(status=404))
    page.get_by_role("link", name="About Serai").click()
    page.get_by_text("Serai has been updated").wait_for()
    page.unroute_all()
    page.get_by_role("button", name="Reload").click()
    page.get_by_role("heading", name="About Serai").wait_for()


def test_rematch_brings_both_to_the_same_new_table(server: Server, visit: Visit) -> None:
    ann, ben = two_by_link(server, visit)
    for page in (ann, ben):
        page.get_by_role("button", name="Table", exact=True).click()
    ann.get_by_role("button", name="End the game now").click()
    ann.get_by_text("It ends once everybody agrees").wait_for()
    ann.get_by_role("button", name="Suggest it").click()
    ben.get_by_text("Still to agree: Ben.").wait_for()
    ben.get_by_role("button", name="End the game now").click()
    ben.get_by_role("button", name="Agree", exact=True).click()
    for page in (ann, ben):
        page.wait_for_selector("[data-over]")
    ann.get_by_role("button", name="Play again").click()
    ann.get_by_role("button", name="Start the game").wait_for()
    ben.get_by_role("button", name="On to the next game").click()
    ann.get_by_role("button", name="Start the game").click()
    ann.wait_for_selector(OFFERED)
    ben.wait_for_selector("text=Ann is thinking")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"] if SOAK else ["de-DE"])
def test_nothing_scrolls_sideways_on_a_narrow_phone(server: Server, visit: Visit, locale: str) -> None:
    """In the short form in the language with the longest words."""
    page = visit(server.quiet, locale=locale, **PHONE)
    for path in ("/", "/new", "/about"):
        page.goto(server.url + path)
        page.wait_for_selector("h1")
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
