"""A WebSocket, from its handshake to its end, on the sans-I/O protocol of ``websockets``: messages in, frames out.

A table tells many viewers of one move. To wait for each of them in turn takes a task, a queue and a dozen calls per
message; to hand the bytes to the transport takes one. And closing in the ordinary way waits until everything has been
sent, which for somebody who never reads is for ever. So this one writes at once, and cuts the line when nobody answers
a ping, when somebody sends nothing but trifles, when they are too far behind, and when a line that is being closed does
not come to its end.

Of the web server it uses what ``uvicorn.Config(ws=…)`` asks of such a class: how it is made, ``shutdown``, and the
sets of connections and tasks that the server waits for when it stops.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import deque
from http import HTTPStatus
from typing import Any, Protocol, cast
from urllib.parse import unquote

from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from serai.server.limits import address_of
from serai.server.net.config import NetConfig

OUTBOX_BYTES = 1 << 20
"""Who is this far behind is let go; they can come back and ask for the rest."""
LAST_CHANCE = 2.0
"""Seconds in which somebody too slow may still hear why they are let go; then the line is cut."""
GOODBYE_SECONDS = 10.0
"""How long a line that is being closed may take to send what waits; then it is cut."""
PING_SECONDS = 20.0
"""How often we ask whether anybody is there, and how long they have to answer."""
PIECE_BYTES = 2048
"""Taken in at a time: a message of six bytes takes fifty times as much once it waits for the application."""
MOST_TRIFLES = 2000
"""Pings, pongs and pieces of messages between two of our own pings. They pass by all that is counted per message."""

TOO_SLOW = 4408
_DONE, _NOTHING_SAID, _NOT_TEXT, _FAILED, _RESTARTING = 1000, 1005, 1007, 1011, 1012
_LINE = "serai.line"
_TEXT = 0x81
"""The first byte of a text message in one piece (RFC 6455, 5.2); its length follows in one of three forms."""
_SHORT, _LONG, _LONGEST = struct.Struct("!BB"), struct.Struct("!BBH"), struct.Struct("!BBQ")

log = logging.getLogger("serai.server")
_quiet = logging.getLogger("serai.server.websockets")
_quiet.setLevel(logging.WARNING)
"""It would tell of every connection."""


class Line(Protocol):
    """The other end of a connection."""

    @property
    def lost(self) -> bool:
        """Whether nobody is there any more."""

    @property
    def too_slow(self) -> bool:
        """Whether they were let go for being too far behind."""

    def write(self, text: bytes) -> None:
        """Send a message without ever waiting, or let them go if they are too far behind."""

    def close(self, code: int) -> None:
        """Say goodbye once all that waits has been sent; nothing can be written any more."""


def line_of(scope: Any) -> Line:
    """The line behind a socket."""
    line: Line = scope["extensions"][_LINE]
    return line


class WebSocketProtocol(asyncio.Protocol):
    """Runs the application (ASGI) for one socket, and is its :class:`Line`."""

    transport: asyncio.Transport

    def __init__(self, config: NetConfig, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self._config = config
        self._server = server_state
        self._app_state = app_state
        self._loop = asyncio.get_running_loop()
        self._conn = ServerProtocol(max_size=config.ws_max_size, logger=_quiet)
        self._scope: Any = None
        self._inbox: deque[dict[str, Any]] = deque()
        """What the application has not asked for yet."""
        self._reader: asyncio.Future[None] | None = None
        """Where the application waits for more."""
        self._paused = False
        """Whether nothing more is read until it asks."""
        self._unparsed = memoryview(b"")
        """What was read already by then."""
        self._pieces: list[bytes | bytearray | memoryview] = []
        """Of a message that comes in several."""
        self._textual = True
        """Whether that is text."""
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        """What the transport has not been given yet."""
        self._trifles = 0
        self._unanswered = False
        """Whether our last ping is."""
        self._next_ping: asyncio.TimerHandle | None = None
        self._cuts: list[asyncio.TimerHandle] = []
        self._close_code: int | None = None
        """What we said goodbye with."""
        self.lost = False

    # -- for the transport and the server ------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._server.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._server.connections.discard(self)
        self._config.admission.leave(self.transport)
        for timer in (*self._cuts, self._next_ping):
            if timer is not None:
                timer.cancel()
        if self._scope is not None:
            self._scope["extensions"].pop(_LINE, None)  # or the two would hold each other
        self._tell_of_the_end()

    def data_received(self, data: bytes) -> None:
        self._unparsed = memoryview(bytes(self._unparsed) + data if self._unparsed else data)
        self._parse()

    def shutdown(self) -> None:
        """The server stops."""
        self.close(_RESTARTING)
        self.transport.close()
        self._cut_within(GOODBYE_SECONDS)

    # -- for the application -------------------------------------------------------------------------------------------

    async def receive(self) -> dict[str, Any]:
        """The next thing that came."""
        if self._inbox:
            await asyncio.sleep(0)  # others first: whoever sends much at once would otherwise hold up everybody
        while not self._inbox:
            if self.lost or self.transport.is_closing() or self._close_code is not None:
                return {"type": "websocket.disconnect", "code": self._close_code or _NOTHING_SAID}
            self._reader = self._loop.create_future()
            await self._reader
        told = self._inbox.popleft()
        if not self._inbox:
            self._read_on()
        return told

    async def send(self, message: dict[str, Any]) -> None:
        """Take the connection, or end it; messages go by :meth:`write`."""
        if message["type"] == "websocket.accept":
            if not self.transport.is_closing():
                self._conn.send_response(self._response)
                self._pass_on()
                self._next_ping = self._loop.call_later(PING_SECONDS, self._ping)
        elif message["type"] == "websocket.close":
            self.close(message["code"], message["reason"])
        else:
            raise RuntimeError(f"nobody sends {message['type']} here")

    @property
    def too_slow(self) -> bool:
        return self._close_code == TOO_SLOW

    def write(self, text: bytes) -> None:
        if self._close_code is not None or self.transport.is_closing():
            return
        size = len(text)
        if self._outbox_bytes + self.transport.get_write_buffer_size() + size > OUTBOX_BYTES:
            self.close(TOO_SLOW)
            return
        if not self._outbox:
            self._loop.call_soon(self._flush)
        if size < 126:
            self._outbox.append(_SHORT.pack(_TEXT, size))
        elif size < 1 << 16:
            self._outbox.append(_LONG.pack(_TEXT, 126, size))
        else:
            self._outbox.append(_LONGEST.pack(_TEXT, 127, size))
        self._outbox.append(text)
        self._outbox_bytes += size

    def close(self, code: int, reason: str = "") -> None:
        if self._close_code is not None or self.transport.is_closing():
            return
        self._close_code = code
        if self._conn.state is State.OPEN:
            self._flush()
            self._conn.send_close(code, reason)
            self._pass_on()
        self._read_on()  # or their goodbye would never be heard
        self._tell_of_the_end()
        self._cut_within(LAST_CHANCE if code == TOO_SLOW else GOODBYE_SECONDS)

    @property
    def address(self) -> str:
        """To whom the connection counts."""
        return address_of(self._scope["client"] if self._scope else None)

    def cut(self) -> None:
        """End it at once."""
        self.transport.abort()

    def unsent(self) -> int:
        """How many bytes wait in memory."""
        return self._outbox_bytes + self.transport.get_write_buffer_size()

    # -- coming and going ----------------------------------------------------------------------------------------------

    def _greet(self, request: Request) -> None:
        """Answer the handshake, and let the application say whether it takes the connection."""
        self._response = self._conn.accept(request)
        if self._response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._conn.send_response(self._response)
            self._hang_up()
            return
        path, _, query = request.path.partition("?")
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in request.headers.raw_items()]
        self._scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws" if self.transport.get_extra_info("sslcontext") is None else "wss",
            "server": _address(self.transport.get_extra_info("sockname")),
            "client": _address(self.transport.get_extra_info("peername")),
            "root_path": self._config.root_path,
            "path": self._config.root_path + unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "subprotocols": [],
            "state": self._app_state.copy(),
            "extensions": {_LINE: self},
        }
        self._inbox.append({"type": "websocket.connect"})
        app: Any = self._config.loaded_app
        task = self._loop.create_task(app(self._scope, self.receive, self.send))
        self._server.tasks.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[None]) -> None:
        """The application is done with it."""
        self._server.tasks.discard(task)
        failed = not task.cancelled() and task.exception()
        if failed:
            log.error("%s while serving a socket", type(failed).__name__, exc_info=failed)
        self.close(_FAILED if failed else _DONE)
        if self._conn.state is State.CONNECTING and not self.transport.is_closing():
            self._conn.send_response(self._conn.reject(HTTPStatus.INTERNAL_SERVER_ERROR, ""))
            self._hang_up()

    def _hang_up(self) -> None:
        """They said goodbye, or cannot be understood: send what is left to be said, and end it."""
        if not self.transport.is_closing():
            self._flush()
            self._pass_on()
            self.transport.close()
        self._tell_of_the_end()
        self._cut_within(GOODBYE_SECONDS)

    def _tell_of_the_end(self) -> None:
        """The application hears of it once it has taken what came before."""
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _cut_within(self, seconds: float) -> None:
        if not self.lost:
            self._cuts.append(self._loop.call_later(seconds, self.transport.abort))

    def _ping(self) -> None:
        """Ask whether anybody is there; cut the line if nobody answered the last time."""
        if self._unanswered:
            self.transport.abort()
        elif self._conn.state is State.OPEN and not self.transport.is_closing():
            self._trifles, self._unanswered = 0, True
            self._conn.send_ping(b"")
            self._pass_on()
            self._next_ping = self._loop.call_later(PING_SECONDS, self._ping)

    # -- what comes and goes -------------------------------------------------------------------------------------------

    def _parse(self) -> None:
        """Take in what was read, piece by piece, until there is a message for the application."""
        while self._unparsed and not self._paused and not self.transport.is_closing():
            piece, self._unparsed = self._unparsed[:PIECE_BYTES], self._unparsed[PIECE_BYTES:]
            self._conn.receive_data(bytes(piece))
            for event in self._conn.events_received():
                if isinstance(event, Request):
                    self._greet(event)
                elif isinstance(event, Frame):
                    if event.opcode is Opcode.TEXT and event.fin:
                        self._deliver(event.data)
                    else:
                        self._take(event)
            if self._conn.parser_exc is not None or self._conn.handshake_exc is not None:
                self._hang_up()

    def _read_on(self) -> None:
        """Go on where reading was interrupted."""
        if self._paused:
            self._paused = False
            self._parse()
            if not self._paused and not self.transport.is_closing():
                self.transport.resume_reading()

    def _deliver(self, data: bytes | bytearray | memoryview) -> None:
        """A whole message, for the application; what comes faster than it asks is not even read."""
        if self._close_code is not None:
            return
        try:
            self._inbox.append({"type": "websocket.receive", "text": str(data, "utf-8")})
        except UnicodeDecodeError:
            self.close(_NOT_TEXT)
            return
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
        elif not self._paused:
            self._paused = True
            self.transport.pause_reading()

    def _take(self, frame: Frame) -> None:
        """Anything but a message in one piece."""
        if frame.opcode is Opcode.CLOSE:
            self._hang_up()
        elif frame.opcode is Opcode.BINARY and frame.fin:
            self._deliver(b"")  # no message has that form
        elif self._bearable():
            if frame.opcode is Opcode.PING:
                self._pass_on()  # the answer, which is ready
            elif frame.opcode is Opcode.PONG:
                self._unanswered = False
            elif frame.opcode is Opcode.CONT:
                self._pieces.append(frame.data)
                if frame.fin:
                    self._deliver(b"".join(self._pieces) if self._textual else b"")
            else:
                self._pieces, self._textual = [frame.data], frame.opcode is Opcode.TEXT

    def _bearable(self) -> bool:
        """Whether one more trifle can be taken; if not, the line is cut."""
        self._trifles += 1
        if self._trifles > MOST_TRIFLES or self.unsent() > OUTBOX_BYTES:
            self.transport.abort()
        return not self.transport.is_closing()

    def _flush(self) -> None:
        """Whoever acts gets a frame and an answer; both take one call of the system together."""
        outbox, size, self._outbox, self._outbox_bytes = self._outbox, self._outbox_bytes, [], 0
        if outbox and not self.transport.is_closing():
            self.transport.write(b"".join(outbox))
            self._config.unsent.wrote(self, size)

    def _pass_on(self) -> None:
        """What the protocol itself has to say."""
        said = b"".join(self._conn.data_to_send())
        self.transport.write(said)
        self._config.unsent.wrote(self, len(said))


def _address(told: Any) -> tuple[str, int] | None:
    """Host and port, where the line has such."""
    return (str(told[0]), int(told[1])) if isinstance(told, tuple) and len(told) >= 2 else None
