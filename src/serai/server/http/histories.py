"""The REST part about what has happened at a table: its record, its draws, its frames.

Each is worked out away from the event loop, and kept by the number of the entry up to which it tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import msgspec
from litestar import MediaType, Response, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from serai.core.game import Game
from serai.core.play import Play
from serai.core.record import Record
from serai.server.http.api import AnyRequest, SeatLookedThrough, TableId, find, looked_at
from serai.server.http.problems import PROBLEMS, answers
from serai.server.http.replays import draws_of
from serai.server.workers import kept_or_made
from serai.table import frames, records
from serai.table.bodies import Draws, FramesPage
from serai.table.effects import Effect
from serai.table.errors import Refusal
from serai.table.messages import Phase
from serai.table.table import Table


@get(
    "/api/tables/{table_id:str}/record",
    summary="The record, with nothing hidden once the game has ended",
    responses=PROBLEMS,
    media_type=MediaType.TEXT,
)
async def read_record(request: AnyRequest, state: State, table_id: TableId) -> Response[bytes]:
    table = (await find(state.hall, table_id)).table
    told = await record_of(request, table)
    headers = {"Content-Disposition": f'inline; filename="{table_id}.serai"'}
    return Response(told, headers=headers, media_type="text/plain; charset=utf-8")


@get(
    "/api/tables/{table_id:str}/draws",
    summary="Every draw of a finished game, to be checked by anybody",
    responses=answers(Draws),
)
async def read_draws(request: AnyRequest, state: State, table_id: TableId) -> Response[bytes]:
    table = (await find(state.hall, table_id)).table
    if table.phase != "over" or table.foreign:
        raise Refusal("table.phase", phase=table.phase)
    values = tuple(sitting.value for sitting in table.seats if sitting.kind == "person")
    told = await kept_or_made(
        request,
        ("draws", table.id),
        lambda: partial(_draws, records.head(table), tuple(table.plays()), values),
    )
    return Response(told, media_type=MediaType.JSON)


@get(
    "/api/tables/{table_id:str}/frames",
    summary="Frames so far, a page at a time, as a seat of the caller or an onlooker sees them",
    responses=answers(FramesPage),
)
async def read_frames(
    request: AnyRequest,
    state: State,
    table_id: TableId,
    seat: SeatLookedThrough = None,
    after: Annotated[int, QueryParameter(ge=-1, le=1_000_000_000, description="The last number that is known")] = -1,
    limit: Annotated[int, QueryParameter(ge=1, le=frames.PAGE_ENTRIES)] = frames.PAGE_ENTRIES,
) -> Response[bytes]:
    table, visitor = await looked_at(request, state, table_id, seat)
    who = visitor if visitor in table.guests else ""
    last = table.n
    after = min(after, last)
    upto = min(after + limit, last)
    told = await kept_or_made(
        request,
        ("frames", table.id, who, seat, after, upto, last > upto),
        lambda: partial(_frames, table.effects, who, seat, after, upto, last),
    )
    return Response(told, media_type=MediaType.JSON)


ROUTES = [read_record, read_draws, read_frames]


async def record_of(request: AnyRequest, table: Table) -> bytes:
    """The record of a table as it stands, for whoever asks."""
    return await kept_or_made(
        request,
        ("record", table.id, table.n),
        lambda: partial(_record, records.head(table), table.game, tuple(table.written), table.phase),
    )


def _record(head: Record, game: Game, written: Sequence[records.Written], phase: Phase) -> bytes:
    return msgspec.structs.replace(head, actions=records.actions(game, written, phase)).write().encode()


def _draws(head: Record, plays: Sequence[Play], values: tuple[str, ...]) -> bytes:
    return msgspec.json.encode(draws_of(head, plays, values))


def _frames(effects: Sequence[Effect], visitor: str, seat: int | None, after: int, upto: int, last: int) -> bytes:
    return msgspec.json.encode(frames.page(effects, visitor, seat, after, upto, last))
