"""Time at a table: the turn clock, and who has been away for how long.

All times are seconds of a steady clock that the caller passes in.
"""

from __future__ import annotations

import math
from collections import Counter

import msgspec

DAY = 86_400
"""A clock of a day is for people who look in now and then: it runs even when nobody is connected."""
GRACE_SECONDS = 60.0
"""How long a person may be away before the others may let a bot play on."""


class Turn(msgspec.Struct, frozen=True):
    """One seat's turn."""

    seat: int
    after: int
    """How many actions stood when it began."""
    began: float
    """What the clock had counted by then."""


class TurnClock:
    """Counts the time of one table's turns.

    A turn lasts until another seat is to act, however many actions it has. After an undo the seat is back in the turn
    it had begun, whose time has run on meanwhile: an undo never gains time. Time counts only while somebody could play:
    not during a pause, not while no server had the table loaded, and with a clock of minutes only while somebody who
    has a seat is connected.
    """

    __slots__ = ("_counted", "_since", "_turns", "seat", "seconds")

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        """The time for one turn; 0 for no clock."""
        self.seat: int | None = None
        """The seat whose time is counted now."""
        self._turns: list[Turn] = []
        """The present one last, before it those that an undo may lead back to."""
        self._counted = 0.0
        self._since: float | None = None
        """When the clock last began to run; ``None`` while it stands."""

    def follow(self, actor: int | None, played: int, *, timed: bool, stands: bool, now: float) -> None:
        """Follow the table: ``actor`` is to act after ``played`` actions, ``timed`` if that seat is on the clock."""
        if not self.seconds:
            return
        if stands != (self._since is None):
            self._counted = self._total(now)
            self._since = None if stands else now
        while self._turns and self._turns[-1].after > played:
            self._turns.pop()  # undone
        if actor is not None and (not self._turns or self._turns[-1].seat != actor):
            self._turns.append(Turn(actor, played, self._total(now)))
        self.seat = actor if timed else None

    def left(self, now: float) -> float | None:
        """Seconds left of the present turn, 0 or less when it is over; ``None`` if nobody is on the clock."""
        if self.seat is None:
            return None
        return self.seconds - (self._total(now) - self._turns[-1].began)

    def out(self, seat: int, played: int, now: float) -> bool:
        """Whether the turn that begins or goes on after ``played`` actions is this seat's and its time is over."""
        turn = next((turn for turn in reversed(self._turns) if turn.after <= played), None)
        return turn is not None and turn.seat == seat and self._total(now) - turn.began >= self.seconds

    def begin_no_earlier(self, than: float) -> None:
        """Move the beginning of the present turn to that time, unless it began later: nobody could play before."""
        counted = self._counted if self._since is None else self._counted + than - self._since
        if self._turns and self._turns[-1].began < counted:
            self._turns[-1] = msgspec.structs.replace(self._turns[-1], began=counted)

    def due(self) -> float | None:
        """When the present turn's time will be over; ``None`` while the clock stands or nobody is on it."""
        if self.seat is None or self._since is None:
            return None
        return self._since - self._counted + self._turns[-1].began + self.seconds

    def _total(self, now: float) -> float:
        return self._counted if self._since is None else self._counted + max(now - self._since, 0.0)


class Attendance:
    """Counts each visitor's connections and remembers since when a visitor has had none."""

    def __init__(self, now: float, grace: float = GRACE_SECONDS) -> None:
        self._since_load = now
        self._grace = grace
        self._connections: Counter[str] = Counter()
        self._elsewhere: frozenset[str] = frozenset()
        self._gone_since: dict[str, float] = {}

    def came(self, visitor: str) -> None:
        self._connections[visitor] += 1
        self._gone_since.pop(visitor, None)

    def went(self, visitor: str, now: float) -> None:
        self._connections[visitor] -= 1
        if self._connections[visitor] <= 0:
            del self._connections[visitor]
            self._note_gone(visitor, now)

    def elsewhere(self, visitors: frozenset[str], now: float) -> None:
        """These visitors, and no others, are connected to other server processes."""
        for visitor in self._elsewhere - visitors:
            self._note_gone(visitor, now)
        self._elsewhere = visitors

    def here(self, visitor: str) -> bool:
        return self._connections[visitor] > 0 or visitor in self._elsewhere

    def grace_left(self, visitor: str, now: float) -> int:
        """Whole seconds until the visitor counts as absent; 0 from then on.

        A visitor who never connected since the table was loaded has been away since then.
        """
        gone = self._gone_since.get(visitor, self._since_load)
        return math.ceil(min(max(gone + self._grace - now, 0.0), self._grace))

    def _note_gone(self, visitor: str, now: float) -> None:
        """Note the time, and forget visitors whose grace is over: any number of onlookers may come and go."""
        for other, since in list(self._gone_since.items()):
            if since + self._grace > now:
                break
            del self._gone_since[other]
        self._gone_since.pop(visitor, None)
        self._gone_since[visitor] = now
