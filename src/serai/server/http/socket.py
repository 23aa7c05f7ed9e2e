"""The table sockets: one WebSocket per viewer, messages in, frames out.

This is plain ASGI: with thousands of open sockets, a web framework's objects for each of them would take more memory
than the tables, and longer pauses of the garbage collector.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from msgspec import UNSET, UnsetType

from serai.server.errors import refused
from serai.server.http.caller import token_of
from serai.server.http.middleware import MAX_REASON, Asgi, Receive, Scope, Send
from serai.server.limits import Buckets, TooMany, address_of
from serai.server.net.ws_protocol import socket_of
from serai.server.store.base import StoreError
from serai.server.tables.audience import Connection, Socket, encode
from serai.server.tables.hall import BANNED, Hall, device_of
from serai.server.tables.live import DAMAGED, NO_TABLE, TALKATIVE, LiveTable
from serai.table.errors import Damaged
from serai.wire.frames import Done, Refused
from serai.wire.messages import MAX_MESSAGE, Act, AnyMessage, Rematch, Say

TRY_LATER, BAD_QUERY, TOO_LARGE, TOO_MANY = 1013, 4409, 4413, 4429
"""Close codes."""
PAUSE_SECONDS = 1.0
"""How long a socket is not read after its address has sent too much."""
log = logging.getLogger("serai.server")

Wanted = int | None | UnsetType
_PATH = re.compile(r"/api/tables/([A-Za-z0-9]{1,40})/socket")
_decoder: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


class _Rejected(Exception):
    """The socket is refused: the close code, and why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def table_sockets(hall: Hall) -> Asgi:
    """The ASGI application for the sockets of all tables."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        address, socket = address_of(scope["client"]), socket_of(scope)
        await receive()
        await send({"type": "websocket.accept"})
        try:
            if not hall.gate.would_pass("malformed", address, hall.sources.clock()):
                # only behind a proxy: other connections are refused earlier
                raise TooMany("server.too_many", what="malformed")
            with hall.gate.holding("sockets", address):
                live, connection, seen = await _viewer(hall, scope, socket, address)
                with _attached(hall, live, connection, seen):
                    await _listen(hall, live, connection, receive)
            return
        except TooMany as error:
            hall.metrics.limited.add()
            rejected = _Rejected(TOO_MANY, str(error))
        except StoreError as error:
            log.error("%s", error)
            rejected = _Rejected(TRY_LATER, "nothing can be read or saved for the moment")
        except Damaged as error:
            rejected = _Rejected(DAMAGED, str(error))
        except _Rejected as error:
            rejected = error
        await send({"type": "websocket.close", "code": rejected.code, "reason": str(rejected)[:MAX_REASON]})

    return serve


async def _viewer(hall: Hall, scope: Scope, socket: Socket, address: str) -> tuple[LiveTable, Connection, int | None]:
    """The table, the viewer, and the last entry number they have seen."""
    path = _PATH.fullmatch(scope["path"])
    live = await hall.find(path[1]) if path else None
    if live is None:
        raise _Rejected(NO_TABLE, "no such table")
    request: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
    device = device_of(token_of(request))
    try:
        wanted, seen = _query(request.query_params)
    except ValueError:
        raise _Rejected(BAD_QUERY, "seat or seen is not valid") from None
    build = hall.settings.build
    if build and request.query_params.get("build", build) != build:
        seen = None  # a page of another build starts from scratch, and learns of the new build
    moves = -1
    while moves != hall.devices.moves:  # a visitor who moves meanwhile is looked up again
        moves = hall.devices.moves
        visitor = await hall.devices.stands_for(device)
        if hall.peers.shared and _knows_more(live, visitor, wanted, seen):
            await live.catch_up()
    if banned := hall.bans.shuts_out(address, visitor):
        raise _Rejected(BANNED, str(banned))
    held = live.table.held_by(visitor)
    if isinstance(wanted, int) and wanted not in held:
        raise _Rejected(BAD_QUERY, "that seat is not yours")
    seat = (held[0] if held else None) if wanted is UNSET else wanted
    return live, Connection(device, visitor, seat, socket, address, onlooker_by_choice=wanted is None), seen


def _knows_more(live: LiveTable, visitor: str, wanted: Wanted, seen: int | None) -> bool:
    """Whether the viewer may have seen entries of another process that this one has not read.

    A client that does not say what it has seen may have seen everything: a reloaded page must not go back in time.
    """
    if seen is None or seen > live.table.n:
        return True
    return isinstance(wanted, int) and wanted not in live.table.held_by(visitor)


@contextlib.contextmanager
def _attached(hall: Hall, live: LiveTable, connection: Connection, seen: int | None) -> Iterator[None]:
    """Attach the viewer to the table during the block; ``TooMany`` if there are too many onlookers."""
    plays, most = live.table.held_by(connection.visitor), hall.settings.limits.table_onlookers
    if not plays and most and live.audience.watching >= most:
        raise TooMany("server.full")
    with contextlib.nullcontext() if plays else hall.gate.holding("onlookers", connection.address):
        live.attach(connection, seen)
        try:
            yield
        finally:
            live.detach(connection)


async def _listen(hall: Hall, live: LiveTable, connection: Connection, receive: Receive) -> None:
    """Handle messages until either side closes.

    A client that sends faster than allowed is not refused but read more slowly, so that TCP holds it back.
    """
    address, rate = connection.address, Buckets(hall.settings.limits.socket_messages, most=1)
    while True:
        while wait := rate.take("", hall.sources.clock()):
            await asyncio.sleep(wait)
            if connection.socket.lost:
                return
        received = await receive()
        if received["type"] != "websocket.receive":
            return
        text = received.get("text") or ""
        if len(text) > MAX_MESSAGE:
            raise _Rejected(TOO_LARGE, "message too large")
        now = hall.sources.clock()
        try:
            hall.gate.pass_through("messages", address, now)
        except TooMany as error:
            hall.metrics.limited.add()
            connection.socket.write(encode(refused(_id_in(text), error)))
            await asyncio.sleep(PAUSE_SECONDS)
            if connection.socket.lost:
                return
            continue
        try:
            message = _decoder.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            hall.metrics.refusals.add()
            connection.socket.write(encode(Refused(_id_in(text), "server.malformed", {}, str(error))))
            continue
        try:
            if hall.peers.shared and not hall.peers.in_touch():
                # the visitor may have moved to another device since
                live.audience.drop_moved({connection.device: await hall.devices.stands_for(connection.device)})
            if isinstance(message, Act):
                await live.hear(connection, message)
                continue
            if isinstance(message, TALKATIVE):
                hall.gate.pass_through("chat", address, now)
            if isinstance(message, Say) and (silenced := hall.bans.silences(address, connection.visitor)):
                raise silenced
            if isinstance(message, Rematch):
                n = await hall.rematch(live, connection.visitor, message.id, message.step)
                connection.socket.write(encode(Done(message.id, n)))
            else:
                await live.hear(connection, message)
        except Exception as error:
            hall.metrics.refusals.add()
            hall.metrics.limited.add(isinstance(error, TooMany))
            connection.socket.write(encode(refused(getattr(message, "id", ""), error)))


def _id_in(text: str) -> str:
    """The id of a message that cannot be decoded."""
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        return msgspec.json.decode(text, type=_Identified).id[:40]
    return ""


class _Identified(msgspec.Struct):
    id: str = ""


def _query(query: Mapping[str, str]) -> tuple[Wanted, int | None]:
    """The seat to look through (``None``: look on; unset: the first of their own), and the last entry number seen."""
    seen_text, seat_text = query.get("seen"), query.get("seat")
    seen = None if seen_text is None else int(seen_text)
    if seen is not None and seen < -1:
        raise ValueError(seen_text)
    if seat_text is None:
        return UNSET, seen
    return (None if seat_text == "none" else int(seat_text)), seen
