"""A game that server and page have never heard of, at a live table: over a socket, and in a browser."""

from __future__ import annotations

import random
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.serving import Server
from tests.cli.terminal import SERAI
from tests.pig.conftest import Run
from tests.server import support


def test_it_is_played_over_a_socket_and_its_record_holds(server: Server, run: Run, tmp_path: Path) -> None:
    ann = support.Visitor(server.url)
    save = tmp_path / "game.serai"

    async def play() -> None:
        table = await ann.create("pig", seats=2, bots={"1": "cautious"}, options={"target": 30})
        await ann.join(table, "Ann")
        async with ann.at(table) as a:
            await a.do("start")
            await a.play_to_the_end(random.Random(3))
            scores = [frame["scores"] for frame in a.frames.values() if frame["type"] == "frame"]
            assert scores[0] == [0, 0]
            assert scores[-1] == a.table["scores"] == a.view["banked"]
        save.write_text(await ann.record(table))

    support.run(play())
    assert "holds: pig, 2 players" in run(SERAI, "verify", save)


def test_it_is_played_on_the_page_and_looked_back_at(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/new/pig", viewport={"width": 360, "height": 740})
    page.get_by_label("Target").fill("15")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Who takes seat 2").select_option("bot")
    page.get_by_role("group", name="Bot for seat 2").locator("select").select_option("cautious")
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("heading", name="Pig").wait_for()
    page.locator('[data-action="roll"]').wait_for()
    assert page.locator('[aria-current="true"]').inner_text().startswith("You")
    assert scores(page) == [0, 0]
    while not page.locator("[data-over]").count():
        turns = page.locator("[data-turns]").get_attribute("data-turns")
        hold = page.locator('[data-action="hold"]')
        (hold if hold.count() else page.locator('[data-action="roll"]')).click()
        page.wait_for_function(
            "before => document.querySelector('[data-over]') || (document.querySelector('[data-action]') && "
            "document.querySelector('[data-turns]').dataset.turns !== before)",
            arg=turns,
        )
    end = scores(page)
    assert max(end) >= 15
    assert page.get_by_text("Ann: die fell, pips").count() > 0
    page.get_by_role("link", name="Replay").click()
    page.locator('[data-position="0"]').wait_for()
    assert scores(page) == [0, 0]
    page.locator("[data-position]").press("End")
    for seat, score in enumerate(end):
        expect(page.locator(f'[data-score="{seat}"]')).to_have_text(str(score))


def scores(page: Page) -> list[int]:
    return [int(text) for text in page.locator("[data-score]").all_inner_texts()]
