"""A table that is awake, with those who are connected to it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from serai.server.net.connection import Connection, encode
from serai.server.peers.base import NOBODY, Attendance
from serai.table import frames
from serai.table.effects import Effect
from serai.table.table import Table


class Live:
    """One table in memory, its connections, and where its bots stand."""

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.bots: asyncio.Task[None] | None = None
        self.bot_keys: set[str] = set()
        self.used = now
        self.moved = now
        """When the game last changed, and when that was a person's doing."""
        self.person_moved = float("-inf")
        self.talk: dict[str, deque[float]] = {}
        """When each visitor said something lately."""
        self.listed = ""
        """The day on which the table's listing was last written here."""
        self.doubtful = False
        """An append failed, or news may have been missed: what the store holds is read before the next change."""
        self.heard_of = -1
        """The largest number that another process has told of."""
        self.elsewhere = NOBODY
        """Who is connected at other processes."""

    @property
    def behind(self) -> bool:
        """Whether the store holds, or may hold, more than memory does."""
        return self.doubtful or self.heard_of > self.table.n

    @property
    def bots_playing(self) -> bool:
        """Whether this process lets the bots of the table play right now."""
        return self.bots is not None and not self.bots.done()

    def attendance(self) -> Attendance:
        """Who is connected here."""
        visitors = frozenset(connection.visitor for connection in self.connections if connection.visitor)
        return Attendance(visitors, self._watching())

    def tell(self, effect: Effect) -> None:
        """Everybody's frame of an effect, made once for all who see the same."""
        made: dict[Any, bytes] = {}
        shared = frames.same_for_all(effect)
        for connection in self.connections:
            key = connection.seat if shared else (connection.seat, connection.visitor)
            text = made.get(key)
            if text is None:
                frame = frames.frame(self.table.effects, effect, connection.visitor, connection.seat)
                text = made[key] = b"" if frame is None else encode(frame)
            if text:
                connection.send(text)

    def tell_presence(self, now: float) -> None:
        """Who is away, for everybody."""
        watching = self._watching() + self.elsewhere.watching
        self.tell_all(encode(frames.presence(self.table, now, watching)))

    def tell_all(self, text: bytes) -> None:
        """The same for everybody."""
        for connection in self.connections:
            connection.send(text)

    def dismiss(self, code: int) -> None:
        """Let everybody go."""
        for connection in self.connections:
            connection.close(code)

    def follow_seats(self) -> None:
        """Before the start seats move about; whoever looked through one looks through their own again."""
        for connection in self.connections:
            held = self.table.held_by(connection.visitor)
            if connection.seat not in held and not connection.onlooker_by_choice:
                connection.seat = held[0] if held else None

    def _watching(self) -> int:
        return sum(connection.seat is None for connection in self.connections)
