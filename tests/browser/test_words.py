"""A game's words come with the game: in time, in whatever language, and changed with it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.serving import Server

RAW_KEY = re.compile(r"\b(?:camelup|pharaoh|lesson|play)\.[a-z_]+")
LANGUAGES = "#preferences select >> nth=0"
BOARDS = {
    "camelup": {"en": "Race track", "de": "Rennstrecke", "fr": "Piste"},
    "pharaoh": {"en": "The pyramid", "de": "Die Pyramide", "fr": "La pyramide"},
}


def play_now(page: Page, game: str) -> None:
    page.locator(f'[data-game="{game}"] .button.main').click()


def no_raw_key(page: Page) -> None:
    assert RAW_KEY.findall(page.locator("#page").inner_html()) == []


@pytest.mark.parametrize("game", BOARDS)
def test_another_language_at_the_table_reaches_the_words_of_the_game(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.url)
    play_now(page, game)
    # The first screen has preferences of its own, which go with it: these are the table's.
    expect(page.get_by_label(BOARDS[game]["en"], exact=True)).to_have_count(1)
    page.locator('header [aria-controls="preferences"]').click()
    chooser = page.locator(LANGUAGES).element_handle()
    for language in ("en", "de", "fr", "en"):
        page.locator(LANGUAGES).select_option(language)
        expect(page.get_by_label(BOARDS[game][language], exact=True)).to_have_count(1)
        no_raw_key(page)
    assert chooser.evaluate("control => control.isConnected"), (
        "what a person is using is not made anew under their hands"
    )


def test_a_table_waits_for_the_words_of_its_game(server: Server, visit: Visit) -> None:
    page = visit(server.url)
    page.wait_for_selector(".game")
    words: list[Route] = []

    def hold_words(route: Route) -> None:
        if '"pharaoh.pyramid":' in route.fetch().text():
            words.append(route)
        else:
            route.continue_()

    page.route("**/assets/pharaoh-*.js", hold_words)
    play_now(page, "pharaoh")
    page.get_by_role("button", name="Table", exact=True).wait_for()
    page.wait_for_timeout(500)
    assert page.locator("[data-cell]").count() == 0
    no_raw_key(page)
    (only,) = words
    only.continue_()
    expect(page.get_by_label("The pyramid", exact=True)).to_have_count(1)
    no_raw_key(page)


@pytest.mark.parametrize(
    ("path", "said"), [("/learn/pharaoh", "Vous dirigez un archéologue"), ("/new/pharaoh", "Qui commence")]
)
def test_pages_around_a_game_bring_its_words(server: Server, visit: Visit, path: str, said: str) -> None:
    page = visit(server.url + path, locale="fr-FR")
    page.get_by_text(said).first.wait_for()
    no_raw_key(page)
