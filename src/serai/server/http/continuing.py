"""The REST part of playing on: a new table whose game begins at a moment of a finished one."""

from __future__ import annotations

import random
from functools import partial

from litestar import Response, post
from litestar.datastructures import State
from litestar.params import JSONBody

from serai.core.continuing import inherited
from serai.core.errors import phrase
from serai.core.record import Record
from serai.server.http.api import AnyRequest, find, told_of
from serai.server.http.callers import address, caller, pass_through
from serai.server.http.problems import PROBLEMS
from serai.server.http.replays import MAX_ACTIONS, MAX_BODY
from serai.server.tables.hall import Hall
from serai.server.workers import worked_out
from serai.table import records
from serai.table.bodies import Continue, Seen
from serai.table.entries import Inherited
from serai.table.errors import Refusal

_rng = random.SystemRandom()
"""What a seat could not see is drawn anew from a source that nobody knows."""

phrase({"record.which": "name either a table or a record to play on from"})


@post(
    "/api/continued",
    summary="Make a table whose game goes on from a moment of a finished one, against bots; the caller is its host",
    responses=PROBLEMS,
    request_max_body_size=MAX_BODY,
)
async def continue_game(request: AnyRequest, state: State, data: JSONBody[Continue]) -> Response[Seen]:
    hall: Hall = state.hall
    pass_through(request, hall, "tables")
    told = await _told(hall, data)
    record, taken_over = await worked_out(request, "study", partial(_taken_over, told, data.turn, data.seat))
    visitor, cookies = await caller(request, hall)
    live = await hall.go_on_from(record, taken_over, visitor, address(request), bot=data.bot)
    return Response(told_of(request, hall, live, visitor), cookies=cookies)


ROUTES = [continue_game]


async def _told(hall: Hall, data: Continue) -> Record | str:
    """The record of the game, or its text."""
    table, text = data.table, data.record
    if isinstance(table, str) == isinstance(text, str):
        raise Refusal("record.which")
    return text if isinstance(text, str) else await _record_of(hall, str(table))


async def _record_of(hall: Hall, table_id: str) -> Record:
    table = (await find(hall, table_id)).table
    if table.phase != "over" or table.foreign:
        raise Refusal("table.phase", phase=table.phase)
    return records.record(table)


def _taken_over(told: Record | str, turn: int, seat: int) -> tuple[Record, Inherited]:
    record = Record.read(told) if isinstance(told, str) else told
    if len(record.actions) > MAX_ACTIONS:
        raise Refusal("record.long", actions=len(record.actions), most=MAX_ACTIONS)
    return record, Inherited(*inherited(record, turn, seat, _rng))
