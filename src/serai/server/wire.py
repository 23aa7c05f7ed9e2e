"""The WebSocket protocol of the web server, with what a table needs on top: to write at once, and to cut off who does
not read.

A table tells many viewers of one move. To wait for each of them in turn takes a task, a queue and a dozen calls per
message; to hand the bytes to the transport takes one. And closing in the ordinary way waits until everything has been
sent, which for somebody who never reads is for ever.
"""

from __future__ import annotations

import contextlib
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

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

    def close(self, code: int) -> None:
        """Say goodbye once all that waits has been sent."""

    def cut(self) -> None:
        """Let go at once."""


class Wire(WebSocketsSansIOProtocol):
    """Gives itself to the application as a :class:`Line`; cuts the line itself when nobody answers a ping."""

    _unwritten = 0
    """Bytes that the transport has not been given yet."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][_LINE] = self

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

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

    def close(self, code: int) -> None:
        task = self.loop.create_task(self._close(code))
        self.tasks.add(task)
        task.add_done_callback(self.on_task_complete)

    def cut(self) -> None:
        self.transport.abort()

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
