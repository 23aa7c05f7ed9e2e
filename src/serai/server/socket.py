"""One WebSocket per viewer: messages in, frames out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from serai.server.connection import Connection, encode
from serai.server.hall import Hall
from serai.server.identity import token_of, visitor_of
from serai.server.limits import Buckets, TooMany, address_of
from serai.server.live import Live
from serai.server.problems import refused
from serai.server.wire import cutter
from serai.table.messages import MAX_MESSAGE, AnyMessage, Refused, Say

log = logging.getLogger("serai.server")

NO_TABLE, BAD_QUERY, TOO_LARGE, TOO_MANY = 4404, 4409, 4413, 4429
MAX_REASON = 120
"""Characters: a reason has to fit into a control frame."""
_decoder: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)

AnySocket = WebSocket[Any, Any, State]


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(socket: AnySocket, state: State, table_id: FromPath[str]) -> None:
    hall: Hall = state.hall
    address = address_of(socket.scope["client"])
    try:
        hall.gate.enter(["sockets"], address)
    except TooMany as error:
        hall.metrics.limited.add()
        await socket.accept()
        await socket.close(code=TOO_MANY, reason=str(error)[:MAX_REASON])
        return
    try:
        await _serve(socket, hall, table_id, address)
    finally:
        hall.gate.leave(["sockets"], address)


async def _serve(socket: AnySocket, hall: Hall, table_id: str, address: str) -> None:
    await socket.accept()
    live = await hall.find(table_id) if table_id.isalnum() and len(table_id) <= 40 else None
    if live is None:
        await socket.close(code=NO_TABLE, reason="no such table")
        return
    visitor = visitor_of(token_of(socket))
    try:
        seat, chosen, seen = _query(socket, live, visitor)
    except ValueError:
        await socket.close(code=BAD_QUERY, reason="seat or seen cannot be that")
        return
    if not live.table.held_by(visitor):
        try:
            hall.let_onlooker_in(live, address)
        except TooMany as error:
            hall.metrics.limited.add()
            await socket.close(code=TOO_MANY, reason=str(error)[:MAX_REASON])
            return
        try:
            await _attend(socket, hall, live, Connection(visitor, seat, cutter(socket.scope)), chosen, seen, address)
        finally:
            hall.gate.leave(["onlookers"], address)
    else:
        await _attend(socket, hall, live, Connection(visitor, seat, cutter(socket.scope)), chosen, seen, address)


async def _attend(
    socket: AnySocket, hall: Hall, live: Live, connection: Connection, chosen: bool, seen: int | None, address: str
) -> None:
    """Be there until either side goes."""
    connection.onlooker_by_choice = chosen and connection.seat is None
    hall.attach(live, connection, seen)
    listening = asyncio.create_task(_listen(socket, hall, live, connection, address))
    try:
        code = await _pump_until(socket, connection, listening)
        if code is not None:
            await socket.close(code=code)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # they are gone already
    finally:
        hall.detach(live, connection)
        if not listening.done():
            # what was heard before they went is still done; then the closed socket ends the listening
            listening.add_done_callback(_note)


def _note(listening: asyncio.Task[int | None]) -> None:
    if not listening.cancelled() and listening.exception() is not None:
        log.debug("a socket ended with %s", type(listening.exception()).__name__)


async def _pump_until(socket: AnySocket, connection: Connection, listening: asyncio.Task[int | None]) -> int | None:
    """Send what there is to send until either side has had enough; the code to close with, if we close."""

    async def send(text: str) -> None:
        await socket.send_data(text, mode="text")

    pumping = asyncio.create_task(connection.pump(send))
    try:
        await asyncio.wait({pumping, listening}, return_when=asyncio.FIRST_COMPLETED)
        return pumping.result() if pumping.done() else listening.result()
    finally:
        if not pumping.done():
            pumping.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                await pumping


async def _listen(socket: AnySocket, hall: Hall, live: Live, connection: Connection, address: str) -> int | None:
    """Hear messages until the viewer goes, or has to go with the code returned.

    Who sends faster than allowed is not refused but read more slowly: the line itself then holds them back.
    """
    pace = Buckets(hall.settings.limits.socket_messages, most=1)
    while True:
        wait = pace.take("", hall.sources.clock())
        if wait:
            await asyncio.sleep(wait)
        try:
            text = await socket.receive_data(mode="text")
        except WebSocketDisconnect:
            return None
        if len(text) > MAX_MESSAGE:
            return TOO_LARGE
        await _answer(hall, live, connection, text, address)


async def _answer(hall: Hall, live: Live, connection: Connection, text: str, address: str) -> None:
    try:
        message = _decoder.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        hall.metrics.refusals.add()
        connection.send(encode(Refused(_id_in(text), "server.malformed", {}, str(error))))
        return
    try:
        now = hall.sources.clock()
        hall.gate.pass_through("messages", address, now)
        if isinstance(message, Say):
            hall.gate.pass_through("chat", address, now)
        await hall.hear(live, connection, message)
    except Exception as error:
        hall.metrics.refusals.add()
        hall.metrics.limited.add(isinstance(error, TooMany))
        connection.send(encode(refused(getattr(message, "id", ""), error)))


def _id_in(text: str) -> str:
    """The id of a message that is otherwise not to be understood."""
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        return msgspec.json.decode(text, type=_Identified).id[:40]
    return ""


class _Identified(msgspec.Struct):
    id: str = ""


def _query(socket: AnySocket, live: Live, visitor: str) -> tuple[int | None, bool, int | None]:
    """The seat to look through, whether it was asked for, and the last number seen."""
    held = live.table.held_by(visitor)
    told_seen, told_seat = socket.query_params.get("seen"), socket.query_params.get("seat")
    seen = None if told_seen is None else int(told_seen)
    if told_seat is None:
        return (held[0] if held else None), False, seen
    if told_seat == "none":
        return None, True, seen
    seat = int(told_seat)
    if seat not in held:
        raise ValueError(told_seat)
    return seat, True, seen
