"""Whole games of Camel Up on the page: by mouse, by touch, by keyboard alone."""

from __future__ import annotations

import random
from typing import Any

from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, KeyboardPlayer, Player, tap
from tests.browser.serving import Server

LISTEN = """() => {
    globalThis.spoken = [];
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
            for (const node of addedNodes) if (node.dataset?.n) spoken.push(node.dataset.n);
    }).observe(document.querySelector("[role=log]"), { childList: true });
}"""


def test_a_person_plays_a_whole_game_against_bots(server: Server, visit: Visit) -> None:
    page = visit(server.url, viewport={"width": 1280, "height": 800})
    page.get_by_role("button", name="Play now").first.click()
    turns = Player(page, random.Random(1)).play_to_the_end()
    assert turns > 3
    assert page.locator("[data-over] ol li").count() == 4
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert "\nresult " in download.value.path().read_text()


def test_a_whole_game_by_touch_on_a_phone_in_french(server: Server, visit: Visit) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = visit(server.url, locale="fr-FR", **phone)
    page.get_by_role("button", name="Réglages").tap()
    page.get_by_label("Demander confirmation").tap()
    page.get_by_role("button", name="Jouer contre des bots").first.tap()
    player = Player(page, random.Random(2), touch=True, careful=True)
    page.locator('[data-action="roll"]:not([aria-disabled="true"])').tap()
    # Whoever wants to be asked before what cannot be undone is asked.
    page.get_by_text("Secouer la pyramide ? Cela ne peut pas être annulé.").wait_for()
    tap(page.get_by_role("button", name="Annuler", exact=True))
    player.play_to_the_end()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("heading", level=2).filter(has_text="gagne").or_(page.get_by_text("Victoire partagée")).wait_for()


def test_a_whole_game_by_keyboard_alone_in_german(server: Server, visit: Visit) -> None:
    page = visit(server.url, locale="de-DE", viewport={"width": 1280, "height": 800})
    player = KeyboardPlayer(page, random.Random(3))
    player.press("text=Jetzt gegen Bots spielen")
    page.wait_for_selector(OFFERED)
    page.evaluate(LISTEN)
    player.play_to_the_end()
    assert page.locator("html").get_attribute("lang") == "de"
    # Every event was spoken, once and in order.
    spoken = [int(n) for n in page.evaluate("spoken")]
    assert len(spoken) > 10
    assert sorted(set(spoken)) == spoken
    assert all(page.locator("[role=log] p").all_inner_texts())
