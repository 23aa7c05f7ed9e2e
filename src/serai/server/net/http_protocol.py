"""Timeouts and size limits for HTTP requests.

uvicorn itself waits for ever for the rest of a request and for the client to read its answer, accepts endless headers,
and takes what follows a body (trailers) for headers.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from serai.server.limits import TooMany, address_of
from serai.server.net.connections import Full, NetConfig
from serai.wire.bodies import Problem

REQUEST_SECONDS = 30.0
"""From the start of a connection, or a request's first byte, to the request's last byte."""
REFUSE_SECONDS = 5.0
"""Seconds until a connection is refused whose address has sent too many broken requests: sooner it would be back."""
LINGER_SECONDS = 2.0
"""From an early answer to the last byte of its request."""
HEAD_BYTES = 32 * 1024
"""Most bytes of a request besides its body: its head, and the framing of chunks."""
MOST_HEADERS = 100
BODY_BYTES = 512 * 1024
"""Most bytes of any body; the application refuses long before what it does not want."""
MOST_PIPELINED = 8
"""Requests that may wait on a connection while another is answered."""
_AT_ONCE = 4096
"""Bytes of a head given to the parser at a time: limits are checked in between."""
_BODY_AT_ONCE = 32 * 1024
"""And of a body, where less can go wrong."""

_ANSWERS = {
    HTTPStatus.BAD_REQUEST: ("server.malformed", "this is no HTTP request"),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: ("server.too_large", "the request's head is too large"),
    HTTPStatus.TOO_MANY_REQUESTS: ("server.too_many", "too much at once from your address"),
    HTTPStatus.SERVICE_UNAVAILABLE: ("server.full", "too many connections; try again later"),
}


class _Refused(Exception):
    """Raised in a parser's callback to stop parsing."""


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection."""

    config: NetConfig
    _waiting: asyncio.TimerHandle | None = None
    _refusal: HTTPStatus | None = None
    _arriving = False
    """Whether a request has begun and not ended."""
    _in_head = True
    _head_bytes = 0
    """Bytes of the current request so far that are not its body."""
    _body = 0
    _unanswered: tuple[RequestResponseCycle, ...] = ()
    """Requests without a complete answer: uvicorn tells only the last of them that the client is gone."""
    _ignore_input = False
    """Whether further input is ignored: it is not HTTP."""

    @property
    def address(self) -> str:
        """The address that the connection counts for: that of the last request."""
        return address_of(self.scope["client"] if self.scope else self.client)

    def cut(self) -> None:
        self._disconnect_cycles()
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
                self._ignore_input = True
                self._waiting = self.loop.call_later(REFUSE_SECONDS, self._refuse, HTTPStatus.TOO_MANY_REQUESTS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._unset_keepalive_if_required()
        self._disconnect_cycles()
        self.config.admission.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._ignore_input:
            self.flow.pause_reading()
        rest = memoryview(data)
        while rest and not self._ignore_input and not self.transport.is_closing():
            most = min(_AT_ONCE, HEAD_BYTES - self._head_bytes) if self._in_head else _BODY_AT_ONCE
            size = min(len(rest), most)
            if size:
                self._parse(rest[:size])
            if not size or self._head_bytes > HEAD_BYTES:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            rest = rest[size:]

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more; a complete request is still answered."""
        answering = self._is_answering() and not self._arriving
        if answering:
            self.cycle.keep_alive = False
        else:
            self._disconnect_cycles()
        return answering

    def pause_writing(self) -> None:
        super().pause_writing()
        self.config.unsent.wrote(self, self.transport.get_write_buffer_size())

    def handle_websocket_upgrade(self) -> None:
        if self._is_answering():  # its answer would be written into the socket
            self._blame_and_cut()
            return
        self._stop_waiting()
        self._unset_keepalive_if_required()
        self._ignore_input = True
        super().handle_websocket_upgrade()

    # -- a request -----------------------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._unset_keepalive_if_required()
        self._arriving, self._head_bytes, self._body = True, 0, 0
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
        self._head_bytes -= len(body)
        self._body += len(body)
        if self._body > BODY_BYTES:
            self._blame_and_cut()
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._arriving, self._in_head, self._head_bytes = False, True, 0
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self.config.unsent.wrote(self, self.transport.get_write_buffer_size())
        if self._arriving:
            self._unset_keepalive_if_required()
            if not self._in_head and self.cycle.response_complete:  # answered before its body was complete
                self._stop_waiting()
                self._wait(LINGER_SECONDS)

    # -- details -------------------------------------------------------------------------------------------------------

    def _parse(self, data: memoryview) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            else:  # to an unknown protocol: answered as a plain request
                self._ignore_input = True
                if self._is_answering():
                    self.cycle.keep_alive = False
                else:
                    self.transport.close()
        except httptools.HttpParserError:
            self._refuse(self._refusal or HTTPStatus.BAD_REQUEST)
        self._head_bytes += len(data)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer with this status, unless another answer is due before, and close the connection."""
        if self.transport.is_closing():
            return
        if self._is_answering() and (self._in_head or self.pipeline or self.cycle.response_started):
            self._blame_and_cut()
            return
        self._disconnect_cycles()
        if not self._ignore_input:  # else it has been blamed already
            self.config.admission.blame(self.transport)
        key, text = _ANSWERS[status]
        body = msgspec.json.encode(Problem(key, {}, text))
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\nconnection: close\r\n"
        self.transport.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        self.transport.close()

    def _disconnect_cycles(self) -> None:
        """Tell unfinished answers that the client is gone."""
        for cycle in self._unanswered:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def _blame_and_cut(self) -> None:
        self.config.admission.blame(self.transport)
        self.cut()

    def _give_up(self) -> None:
        """The time is over. Browsers open connections that they do not use: only a begun request is blamed."""
        if self._arriving:
            self._blame_and_cut()
        else:
            self.cut()

    def _wait(self, seconds: float) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
