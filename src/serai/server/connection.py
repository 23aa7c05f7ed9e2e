"""One viewer's socket, seen from a table: what waits to be sent, and through which seat they look."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import msgspec

from serai.table.messages import AnyReply

OUTBOX_BYTES = 1 << 20
"""Who is this far behind is let go; they can come back and ask for the rest."""

LAST_CHANCE = 2.0
"""Seconds in which somebody too slow may still hear why they are let go; then the line is cut."""

TOO_SLOW = 4408
RESTARTING = 1012

_encoder = msgspec.json.Encoder()


def encode(reply: AnyReply) -> str:
    """A reply as it travels."""
    return _encoder.encode(reply).decode()


class Connection:
    """Keeps order, and never makes a table wait for a slow reader."""

    def __init__(self, visitor: str, seat: int | None, cut: Callable[[], None] = lambda: None) -> None:
        self.visitor = visitor
        self._cut = cut
        self.seat = seat
        self.onlooker_by_choice = False
        self._outbox: deque[str] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._close_code: int | None = None

    def send(self, text: str) -> None:
        """Queue something to be sent."""
        if self._close_code is not None:
            return
        self._outbox.append(text)
        self._waiting_bytes += len(text)
        if self._waiting_bytes > OUTBOX_BYTES:
            self._outbox.clear()
            self._waiting_bytes = 0
            self._close_code = TOO_SLOW
            asyncio.get_running_loop().call_later(LAST_CHANCE, self._cut)
        self._wake.set()

    @property
    def too_slow(self) -> bool:
        """Whether it was let go for being too far behind."""
        return self._close_code == TOO_SLOW

    def close(self, code: int) -> None:
        """Close, once all that waits has been sent."""
        if self._close_code is None:
            self._close_code = code
        self._wake.set()

    async def pump(self, send: Callable[[str], Awaitable[None]]) -> int:
        """Send what is queued, until told to close; the code to close with."""
        while True:
            while self._outbox:
                text = self._outbox.popleft()
                self._waiting_bytes -= len(text)
                await send(text)
            if self._close_code is not None:
                return self._close_code
            self._wake.clear()
            await self._wake.wait()
