"""Choosing an opponent by its face, and a stronger one for the next game."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from serai import game as find_game
from serai.bots.ladder import ladder
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED
from tests.browser.serving import Server

GAME = "camelup"
LEVELS = find_game(GAME).levels


def end(page: Page) -> None:
    """End the game now, as everybody there agrees."""
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="End the game now").click()
    page.get_by_role("button", name="End it").click()
    page.wait_for_selector("[data-over]")


def test_a_level_is_chosen_by_its_face_and_the_next_game_is_a_little_stronger(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/new/{GAME}")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Who takes seat 2").select_option("bot")
    bots = page.get_by_role("group", name="Bot for seat 2")
    middle = bots.get_by_role("radio", checked=True)
    expect(middle).to_have_value(LEVELS[len(LEVELS) // 2])
    bots.locator(f"[data-face={LEVELS[-2]}]").click()
    expect(bots).to_contain_text(f"level {len(LEVELS) - 1} of {len(LEVELS)}")
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(OFFERED)
    expect(page.locator(f".panel li [data-face={LEVELS[-2]}]")).to_be_visible()
    end(page)
    before = page.url
    page.get_by_role("button", name="A little stronger").click()
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector(OFFERED)
    expect(page.locator(f".panel li [data-face={LEVELS[-1]}]")).to_be_visible()
    end(page)
    expect(page.get_by_role("button", name="A little easier")).to_be_visible()
    expect(page.get_by_role("button", name="A little stronger")).to_have_count(0)
    page.goto(server.url)
    expect(page.locator(f'[data-game="{GAME}"] .opponents [data-face={LEVELS[-1]}]')).to_be_visible()


def test_how_strong_a_bot_is_stands_where_it_is_chosen(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/new/{GAME}", viewport={"width": 390, "height": 844})
    page.get_by_label("Who takes seat 2").select_option("bot")
    bots = page.get_by_role("group", name="Bot for seat 2")
    published = ladder(find_game(GAME))
    assert published is not None
    for rung in published.rungs:
        if rung.bot in LEVELS:
            bots.locator(f"[data-face={rung.bot}]").click()
        else:
            bots.get_by_label("Other bots").select_option(rung.bot)
        games = "duels" if published.seats == 2 else f"games of {published.seats}"
        told = f"Rated {rung.rating:.0f}: wins {100 * rung.wins:.0f}% of its {games}"
        standing = bots.locator(f"[data-standing={rung.bot}]")
        expect(standing).to_contain_text(told)
        box = standing.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
