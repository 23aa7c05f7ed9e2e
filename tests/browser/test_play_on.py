"""From a moment of a replay on: a game of one's own, whose record says where it began."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from serai.core.record import Record, check_origin, verify
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.games import golden_record
from tests.browser.player import OFFERED
from tests.browser.serving import Server
from tests.browser.test_replay import check_draws, choose


def test_a_game_is_played_on_from_a_replay(server: Server, visit: Visit, tmp_path: Path) -> None:
    text = golden_record()
    page = visit(f"{server.url}/replay", viewport={"width": 390, "height": 844})
    choose(page, tmp_path, text)
    page.wait_for_selector("[data-position]")
    for _ in range(4):
        page.get_by_role("button", name="One step forward").click()
    page.wait_for_selector("[data-position='4'][data-resting=true]")
    page.get_by_role("button", name="Game").click()
    page.get_by_role("button", name="Play on from here").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    expect(dialog.get_by_role("radio").first).to_be_attached()
    assert violations(page, "play on", "en-GB", "dialog") == []
    dialog.get_by_label("Your seat").select_option(index=1)
    dialog.get_by_role("button", name="Play on from here").click()
    page.wait_for_selector(f".playing {OFFERED}")
    table = page.url.rpartition("/")[2]
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="End the game now").click()
    page.get_by_role("button", name="End it").click()
    expect(page.get_by_text("This game went on from a position of another.")).to_be_visible()
    told = Record.read(page.request.get(f"{server.url}/api/tables/{table}/record").text())
    verdict = verify(told)
    assert verdict.inherited > 0
    check_origin(told, Record.read(text))
    # its replay begins where the other game began, and its own draws hold
    page.goto(f"{server.url}/replay/{table}/4")
    page.wait_for_selector("[data-position='4']")
    check_draws(page)
    page.wait_for_selector("[data-dice=hold]")
    expect(page.locator("[data-dice]")).to_contain_text(f"{verdict.inherited} draws were taken over from another game")
