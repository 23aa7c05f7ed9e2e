"""What moves is heard, unless the visitor wants silence; nobody can listen here, so noises are counted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.serving import Server

COUNT_NOISES = """
    globalThis.noises = 0;
    const begin = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...when) {
      globalThis.noises += 1;
      return begin.apply(this, when);
    };
"""
"""Dice, feet and stones are noises; what calls to one's turn is made of tones."""
MOVES = {"camelup": '[data-action="roll"]', "pharaoh": '[data-action^="reveal"]'}


def heard_after_a_move(page: Page, game: str, *, sound: bool) -> int:
    page.add_init_script(COUNT_NOISES)
    page.reload()
    if not sound:
        page.get_by_role("button", name="Settings").click()
        page.get_by_label("Sound").uncheck()
    page.locator(f'[data-game="{game}"] .button.main').click()
    page.locator(f'{MOVES[game]}:not([aria-disabled="true"])').first.click()
    page.wait_for_timeout(1500)
    return int(page.evaluate("noises"))


@pytest.mark.parametrize("game", MOVES)
def test_a_game_is_heard(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.url, reduced_motion="no-preference")
    assert heard_after_a_move(page, game, sound=True) > 0


@pytest.mark.parametrize("game", MOVES)
def test_whoever_wants_silence_has_it(server: Server, visit: Visit, game: str) -> None:
    page = visit(server.url, reduced_motion="no-preference")
    assert heard_after_a_move(page, game, sound=False) == 0
