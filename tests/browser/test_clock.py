"""The clock on the page: chosen with the table, told in the lobby, a ring that shrinks, no time lost to animations."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
from playwright.sync_api import WebSocketRoute, expect

import serai
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, ROLL
from tests.browser.scripted import FIRST, ScriptedTable
from tests.browser.serving import Server
from tests.browser.test_scenarios import WIDE

MINUTE = 60


class Clocked(ScriptedTable):
    """A table whose server tells the time with every position."""

    left = float(MINUTE)

    def _send(self, socket: WebSocketRoute, reply: dict[str, Any]) -> None:
        super()._send(socket, reply)
        told = {"type": "clock", "seat": self.state.actor, "left": self.left, "of": MINUTE, "running": True}
        socket.send(msgspec.json.encode(told).decode())


def _begun() -> Any:
    """A game of two at its first action, with FIRST to act."""
    state, rng = serai.game("camelup").new(players=2, first=FIRST), random.Random(3)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(rng))
    return state


def test_a_ring_shrinks_and_animations_give_way_at_half_time(server: Server, visit: Visit) -> None:
    page = visit(server.quiet, **WIDE, reduced_motion="no-preference")
    page.clock.install(time=0)
    table = Clocked(_begun(), ("die green 2",))
    table.open(page, server.url)
    ring, arc = page.locator("[data-clock]"), page.locator("[data-clock] circle")
    expect(ring).to_have_attribute("aria-label", re.compile("Time left: (1:00|0:5.)"))
    full = float(arc.get_attribute("stroke-dashoffset") or 1)
    page.clock.fast_forward(31_000)
    expect(page.get_by_text("Half your time is up")).to_have_count(1)
    assert float(arc.get_attribute("stroke-dashoffset") or 0) > full + 0.5
    assert float(ring.get_attribute("data-clock") or MINUTE) < MINUTE / 2
    page.clock.pause_at(100)  # seconds: from here on time is the test's
    table.left = MINUTE / 2 + 0.5
    page.locator(ROLL).click()
    hurry = page.get_by_role("button", name="Catch up")
    hurry.wait_for()
    page.clock.run_for(600)
    expect(hurry).to_have_count(0)


def test_the_clock_is_chosen_with_the_table_and_told_to_everybody(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/new/camelup", **WIDE)
    chosen = page.get_by_label("Time per turn")
    expect(chosen).to_have_value("0")
    page.get_by_label("Public").check()
    expect(chosen).to_have_value("180")
    page.get_by_label("Public").uncheck()
    chosen.select_option("1 minute")
    page.get_by_label("Who takes seat 2").select_option("here")
    page.get_by_label("We all sit here").check()
    page.get_by_role("button", name="Set up the table").click()
    agreed = page.get_by_role("region", name="Table rules").get_by_role("listitem")
    expect(agreed).to_have_text(
        [
            "Time per turn: 1 minute",
            "Players can see the odds",
            "Who goes first: Seat 1",
            "Everyone looks at one screen",
            "Only people with the link can find this table",
        ]
    )
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(OFFERED)
    expect(page.get_by_role("timer")).to_have_count(1)
