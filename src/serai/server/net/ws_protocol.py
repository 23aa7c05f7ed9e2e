"""A WebSocket, from its handshake to its end, on the sans-I/O protocol of ``websockets``: messages in, frames out.

A table sends many viewers a frame of one move. Waiting for each of them in turn takes a task, a queue and a dozen calls
per message; handing the bytes to the transport takes one. And an ordinary close waits until everything has been sent,
which with a client that never reads is for ever. So this protocol writes at once, and cuts the connection when a ping
is not answered, when a client sends too many pings and fragments, when it reads too slowly, and when a close takes too
long. After the server's close frame it reads a little, to see the client's, and then no more.

Of uvicorn it uses what ``uvicorn.Config(ws=…)`` asks of such a class: its constructor, ``shutdown``, and the sets of
connections and tasks that the server waits for when it stops.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import deque
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import unquote

from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # by C where that is installed
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from serai.server.limits import address_of
from serai.server.net.connections import NetConfig

OUTBOX_BYTES = 1 << 20
"""Most unread bytes of a client; then it is closed, and may come back and ask for the rest."""
SLOW_CLOSE_SECONDS = 2.0
"""Seconds that a client which read too slowly has to read the close frame."""
CLOSE_SECONDS = 10.0
"""Seconds that a close may take; then the connection is cut."""
PING_SECONDS = 20.0
"""Seconds between two pings, and for the answer to one."""
PIECE_BYTES = 2048
"""Bytes parsed at a time: a message of six bytes takes fifty times as much once it waits for the application."""
MOST_CONTROL_FRAMES = 2000
"""Most pings, pongs and fragments between two of our own pings: no limit on messages counts them."""
LATE_FRAMES, LATE_BYTES = 50, 1 << 16
"""Most that is read after the server's close frame, while it waits for the client's: what may have been on its way.
Then nothing is read any more until the connection is cut, and the client's address is blamed."""
LATE_PIECE = 256
"""Bytes parsed at a time then: frames of six bytes are counted before there are many."""

TOO_SLOW = 4408
_DONE, _NO_STATUS, _NOT_TEXT, _FAILED, _RESTARTING = 1000, 1005, 1007, 1011, 1012
_SOCKET = "serai.socket"
_TEXT = 0x81
"""The first byte of an unfragmented text message (RFC 6455, 5.2); its length follows in one of three forms."""
_UNKNOWN = 1 << 60
_MASKED = 0x80
"""The bit of the second byte that every client sets."""
_SHORT, _LONG, _LONGEST = struct.Struct("!BB"), struct.Struct("!BBH"), struct.Struct("!BBQ")

log = logging.getLogger("serai.server")
_quiet = logging.getLogger("serai.server.websockets")
_quiet.setLevel(logging.WARNING)
"""It would log every connection."""


def socket_of(scope: Any) -> WebSocketProtocol:
    """The socket behind an ASGI scope."""
    socket: WebSocketProtocol = scope["extensions"][_SOCKET]
    return socket


class WebSocketProtocol(asyncio.Protocol):
    """Runs the application (ASGI) for one socket, which :func:`socket_of` finds."""

    transport: asyncio.Transport

    def __init__(self, config: NetConfig, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self._config = config
        self._server = server_state
        self._app_state = app_state
        self._loop = asyncio.get_running_loop()
        self._conn = ServerProtocol(max_size=config.ws_max_size, logger=_quiet)
        self._scope: Any = None
        self._inbox: deque[dict[str, Any]] = deque()
        """Received, and not yet asked for by the application."""
        self._reader: asyncio.Future[None] | None = None
        """The application waits here for more."""
        self._paused = False
        """Whether reading is paused until it asks."""
        self._unparsed = memoryview(b"")
        """Read, and not yet parsed."""
        self._begun = 0
        """Bytes given to the protocol of which it has not made a frame yet."""
        self._pieces: list[bytes | bytearray | memoryview] = []
        """Fragments of an unfinished message."""
        self._textual = True
        """Whether that message is text."""
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        """Not yet given to the transport."""
        self._control_frames = 0
        self._unanswered = False
        """Whether our last ping has no answer."""
        self._next_ping: asyncio.TimerHandle | None = None
        self._cuts: list[asyncio.TimerHandle] = []
        self._close_code: int | None = None
        """The code of our close frame."""
        self._late_frames = self._late_bytes = 0
        """Frames and bytes read since then."""
        self._ignore_input = False
        """Whether that was too much: nothing is read any more."""
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
            self._scope["extensions"].pop(_SOCKET, None)  # or they would be a reference cycle
        self._wake_reader()

    def data_received(self, data: bytes) -> None:
        if self._ignore_input:
            return
        message = self._only_message(data)
        if message is not None:
            self._deliver(message)
            return
        self._unparsed = memoryview(bytes(self._unparsed) + data if self._unparsed else data)
        self._parse()

    def shutdown(self) -> None:
        """Close, because the server stops."""
        self.close(_RESTARTING)
        self.transport.close()
        self._cut_within(CLOSE_SECONDS)

    # -- for the application -------------------------------------------------------------------------------------------

    async def receive(self) -> dict[str, Any]:
        """The next message (ASGI)."""
        if self._inbox:
            await asyncio.sleep(0)  # others first: a client that sends much at once must not hold up everybody
        while not self._inbox:
            if self.lost or self.transport.is_closing() or self._close_code is not None:
                return {"type": "websocket.disconnect", "code": self._close_code or _NO_STATUS}
            self._reader = self._loop.create_future()
            await self._reader
        message = self._inbox.popleft()
        if not self._inbox:
            self._read_on()
        return message

    async def send(self, message: dict[str, Any]) -> None:
        """Accept or close the connection (ASGI); messages are sent by :meth:`write`."""
        if message["type"] == "websocket.accept":
            if not self.transport.is_closing():
                self._conn.send_response(self._response)
                self._send_protocol()
                self._next_ping = self._loop.call_later(PING_SECONDS, self._ping)
        elif message["type"] == "websocket.close":
            self.close(message["code"], message["reason"])
        else:
            raise RuntimeError(f"cannot send {message['type']}")

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
            self._send_protocol()
        self._read_on()  # or the client's close frame would never be seen
        self._wake_reader()
        self._cut_within(SLOW_CLOSE_SECONDS if code == TOO_SLOW else CLOSE_SECONDS)

    @property
    def address(self) -> str:
        """The address that the connection counts for."""
        return address_of(self._scope["client"] if self._scope else None)

    def cut(self) -> None:
        self.transport.abort()

    def unsent(self) -> int:
        """Bytes in memory that the client has not read."""
        return self._outbox_bytes + self.transport.get_write_buffer_size()

    # -- coming and going ----------------------------------------------------------------------------------------------

    def _handshake(self, request: Request) -> None:
        """Answer the handshake, and start the application."""
        self._response = self._conn.accept(request)
        if self._response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._conn.send_response(self._response)
            self._finish()
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
            "extensions": {_SOCKET: self},
        }
        self._inbox.append({"type": "websocket.connect"})
        app: Any = self._config.loaded_app
        task = self._loop.create_task(app(self._scope, self.receive, self.send))
        self._server.tasks.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[None]) -> None:
        """The application has ended."""
        self._server.tasks.discard(task)
        failed = not task.cancelled() and task.exception()
        if failed:
            log.error("%s while serving a socket", type(failed).__name__, exc_info=failed)
        self.close(_FAILED if failed else _DONE)
        if self._conn.state is State.CONNECTING and not self.transport.is_closing():
            self._conn.send_response(self._conn.reject(HTTPStatus.INTERNAL_SERVER_ERROR, ""))
            self._finish()

    def _finish(self) -> None:
        """The client closed, or broke the protocol: send what is left, and close the transport."""
        if not self.transport.is_closing():
            self._flush()
            self._send_protocol()
            self.transport.close()
        self._wake_reader()
        self._cut_within(CLOSE_SECONDS)

    def _wake_reader(self) -> None:
        """Wake the application: it hears of the end once it has taken what came before."""
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _cut_within(self, seconds: float) -> None:
        if not self.lost:
            self._cuts.append(self._loop.call_later(seconds, self.transport.abort))

    def _ping(self) -> None:
        """Send a ping; cut the connection if the last was not answered."""
        if self._unanswered:
            self.transport.abort()
        elif self._conn.state is State.OPEN and not self.transport.is_closing():
            self._control_frames, self._unanswered = 0, True
            self._conn.send_ping(b"")
            self._send_protocol()
            self._next_ping = self._loop.call_later(PING_SECONDS, self._ping)

    # -- what comes and goes -------------------------------------------------------------------------------------------

    def _only_message(self, data: bytes) -> bytes | None:
        """The message that these bytes are: nearly always exactly one, which takes the protocol ten times as long.

        ``None`` if they may be anything else, or come at any but a usual moment.
        """
        size = len(data)
        if (
            not 6 <= size <= PIECE_BYTES
            or data[0] != _TEXT
            or self._begun
            or self._unparsed
            or self._paused
            or self._close_code is not None
            or self._conn.current_size is not None  # a message in fragments has begun
            or self._conn.state is not State.OPEN
            or self.transport.is_closing()
        ):
            return None
        length, start = data[1] - _MASKED, 2
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        elif length > 126:  # eight more bytes tell it
            return None
        if size != start + 4 + length:
            return None
        return apply_mask(data[start + 4 :], data[start : start + 4])

    def _parse(self) -> None:
        """Parse what was read, piece by piece, until there is a message for the application."""
        while self._unparsed and not self._paused and not self.transport.is_closing():
            size = PIECE_BYTES if self._close_code is None else LATE_PIECE
            piece, self._unparsed = self._unparsed[:size], self._unparsed[size:]
            self._begun += len(piece)
            self._conn.receive_data(bytes(piece))
            for event in self._conn.events_received():
                if isinstance(event, Request):
                    self._begun = _after_head(bytes(piece))
                    self._handshake(event)
                elif isinstance(event, Frame):
                    self._begun -= _size_on_wire(event)
                    if self._close_code is not None and event.opcode is not Opcode.CLOSE:
                        self._late_frames += 1
                    elif event.opcode is Opcode.TEXT and event.fin:
                        self._deliver(event.data)
                    else:
                        self._take(event)
            if self._close_code is not None:
                self._count_late(len(piece))
            if self._conn.parser_exc is not None or self._conn.handshake_exc is not None:
                self._finish()

    def _read_on(self) -> None:
        if self._paused and not self._ignore_input:
            self._paused = False
            self._parse()
            if not self._paused and not self.transport.is_closing():
                self.transport.resume_reading()

    def _deliver(self, data: bytes | bytearray | memoryview) -> None:
        """Hand a complete message to the application; reading pauses while it does not ask for more."""
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
        """Handle any frame but an unfragmented text message."""
        if frame.opcode is Opcode.CLOSE:
            self._finish()
        elif frame.opcode is Opcode.BINARY and frame.fin:
            self._deliver(b"")  # binary messages are refused as malformed
        elif self._count_control_frame():
            if frame.opcode is Opcode.PING:
                self._send_protocol()  # the pong, which is ready
            elif frame.opcode is Opcode.PONG:
                self._unanswered = False
            elif frame.opcode is Opcode.CONT:
                self._pieces.append(frame.data)
                if frame.fin:
                    self._deliver(b"".join(self._pieces) if self._textual else b"")
            else:
                self._pieces, self._textual = [frame.data], frame.opcode is Opcode.TEXT

    def _count_control_frame(self) -> bool:
        """Count a ping, pong or fragment; at the limit, cut the connection and blame its address."""
        if self.transport.is_closing():
            return False
        self._control_frames += 1
        if (
            self._control_frames <= MOST_CONTROL_FRAMES
            and self.unsent() <= OUTBOX_BYTES
            and self._config.admission.may_ping(self.transport, self.address)
        ):
            return True
        self._config.admission.blame_socket(self.transport, self.address)
        self.transport.abort()
        return False

    def _count_late(self, size: int) -> None:
        """Read no more, and blame the address, if too much came after the server's close frame."""
        self._late_bytes += size
        if (self._late_frames > LATE_FRAMES or self._late_bytes > LATE_BYTES) and not self.transport.is_closing():
            self._ignore_input, self._unparsed = True, memoryview(b"")
            self._config.admission.blame_socket(self.transport, self.address)
            if not self._paused:
                self._paused = True
                self.transport.pause_reading()

    def _flush(self) -> None:
        """Write everything in one system call: who acts gets a frame and an answer."""
        outbox, size, self._outbox, self._outbox_bytes = self._outbox, self._outbox_bytes, [], 0
        if outbox and not self.transport.is_closing():
            self.transport.write(b"".join(outbox))
            self._config.unsent.wrote(self, size)

    def _send_protocol(self) -> None:
        """Send what the protocol itself has ready: pongs, close frames."""
        data = b"".join(self._conn.data_to_send())
        self.transport.write(data)
        self._config.unsent.wrote(self, len(data))


def _after_head(piece: bytes) -> int:
    """How many bytes come after a request's head, of which this is the last piece."""
    _, end, rest = piece.partition(b"\n\r\n")
    return len(rest) if end else _UNKNOWN


def _size_on_wire(frame: Frame) -> int:
    """How many bytes a client's frame took at least; more if its length was written in a longer form than necessary."""
    length = len(frame.data)
    return length + (6 if length < 126 else 8 if length < 1 << 16 else 14)


def _address(peer: Any) -> tuple[str, int] | None:
    """Host and port, if the transport has them."""
    return (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) and len(peer) >= 2 else None
