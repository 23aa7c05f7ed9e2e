"""Who is at the table right now. Times are seconds of a steady clock that the caller passes in."""

from __future__ import annotations

import math
from collections import Counter

GRACE_SECONDS = 60.0
"""How long a person may be away before the others may let a bot play on."""


class Presence:
    """Counts each visitor's connections and remembers since when somebody has none."""

    def __init__(self, now: float, grace: float = GRACE_SECONDS) -> None:
        self._since_load = now
        self._grace = grace
        self._connections: Counter[str] = Counter()
        self._elsewhere: frozenset[str] = frozenset()
        self._gone_since: dict[str, float] = {}

    def came(self, visitor: str) -> None:
        """A connection of this visitor opened."""
        self._connections[visitor] += 1
        self._gone_since.pop(visitor, None)

    def went(self, visitor: str, now: float) -> None:
        """A connection of this visitor closed."""
        self._connections[visitor] -= 1
        if self._connections[visitor] <= 0:
            del self._connections[visitor]
            self._note_gone(visitor, now)

    def elsewhere(self, visitors: frozenset[str], now: float) -> None:
        """These visitors, and no others, have connections at other processes."""
        for visitor in self._elsewhere - visitors:
            self._note_gone(visitor, now)
        self._elsewhere = visitors

    def here(self, visitor: str) -> bool:
        """Whether this visitor has a connection."""
        return self._connections[visitor] > 0 or visitor in self._elsewhere

    def grace_left(self, visitor: str, now: float) -> int:
        """Whole seconds until the visitor counts as absent; 0 when that time is over.

        Somebody who never connected since the table was loaded has been away since then.
        """
        gone = self._gone_since.get(visitor, self._since_load)
        return math.ceil(min(max(gone + self._grace - now, 0.0), self._grace))

    def _note_gone(self, visitor: str, now: float) -> None:
        """Remember it for as long as it matters: any number of onlookers may come and go."""
        for other, since in list(self._gone_since.items()):
            if since + self._grace > now:
                break
            del self._gone_since[other]
        self._gone_since.pop(visitor, None)
        self._gone_since[visitor] = now
