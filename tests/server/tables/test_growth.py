"""Nothing that the event loop does at a table takes longer because the game has been long.

It is counted in lines of Python, so that no clock is needed, and compared between an early and a late part of the same
game. What a line copies is not counted; the lists that a table keeps are only ever copied in parts.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from types import FrameType, SimpleNamespace
from typing import Any

import msgspec
import pytest

from serai.core.chance import any_kind
from serai.server.bots.worker import MOST_EVENTS
from serai.server.tables.audience import Audience
from serai.table import frames
from serai.wire import messages as m
from serai.wire.frames import TableRules
from tests.support import amount
from tests.table.test_table import Kept

GAME = "pharaoh"
PEOPLE = ("ann", "bob")
EARLY, LATE = 300, amount(800, 3000)
"""Actions played before each of the two parts."""
MEASURED = 12
"""Times that everything is done in each part; the cheapest counts, since positions differ."""
MORE = 1.5
"""So many times as many lines may the late part take."""


def lines(work: Callable[[], object]) -> int:
    """How many lines of Python it runs."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


class LongGame:
    """Two people at a table who play at random, and whoever looks at it."""

    def __init__(self) -> None:
        self.rng = random.Random(6)
        self.kept = Kept(GAME, seats=2, table_rules=TableRules(hints=True))
        for name in PEOPLE:
            self.kept.join(name, name)
        self.kept.tell(m.SetOptions("o", {"max_rounds": None}), "ann")
        self.kept.tell(m.Start("s"), "ann")
        hall: Any = SimpleNamespace()
        self.audience = Audience(self.kept.table, hall)
        self.known = [0, 0]

    def act(self) -> None:
        table = self.kept.table
        assert table.snapshot is not None
        seat = table.actor
        assert seat is not None, "the game is over too early"
        action = msgspec.Raw(msgspec.json.encode(any_kind(table.snapshot.actions(), self.rng)))
        self.kept.tell(m.Act(f"a{table.n}", table.on, action), PEOPLE[seat], seat)

    def undo(self) -> None:
        seat = self.kept.table.undoable
        assert seat is not None
        self.kept.tell(m.Undo(f"u{self.kept.table.n}", self.kept.table.on), PEOPLE[seat], seat)

    def act_and_undo(self) -> None:
        """An action that can be undone, undone."""
        for _ in range(200):
            self.act()
            if self.kept.table.undoable is not None:
                self.undo()
                return

    def hint(self) -> None:
        """What of it reaches the table."""
        table, seat = self.kept.table, self.kept.table.actor
        assert seat is not None
        self.kept.table.hinted[seat].add(table.on)
        table.info()

    def welcome(self) -> None:
        frames.welcome(self.kept.table, "ann", 0)

    def come_back(self) -> None:
        frames.history(self.kept.table, "ann", 0, self.kept.table.n - 3)

    def watch(self) -> None:
        """What a bot or the coach is shown before it decides."""
        seat = self.kept.table.actor
        assert seat is not None
        self.known[seat] += len(self.audience.events(seat, self.known[seat]))

    def watch_anew(self) -> None:
        """The same for one that has seen nothing yet: of a long game, the first part."""
        assert len(Audience(self.kept.table, self.audience._hall).events(0, 0)) == MOST_EVENTS


WORK = ("act", "act_and_undo", "hint", "welcome", "come_back", "watch", "watch_anew")


@pytest.fixture(scope="module")
def measured() -> dict[str, tuple[int, int]]:
    """For each kind of work: its lines early and late in a game."""
    game = LongGame()
    found: list[dict[str, int]] = []
    for until in (EARLY, LATE):
        while game.kept.table.length < until:
            game.act()
        for seat in range(2):
            while more := game.audience.events(seat, game.known[seat]):
                game.known[seat] += len(more)
        best: dict[str, int] = {}
        for _ in range(MEASURED):
            for name in WORK:
                best[name] = min(best.get(name, sys.maxsize), lines(getattr(game, name)))
        found.append(best)
    return {name: (found[0][name], found[1][name]) for name in WORK}


@pytest.mark.parametrize("work", WORK)
def test_a_long_game_costs_the_event_loop_no_more_than_a_short_one(
    work: str, measured: dict[str, tuple[int, int]]
) -> None:
    early, late = measured[work]
    assert late < MORE * early + 30, f"{work}: {early} lines after {EARLY} actions, {late} after {LATE}"


def test_what_goes_through_a_whole_game_would_be_found() -> None:
    assert lines(lambda: [None for _ in range(100)]) >= 100
