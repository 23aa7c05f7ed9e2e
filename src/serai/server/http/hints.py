"""The REST part of the coach at live tables: what it would do in the position that a seat has before it."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, post
from litestar.datastructures import State
from litestar.params import JSONBody

from serai.server.hints.coach import Coach
from serai.server.http.api import TableId, find
from serai.server.http.callers import address
from serai.server.http.identity import token_of
from serai.server.http.problems import answers
from serai.server.tables.hall import Hall
from serai.server.tables.live import LiveTable
from serai.server.workers import Workers
from serai.table import proposals
from serai.table.bodies import AskHints, Hint, Hints
from serai.table.table import Table

_read_hints = msgspec.json.Decoder(tuple[Hint, ...]).decode


@post(
    "/api/tables/{table_id:str}/hints",
    summary="What the coach would do, from what the caller's seat has seen; the table remembers that it was told",
    responses=answers(Hints),
    status_code=200,
)
async def ask_hints(
    request: Request[Any, Any, State], state: State, table_id: TableId, data: JSONBody[AskHints]
) -> Response[bytes]:
    hall: Hall = state.hall
    workers: Workers = state.workers
    live = await find(hall, table_id)
    table, visitor, seat, on = live.table, await hall.devices.visitor(token_of(request)), data.seat, data.on
    proposals.asks_for_hints(table, seat, on, visitor)
    key = ("hints", table_id, on, seat)
    with workers.place(address(request)):
        told = hall.kept.get(key)
        if told is None:
            told = await _worked_out(state.coach, table, seat, address(request))
            hall.kept.put(key, told)
        await _remembered(live, seat, on, visitor)
    return Response(told, media_type=MediaType.JSON)


ROUTES = [ask_hints]


async def _worked_out(coach: Coach, table: Table, seat: int, caller: str) -> bytes:
    """Made of the seat's view and of the events as it saw them: nothing else reaches the coach."""
    assert table.snapshot is not None
    on = table.on
    view = msgspec.json.encode(table.snapshot.view(seat))
    story = [msgspec.json.encode(event.seen_by(seat)) for play in table.plays() for event in play.events]
    best = _read_hints(await coach.hints(table.game.name, view, story, caller))
    return msgspec.json.encode(Hints(on, best))


async def _remembered(live: LiveTable, seat: int, on: int, visitor: str) -> None:
    """Before anybody is told, the table knows of it; it knows once for each position."""
    if on not in live.table.hints_of(seat) or live.table.on != on:
        await live.submit(partial(proposals.hint, live.table, seat, on, visitor))
