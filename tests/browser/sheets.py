"""What lies over a table or beside it for a while, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from playwright.sync_api import Page, WebSocketRoute

from tests.browser.hard_cases import RULES, crowded, full_log, show
from tests.browser.scripted import FIRST, ScriptedTable

NAMES = ("Ann", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hal")


class Circumstances(ScriptedTable):
    """A table at which more is going on than the game."""

    def __init__(self, state: Any, *told: dict[str, Any], seat: dict[str, Any] | None = None, **table: Any) -> None:
        super().__init__(state, names=NAMES)
        self._told, self._seat, self._about = told, seat or {}, table

    def _table(self) -> dict[str, Any]:
        table = {**super()._table(), **self._about}
        table["seats"][FIRST] |= self._seat
        return table

    def welcome(self, socket: WebSocketRoute) -> None:
        super().welcome(socket)
        for reply in self._told:
            socket.send(msgspec.json.encode(reply).decode())

    def _send(self, socket: Any, reply: dict[str, Any]) -> None:
        """Where all look at one screen, cards lie face down on it."""
        shared = self._about.get("table_rules", {}).get("one_device")
        super()._send(socket, {**reply, "view": self.state.seen_by(None)} if shared else reply)


def sheets(page: Page, url: str) -> Iterator[tuple[str, str]]:
    """Each as it stands, and where it is, on a narrow screen: chips of players are shown only there."""
    page.goto(url)
    page.locator(".opponents").first.click()
    page.wait_for_selector("fieldset")
    yield "opponents", ".game"
    page.locator(".game .buttons button:not(.main)").last.click()
    page.wait_for_selector(".lobby")
    yield "quick match", "main"
    frames, late = full_log()
    own = max(at for at, frame in enumerate(frames) if frame["by"] == 0)
    show(page, url, late, NAMES, frames[:own])
    page.wait_for_selector("[data-recap]")
    yield "recap", "[data-recap]"
    page.unroute_all()
    ScriptedTable(crowded(), names=NAMES).open(page, url)
    page.locator("button[data-purse]").nth(1).click()
    page.wait_for_selector("[data-holdings]")
    yield "what another holds", "[data-holdings]"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog dl")
    yield "keys", "dialog"
    page.keyboard.press("Escape")
    page.locator("header button[popovertarget=talk]").first.click()
    page.wait_for_selector("header form")
    yield "talk", "header"
    page.keyboard.press("Escape")
    page.locator("button[popovertarget=table-menu]").click()
    page.locator("#table-menu [aria-pressed]").click()
    page.wait_for_selector("[role=dialog]")
    yield "ending asked", "[role=dialog]"
    yield from _circumstances(page, url)


def _circumstances(page: Page, url: str) -> Iterator[tuple[str, str]]:
    others_turn = msgspec.structs.replace(crowded(), actor=1)

    def sit_down(*told: dict[str, Any], **about: Any) -> None:
        page.unroute_all()
        Circumstances(others_turn, *told, **about).open(page, url)

    sit_down({"type": "presence", "away": [{"seat": 1, "grace": 0}], "watching": 0})
    page.locator(".bar [aria-haspopup=dialog]").click()
    page.wait_for_selector("[role=dialog] fieldset")
    yield "absent", "[role=dialog]"
    sit_down(seat={"bot": "donkey"})
    page.wait_for_selector(".bar .main")
    yield "stood in", "[data-dock]"
    clock = {"type": "clock", "seat": 1, "left": 20, "of": 30, "running": False}
    sit_down(clock, paused=True, notice="older")
    page.wait_for_selector(".bar .main")
    yield "break", "main"
    page.unroute_all()
    Circumstances(crowded(), table_rules={**RULES, "one_device": True}).open(page, url)
    page.wait_for_selector(".covered")
    yield "face down", "[data-dock]"
    page.locator(".covered").click()
    page.wait_for_selector("dialog .main")
    yield "cover", "dialog"
    page.locator("dialog .main").click()
    page.wait_for_selector("dialog [data-pick]")
    yield "chosen behind a hand", "dialog"
