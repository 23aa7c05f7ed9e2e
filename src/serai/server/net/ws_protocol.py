"""The WebSocket protocol of the web server, with what a table needs on top: to write at once, and to cut off who does
not read.

A table tells many viewers of one move. To wait for each of them in turn takes a task, a queue and a dozen calls per
message; to hand the bytes to the transport takes one. And closing in the ordinary way waits until everything has been
sent, which for somebody who never reads is for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

OUTBOX_BYTES = 1 << 20
"""Who is this far behind is let go; they can come back and ask for the rest."""
LAST_CHANCE = 2.0
"""Seconds in which somebody too slow may still hear why they are let go; then the line is cut."""
GOODBYE_SECONDS = 10.0
"""How long a line that is being closed may take to send what waits; then it is cut."""
MOST_TRIFLES = 2000
"""Pings, pongs and pieces of messages between two of our own pings. They pass by all that is counted per message."""

_LINE = "serai.line"


class Line(Protocol):
    """The other end of a connection."""

    @property
    def lost(self) -> bool:
        """Whether nobody is there any more."""

    def write(self, text: bytes) -> None:
        """Send a message; it may wait in memory."""

    def unsent(self) -> int:
        """How many bytes wait in memory."""

    def close(self, code: int, within: float = GOODBYE_SECONDS) -> None:
        """Say goodbye once all that waits has been sent, and let go after so many seconds at the latest."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Gives itself to the application as a :class:`Line`; cuts the line itself when nobody answers a ping, when
    somebody sends nothing but trifles, and when a line that is being closed does not come to its end.
    """

    _unwritten = 0
    """Bytes that the transport has not been given yet."""
    _trifles = 0

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][_LINE] = self

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"].pop(_LINE, None)  # or the two would hold each other

    def handle_ping(self) -> None:
        if self._bearable():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._bearable():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        if self._bearable():
            super().handle_cont(event)

    def send_keepalive_ping(self) -> None:
        self._trifles = 0
        super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._end_within(GOODBYE_SECONDS)

    def shutdown(self) -> None:
        with contextlib.suppress(InvalidState):  # both sides have said goodbye already
            super().shutdown()
        self.transport.close()
        self._end_within(GOODBYE_SECONDS)

    @property
    def lost(self) -> bool:
        return self.disconnected

    def write(self, text: bytes) -> None:
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.send_text(text)
        if not self._unwritten:
            self.loop.call_soon(self._flush)
        self._unwritten += len(text)

    def unsent(self) -> int:
        return self._unwritten + self.transport.get_write_buffer_size()

    def close(self, code: int, within: float = GOODBYE_SECONDS) -> None:
        task = self.loop.create_task(self._close(code))
        self.tasks.add(task)
        task.add_done_callback(self.on_task_complete)
        self._end_within(within)

    def _end_within(self, seconds: float) -> None:
        self.loop.call_later(seconds, self.transport.abort)

    def _bearable(self) -> bool:
        """Whether one more trifle can be taken; if not, the line is cut."""
        self._trifles += 1
        if self._trifles > MOST_TRIFLES or self.unsent() > OUTBOX_BYTES:
            self.transport.abort()
        return not self.transport.is_closing()

    def _flush(self) -> None:
        """Whoever acts gets a frame and an answer; both take one call of the system together."""
        self._unwritten = 0
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))

    async def _close(self, code: int) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # they are gone already, or being told so
            await self.send({"type": "websocket.close", "code": code, "reason": ""})


def line_of(scope: Any) -> Line:
    """The line behind a socket."""
    line: Line = scope["extensions"][_LINE]
    return line
