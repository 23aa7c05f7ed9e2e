"""What has been written and not been read: watched over all connections together.

A transport takes whatever it is given and waits for ever for the other side to read it. So whoever reads nothing for a
while is cut, and when all that waits is too much, the largest piece of the address that makes most of it wait.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Protocol

WRITE_SECONDS = 20.0
"""Who reads nothing for so long is cut. The system tells of progress in steps: a part of ``SYSTEM_BUFFER``."""
SYSTEM_BUFFER = 1 << 16
"""Bytes that the system may keep for each connection and direction, beside what waits here."""
MOST_UNSENT = 64 << 20
"""Bytes that may wait for all connections together."""
_LOOK_EVERY = 1.0


class Writer(Protocol):
    """A connection to which something was written."""

    transport: asyncio.Transport

    @property
    def address(self) -> str:
        """To whom it counts."""

    def cut(self) -> None:
        """End it at once."""


class Backlog:
    """All connections that may be behind."""

    def __init__(self, on_cut: Callable[[], None] = lambda: None) -> None:
        self._on_cut = on_cut
        self._behind: dict[Writer, tuple[int, float]] = {}
        """The least that waited, and since when it has not become less."""
        self._unsent = 0
        """What waits at most: what did when we last looked, and all that was written since."""
        self._next_look: asyncio.TimerHandle | None = None

    def wrote(self, writer: Writer, size: int) -> None:
        """So many bytes were handed to the transport of this connection."""
        self._unsent += size
        if writer not in self._behind:
            loop = asyncio.get_running_loop()
            self._behind[writer] = (writer.transport.get_write_buffer_size(), loop.time())
            if self._next_look is None:
                self._next_look = loop.call_later(_LOOK_EVERY, self._look)
        if self._unsent > MOST_UNSENT:
            self._make_room()

    def __len__(self) -> int:
        return len(self._behind)

    def _look(self) -> None:
        """Forget those who have everything, and cut those who have waited in vain."""
        loop = asyncio.get_running_loop()
        now, behind = loop.time(), self._behind
        self._behind = {}
        for writer, (least, since) in behind.items():
            waits = writer.transport.get_write_buffer_size()
            if waits < least:
                self._behind[writer] = (waits, now)
            elif waits and now - since >= WRITE_SECONDS:
                self._cut(writer)
            elif waits:
                self._behind[writer] = (least, since)
        self._behind = {writer: mark for writer, mark in self._behind.items() if mark[0]}
        self._unsent = _unsent(self._behind)
        self._next_look = loop.call_later(_LOOK_EVERY, self._look) if self._behind else None

    def _make_room(self) -> None:
        """Too much waits: those of the address that lets most of it wait are cut, the largest first."""
        self._unsent = _unsent(self._behind)
        while self._unsent > MOST_UNSENT:
            of_address: dict[str, list[Writer]] = defaultdict(list)
            for writer in self._behind:
                of_address[writer.address].append(writer)
            most = max(of_address.values(), key=_unsent)
            writer = max(most, key=lambda one: one.transport.get_write_buffer_size())
            self._unsent -= writer.transport.get_write_buffer_size()
            del self._behind[writer]
            self._cut(writer)

    def _cut(self, writer: Writer) -> None:
        writer.cut()
        self._on_cut()


def _unsent(writers: Iterable[Writer]) -> int:
    return sum(writer.transport.get_write_buffer_size() for writer in writers)
