"""One WebSocket per viewer: messages in, frames out.

This is plain ASGI. A club has thousands of sockets open, and what a web framework keeps for each of them would be more
than its table does: memory, and work for the garbage collector, whose pauses everybody feels.
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

from serai.server.devices import device_of
from serai.server.http.identity import token_of
from serai.server.http.middleware import MAX_REASON, Asgi, Receive, Scope, Send
from serai.server.http.problems import refused
from serai.server.limits import Buckets, TooMany, address_of
from serai.server.net.connection import Connection, encode
from serai.server.net.ws_protocol import Line, line_of
from serai.server.store.base import StoreError
from serai.server.tables.hall import Hall
from serai.server.tables.live import DAMAGED, NO_TABLE, TALKATIVE, LiveTable
from serai.table.errors import Damaged
from serai.table.messages import MAX_MESSAGE, AnyMessage, Done, Refused, Rematch

TRY_LATER, BAD_QUERY, TOO_LARGE, TOO_MANY = 1013, 4409, 4413, 4429
HELD_BACK = 1.0
"""Seconds for which nothing more is heard from a socket whose address has sent too much."""
log = logging.getLogger("serai.server")

Wanted = int | None | UnsetType
_PATH = re.compile(r"/api/tables/([A-Za-z0-9]{1,40})/socket")
_decoder: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


class _TurnedAway(Exception):
    """No socket for them: the code to close with, and why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def table_sockets(hall: Hall) -> Asgi:
    """The sockets of all tables, as an application."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        address, line = address_of(scope["client"]), line_of(scope)
        await receive()
        await send({"type": "websocket.accept"})
        try:
            with hall.gate.holding("sockets", address):
                live, connection, seen = await _viewer(hall, scope, line, address)
                with _place(hall, live, connection, seen, address):
                    await _listen(hall, live, connection, receive, address)
            return
        except TooMany as error:
            hall.metrics.limited.add()
            away = _TurnedAway(TOO_MANY, str(error))
        except StoreError as error:
            log.error("%s", error)
            away = _TurnedAway(TRY_LATER, "nothing can be read or saved for the moment")
        except Damaged as error:
            away = _TurnedAway(DAMAGED, str(error))
        except _TurnedAway as error:
            away = error
        await send({"type": "websocket.close", "code": away.code, "reason": str(away)[:MAX_REASON]})

    return serve


async def _viewer(hall: Hall, scope: Scope, line: Line, address: str) -> tuple[LiveTable, Connection, int | None]:
    """Who comes to which table, and the last number they saw."""
    path = _PATH.fullmatch(scope["path"])
    live = await hall.find(path[1]) if path else None
    if live is None:
        raise _TurnedAway(NO_TABLE, "no such table")
    request: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
    device = device_of(token_of(request))
    try:
        wanted, seen = _query(request.query_params)
    except ValueError:
        raise _TurnedAway(BAD_QUERY, "seat or seen cannot be that") from None
    build = hall.settings.build
    if build and request.query_params.get("build", build) != build:
        seen = None  # a page of another build begins from scratch, and learns of it
    moves = -1
    while moves != hall.devices.moves:  # who moves while we ask is asked again
        moves = hall.devices.moves
        visitor = await hall.devices.stands_for(device)
        if hall.peers.shared and _knows_more(live, visitor, wanted, seen):
            await live.catch_up()
    held = live.table.held_by(visitor)
    if isinstance(wanted, int) and wanted not in held:
        raise _TurnedAway(BAD_QUERY, "that seat is not yours")
    seat = (held[0] if held else None) if wanted is UNSET else wanted
    return live, Connection(device, visitor, seat, line, address, onlooker_by_choice=wanted is None), seen


def _knows_more(live: LiveTable, visitor: str, wanted: Wanted, seen: int | None) -> bool:
    """Whether they may know what has not happened here: at another process it may have, a moment ago. Who does not say
    what they have seen has perhaps seen everything: a page that was loaded anew must not go back in time.
    """
    if seen is None or seen > live.table.n:
        return True
    return isinstance(wanted, int) and wanted not in live.table.held_by(visitor)


@contextlib.contextmanager
def _place(hall: Hall, live: LiveTable, connection: Connection, seen: int | None, address: str) -> Iterator[None]:
    """A place at the table while the block lasts; ``TooMany`` if there is none for one more who has no seat."""
    with contextlib.ExitStack() as room:
        if not live.table.held_by(connection.visitor):
            most = hall.settings.limits.table_onlookers
            if most and live.audience.watching >= most:
                raise TooMany("server.full")
            room.enter_context(hall.gate.holding("onlookers", address))
        live.attach(connection, seen)
        try:
            yield
        finally:
            live.detach(connection)


async def _listen(hall: Hall, live: LiveTable, connection: Connection, receive: Receive, address: str) -> None:
    """Hear messages, and say what came of them, until either side goes.

    Who sends faster than allowed is not refused but read more slowly: the line itself then holds them back.
    """
    pace = Buckets(hall.settings.limits.socket_messages, most=1)
    while True:
        while wait := pace.take("", hall.sources.clock()):
            await asyncio.sleep(wait)
            if connection.line.lost:
                return
        told = await receive()
        if told["type"] != "websocket.receive":
            return
        text = told.get("text") or ""
        if len(text) > MAX_MESSAGE:
            raise _TurnedAway(TOO_LARGE, "message too large")
        now = hall.sources.clock()
        try:
            hall.gate.pass_through("messages", address, now)
        except TooMany as error:
            hall.metrics.limited.add()
            connection.line.write(encode(refused(_id_in(text), error)))
            await asyncio.sleep(HELD_BACK)
            if connection.line.lost:
                return
            continue
        try:
            message = _decoder.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            hall.metrics.refusals.add()
            connection.line.write(encode(Refused(_id_in(text), "server.malformed", {}, str(error))))
            continue
        try:
            if not hall.peers.in_touch():
                # they may have moved to another device since
                live.audience.part_from({connection.device: await hall.devices.stands_for(connection.device)})
            if isinstance(message, TALKATIVE):
                hall.gate.pass_through("chat", address, now)
            if isinstance(message, Rematch):
                n = await hall.rematch(live, connection.visitor, message.id, message.step)
                connection.line.write(encode(Done(message.id, n)))
            else:
                await live.hear(connection, message)
        except Exception as error:
            hall.metrics.refusals.add()
            hall.metrics.limited.add(isinstance(error, TooMany))
            connection.line.write(encode(refused(getattr(message, "id", ""), error)))


def _id_in(text: str) -> str:
    """The id of a message that is otherwise not to be understood."""
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        return msgspec.json.decode(text, type=_Identified).id[:40]
    return ""


class _Identified(msgspec.Struct):
    id: str = ""


def _query(told: Mapping[str, str]) -> tuple[Wanted, int | None]:
    """The seat to look through (none: looking on; unset: whichever is theirs), and the last number seen."""
    told_seen, told_seat = told.get("seen"), told.get("seat")
    seen = None if told_seen is None else int(told_seen)
    if seen is not None and seen < -1:
        raise ValueError(told_seen)
    if told_seat is None:
        return UNSET, seen
    return (None if told_seat == "none" else int(told_seat)), seen
