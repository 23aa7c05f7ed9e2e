"""The clock of a table: how much of their turn's time the person to act has left.

A turn lasts until another seat is to act, however many actions it has. Whoever takes an action back is in the turn that
they had begun: its time has run on meanwhile, so an undo never gains any. What counts is only time in which somebody
could play: none while the game is paused, none while no server had the table, and for a clock of minutes none while
nobody who has a seat is there. Times are seconds of a steady clock that the caller passes in.
"""

from __future__ import annotations

import msgspec

DAY = 86_400
"""A clock of a day is for people who look in now and then: it runs even when nobody is there."""


class Turn(msgspec.Struct, frozen=True):
    """One seat's turn: how many actions stood when it began, and what the clock had counted by then."""

    seat: int
    after: int
    began: float


class TurnClock:
    """Counts the time of one table's turns."""

    __slots__ = ("_counted", "_since", "_turns", "seat", "seconds")

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        """What a turn may take; 0 for no clock."""
        self.seat: int | None = None
        """The seat whose time is counted now."""
        self._turns: list[Turn] = []
        """The present one last; those before it, to be gone back to."""
        self._counted = 0.0
        self._since: float | None = None
        """Since when more is to be counted; ``None`` while it stands."""

    def follow(self, actor: int | None, played: int, *, timed: bool, stands: bool, now: float) -> None:
        """Take in how the table stands: who is to act after so many actions, and whether that seat is on the clock."""
        if not self.seconds:
            return
        if stands != (self._since is None):
            self._counted = self._total(now)
            self._since = None if stands else now
        while self._turns and self._turns[-1].after > played:
            self._turns.pop()  # taken back
        if actor is not None and (not self._turns or self._turns[-1].seat != actor):
            self._turns.append(Turn(actor, played, self._total(now)))
        self.seat = actor if timed else None

    def left(self, now: float) -> float | None:
        """Seconds that are left of the present turn, none or less when it is over; ``None`` where nobody's run."""
        if self.seat is None:
            return None
        return self.seconds - (self._total(now) - self._turns[-1].began)

    def out(self, seat: int, played: int, now: float) -> bool:
        """Whether this seat's time is over in the turn that it is in when so many actions stand, whoever plays it."""
        turn = next((turn for turn in reversed(self._turns) if turn.after <= played), None)
        return turn is not None and turn.seat == seat and self._total(now) - turn.began >= self.seconds

    def begin_no_earlier(self, than: float) -> None:
        """Let the present turn have begun then, unless it began later: nobody could play before."""
        counted = self._counted if self._since is None else self._counted + than - self._since
        if self._turns and self._turns[-1].began < counted:
            self._turns[-1] = msgspec.structs.replace(self._turns[-1], began=counted)

    def due(self) -> float | None:
        """When the present turn's time is over, if nothing happens; ``None`` while it stands or nobody's runs."""
        if self.seat is None or self._since is None:
            return None
        return self._since - self._counted + self._turns[-1].began + self.seconds

    def _total(self, now: float) -> float:
        return self._counted if self._since is None else self._counted + max(now - self._since, 0.0)
