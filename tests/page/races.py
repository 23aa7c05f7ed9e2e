"""Races whose components are tested: on the way, before the finish, with a clock, against bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tests.browser.hard_cases import crowded, eight_before_the_finish, for_the_readme
from tests.browser.scripted import FIRST, ScriptedTable
from tests.page.scripts import script

NAMES = ("Ann", "Ben", "Cleo", "Dana")
FINISH = "die green 3"


class Clocked(ScriptedTable):
    """A table whose server tells the time with every position: a minute at first, then little more than half."""

    left = 60.0

    def _send(self, socket: Any, reply: dict[str, Any]) -> None:
        super()._send(socket, reply)
        told = {"type": "clock", "seat": self.state.actor, "left": self.left, "of": 60, "running": True}
        socket.send(msgspec.json.encode(told).decode())
        self.left = 30.5


class Telling(ScriptedTable):
    """A table at which the odds are told."""

    def _table(self) -> dict[str, Any]:
        table = super()._table()
        return {**table, "table_rules": {**table["table_rules"], "odds": True}}

    def odds(self) -> dict[str, Any]:
        """What the server says of the odds now."""
        assert self.game.odds is not None
        return {"game": self.game.name, "odds": self.game.odds(self.state.seen_by(FIRST)), "on": 1}


class Hinting(ScriptedTable):
    """A table at which the coach may be asked."""

    def _table(self) -> dict[str, Any]:
        table = super()._table()
        return {**table, "table_rules": {**table["table_rules"], "hints": True}}


class AgainstBots(ScriptedTable):
    """All seats but the first are taken by bots of a middling level."""

    def _table(self) -> dict[str, Any]:
        table = super()._table()
        bots = [{**seat, "kind": "bot", "bot": self.game.levels[1]} for seat in table["seats"][1:]]
        return {**table, "seats": [table["seats"][0], *bots]}


def race(state: Callable[[], Any], *done: str, draws: tuple[str, ...] = ()) -> Callable[[], dict[str, Any]]:
    return lambda: script(ScriptedTable(state(), draws, names=NAMES * 2), *done)


RACES = {
    "race": race(for_the_readme, "roll", draws=("die green 2",)),
    "race-again": race(
        for_the_readme, "roll & leg blue & leg green & leg white", "roll", draws=("die green 2", "die white 1")
    ),
    "race-against-bots": lambda: script(AgainstBots(for_the_readme(), (), NAMES)),
    "race-clocked": lambda: script(Clocked(for_the_readme(), ("die green 2",), NAMES), "roll"),
    "race-odds": lambda: {
        **script(Telling(for_the_readme(), (), NAMES)),
        "odds": Telling(for_the_readme(), (), NAMES).odds(),
    },
    "race-hints": lambda: script(Hinting(for_the_readme(), (), NAMES), "leg green"),
    "race-leg-tile": race(for_the_readme, "leg green"),
    "race-card": lambda: script(ScriptedTable(crowded()), "loser yellow"),
    "race-finish": lambda: script(ScriptedTable(eight_before_the_finish(), (FINISH,)), "roll"),
}
