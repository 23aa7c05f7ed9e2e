"""A log of who was refused what, so that an attacker can be found; a few lines a minute, however much is refused."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

log = logging.getLogger("serai.refusals")

MINUTE = 60.0
MOST_LINES = 10
"""Addresses named each minute: those that were refused most."""
REMEMBERED = 2_000
"""Addresses counted in a minute; beyond that, others are counted together."""
_OTHERS = ("others", "")


class Refusals:
    """Counts refusals by address and by what was refused."""

    def __init__(self) -> None:
        self._counted: Counter[tuple[str, str]] = Counter()

    def note(self, address: str, what: str) -> None:
        """Count one refusal."""
        key = (address, what)
        if key not in self._counted and len(self._counted) >= REMEMBERED:
            key = _OTHERS
        self._counted[key] += 1

    def write(self) -> None:
        """Log what was counted since the last time, and begin anew."""
        counted, self._counted = self._counted, Counter()
        others = counted.pop(_OTHERS, 0)
        most = counted.most_common(MOST_LINES)
        for (address, what), count in most:
            log.warning("refused %s to %s: %d times within a minute", what, address, count)
        rest = others + counted.total() - sum(count for _, count in most)
        if rest:
            log.warning("refused to other addresses: %d times within a minute", rest)

    async def write_every_minute(self) -> None:
        """Log until cancelled."""
        try:
            while True:
                await asyncio.sleep(MINUTE)
                self.write()
        finally:
            self.write()
