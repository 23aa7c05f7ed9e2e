"""HTTP connections that do not say what they want, or say it without end: let go before they cost anybody anything.

The web server itself waits for ever for the rest of a request and for the reading of its answer, takes headers without
end, and what follows a body (trailers) for headers.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from serai.server.limits import TooMany, address_of
from serai.server.net.admission import Full
from serai.server.net.config import NetConfig
from serai.table.bodies import Problem

REQUEST_SECONDS = 30.0
"""From a connection, or a request's first byte, to its last."""
HELD_BACK = 5.0
"""Seconds that a connection waits for nothing if too much nonsense came from its address: sooner it would be back."""
LINGER_SECONDS = 2.0
"""From an answer to the last byte of its request, if the answer did not need it."""
HEAD_BYTES = 32 * 1024
"""The most that a request may say beside its body: its head, and how its body is cut into chunks."""
MOST_HEADERS = 100
BODY_BYTES = 512 * 1024
"""More than any request may have; what the application does not want it refuses long before."""
MOST_PIPELINED = 8
"""Requests that may wait on a connection while another is answered."""
_AT_ONCE = 4096
"""Bytes given to the parser at a time: what they lead to is looked at before more are."""

_TOLD = {
    HTTPStatus.BAD_REQUEST: ("server.malformed", "this is no HTTP request"),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: ("server.too_large", "the request says too much beside its body"),
    HTTPStatus.TOO_MANY_REQUESTS: ("server.too_many", "too much at once from your address"),
    HTTPStatus.SERVICE_UNAVAILABLE: ("server.full", "too many connections; try again later"),
}


class _Refused(Exception):
    """Raised while parsing, to end that."""


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection."""

    config: NetConfig
    _waiting: asyncio.TimerHandle | None = None
    _refusal: HTTPStatus | None = None
    _arriving = False
    """Whether a request has begun and not ended."""
    _in_head = True
    _beside = 0
    """How much the request has said so far that is not its body."""
    _body = 0
    _unanswered: tuple[RequestResponseCycle, ...] = ()
    """Requests that are being answered or wait for it: the web server itself tells only the last that nobody waits."""
    _deaf = False
    """Whether nothing more is heard: what comes is not for HTTP."""

    @property
    def address(self) -> str:
        """To whom the connection counts: whoever asked last."""
        return address_of(self.scope["client"] if self.scope else self.client)

    def cut(self) -> None:
        """End it at once."""
        self._forsake()
        self.transport.abort()

    # -- the connection ------------------------------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        try:
            self.config.admission.enter(transport)
        except TooMany:
            self._refuse(HTTPStatus.TOO_MANY_REQUESTS)
        except Full:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            if self.config.admission.is_welcome(transport):
                self._wait(REQUEST_SECONDS)
            else:
                self._deaf = True
                self._waiting = self.loop.call_later(HELD_BACK, self._refuse, HTTPStatus.TOO_MANY_REQUESTS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        self._unset_keepalive_if_required()
        self._forsake()
        self.config.admission.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            self.flow.pause_reading()
        rest = memoryview(data)
        while rest and not self._deaf and not self.transport.is_closing():
            size = min(len(rest), _AT_ONCE, HEAD_BYTES - self._beside if self._in_head else _AT_ONCE)
            if size:
                self._parse(rest[:size])
            if not size or self._beside > HEAD_BYTES:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            rest = rest[size:]

    def eof_received(self) -> bool:  # type: ignore[override]
        """They will say no more; what they asked for is still answered, if it was said to the end."""
        answering = self._owes_an_answer() and not self._arriving
        if answering:
            self.cycle.keep_alive = False
        else:
            self._forsake()
        return answering

    def pause_writing(self) -> None:
        super().pause_writing()
        self.config.unsent.wrote(self, self.transport.get_write_buffer_size())

    def handle_websocket_upgrade(self) -> None:
        if self._owes_an_answer():  # which would be written into the socket
            self._blame_and_cut()
            return
        self._wait_no_more()
        self._unset_keepalive_if_required()
        self._deaf = True
        super().handle_websocket_upgrade()

    # -- a request -----------------------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._unset_keepalive_if_required()
        self._arriving, self._beside, self._body = True, 0, 0
        self._wait(REQUEST_SECONDS)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer
        if len(self.headers) == MOST_HEADERS:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _Refused
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        if len(self.pipeline) >= MOST_PIPELINED:
            raise _Refused
        super().on_headers_complete()
        if self.cycle is not None:
            self._unanswered = (*(one for one in self._unanswered if not one.response_complete), self.cycle)

    def on_body(self, body: bytes) -> None:
        self._beside -= len(body)
        self._body += len(body)
        if self._body > BODY_BYTES:
            self._blame_and_cut()
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._arriving, self._in_head, self._beside = False, True, 0
        self._wait_no_more()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self.config.unsent.wrote(self, self.transport.get_write_buffer_size())
        if self._arriving:
            self._unset_keepalive_if_required()
            if not self._in_head and self.cycle.response_complete:  # it was answered before it was all there
                self._wait_no_more()
                self._wait(LINGER_SECONDS)

    # -- details -------------------------------------------------------------------------------------------------------

    def _parse(self, data: memoryview) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            else:  # to something that is not spoken here: it is answered as if they had not asked for that
                self._deaf = True
                self._end_after_the_answer()
        except httptools.HttpParserError:
            self._refuse(self._refusal or HTTPStatus.BAD_REQUEST)
        self._beside += len(data)

    def _owes_an_answer(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _end_after_the_answer(self) -> None:
        if self._owes_an_answer():
            self.cycle.keep_alive = False
        else:
            self.transport.close()

    def _refuse(self, status: HTTPStatus) -> None:
        """Say why, unless another answer is due before, and end the connection."""
        if self.transport.is_closing():
            return
        if self._owes_an_answer() and (self._in_head or self.pipeline or self.cycle.response_started):
            self._blame_and_cut()
            return
        self._forsake()
        if not self._deaf:  # or it is blamed already
            self.config.admission.blame(self.transport)
        key, text = _TOLD[status]
        body = msgspec.json.encode(Problem(key, {}, text))
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\nconnection: close\r\n"
        self.transport.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        self.transport.close()

    def _forsake(self) -> None:
        """Whoever works on an answer need not write it: there will be nobody to read it."""
        for cycle in self._unanswered:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _blame_and_cut(self) -> None:
        self.config.admission.blame(self.transport)
        self.cut()

    def _give_up(self) -> None:
        """The time is over; browsers open connections that they then do not need, and are not to blame."""
        if self._arriving:
            self._blame_and_cut()
        else:
            self.cut()

    def _wait(self, seconds: float) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(seconds, self._give_up)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
