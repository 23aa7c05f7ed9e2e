"""REST: a table's record, draws and frames, and the caller's finished games; all is made in a thread and cached."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from functools import partial
from typing import Annotated
from weakref import WeakValueDictionary

import msgspec
from litestar import MediaType, Response
from litestar.datastructures import State
from litestar.params import QueryParameter

from serai.core.game import Game
from serai.core.record import Record
from serai.server.http.api import SeatLookedThrough, TableId, find, looked_at
from serai.server.http.caller import AnyRequest, address, hall_of, visitor_of
from serai.server.http.replays import draws_of
from serai.server.http.routes import get
from serai.server.tables.hall import Hall
from serai.server.threads import Threads, cached, cached_json
from serai.table import frames, records
from serai.table.chain import Stored, history
from serai.table.entries import FinishedGame, finished_game
from serai.table.errors import Damaged, Refusal
from serai.table.names import clean_name
from serai.table.table import Table
from serai.wire.bodies import Draws, FramesPage, MyGame
from serai.wire.frames import Phase, SeatInfo

log = logging.getLogger("serai.server")

MOST = 200
"""Most games in the list, the latest."""
_read_summary = msgspec.json.Decoder(FinishedGame | None).decode
_asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
"""By visitor: requests at the same time read the same games only once."""

# -- one table ---------------------------------------------------------------------------------------------------------


@get(
    "/api/tables/{table_id:str}/record",
    "The record, with nothing hidden once the game has ended",
    media_type=MediaType.TEXT,
)
async def read_record(request: AnyRequest, table_id: TableId) -> Response[bytes]:
    body = await record_of(request, (await find(request, table_id)).table)
    headers = {"Content-Disposition": f'inline; filename="{table_id}.serai"'}
    return Response(body, headers=headers, media_type="text/plain; charset=utf-8")


@get("/api/tables/{table_id:str}/draws", "Every draw of a finished game, to be checked by anybody", Draws)
async def read_draws(request: AnyRequest, table_id: TableId) -> Response[bytes]:
    table = (await find(request, table_id)).table
    if table.phase != "over" or table.other_rules:
        raise Refusal("table.phase", phase=table.phase)
    values = tuple(sitting.value for sitting in table.seats if sitting.kind == "person")
    return await cached_json(
        request,
        "table",
        ("draws", table.id),
        lambda: partial(draws_of, records.head(table), tuple(table.plays()), values),
    )


@get(
    "/api/tables/{table_id:str}/frames",
    "Frames so far, a page at a time, as a seat of the caller or an onlooker sees them",
    FramesPage,
)
async def read_frames(
    request: AnyRequest,
    table_id: TableId,
    seat: SeatLookedThrough = None,
    after: Annotated[int, QueryParameter(ge=-1, le=1_000_000_000, description="The last number that is known")] = -1,
    limit: Annotated[int, QueryParameter(ge=1, le=frames.PAGE_ENTRIES)] = frames.PAGE_ENTRIES,
) -> Response[bytes]:
    table, visitor = await looked_at(request, table_id, seat)
    who = visitor if visitor in table.guests else ""
    last = table.n
    after = min(after, last)
    upto = min(after + limit, last)
    return await cached_json(
        request,
        "table",
        ("frames", table.id, who, seat, after, upto, last > upto),
        lambda: partial(frames.page, table.effects, who, seat, after, upto, last),
    )


async def record_of(request: AnyRequest, table: Table) -> bytes:
    return await cached(
        request,
        "table",
        ("record", table.id, table.n),
        lambda: partial(_record, records.head(table), table.game, tuple(table.written), table.phase),
    )


def _record(head: Record, game: Game, written: Sequence[records.Written], phase: Phase) -> bytes:
    return msgspec.structs.replace(head, actions=records.actions(game, written, phase)).write().encode()


# -- the caller's finished games ---------------------------------------------------------------------------------------


@get("/api/mine", "The caller's finished games, the newest first", list[MyGame])
async def my_games(request: AnyRequest, state: State) -> Response[bytes]:
    visitor = await visitor_of(request)
    games = await _games_json(hall_of(request), state.threads, address(request), visitor) if visitor else b"[]"
    return Response(games, media_type=MediaType.JSON)


async def _games_json(hall: Hall, threads: Threads, address: str, visitor: str) -> bytes:
    """The list as JSON. Each game is a piece of work of its own, so that others need not wait for long."""
    with threads.slot(address):
        async with _asking.setdefault(visitor, asyncio.Lock()):
            tables = await hall.store.finished(visitor, MOST)
            key = ("mine", visitor, hashlib.sha256("\n".join(tables).encode()).digest())
            games = hall.cache.get(key)
            if games is None:
                summaries = [await _summary(hall, threads, address, table) for table in tables]
                make = partial(_games, tables, summaries, visitor)
                games = await threads.run("table", address, partial(hall.cache.get_or_make, key, make))
            return games


async def _summary(hall: Hall, threads: Threads, address: str, table: str) -> bytes:
    """The summary of a finished game, cached for good: it never changes."""
    summary = hall.summaries.get(table)
    if summary is None:
        make = partial(_read, table, await hall.store.entries(table))
        summary = await threads.run("table", address, partial(hall.summaries.get_or_make, table, make))
    return summary


def _read(table: str, stored: Sequence[Stored]) -> bytes:
    try:
        summary = finished_game(history(table, stored))
    except Damaged as damaged:
        log.error("skipped: %s", damaged.reason, extra={"table": table})
        summary = None
    return msgspec.json.encode(summary)


def _games(tables: Sequence[str], summaries: Sequence[bytes], visitor: str) -> bytes:
    found = zip(tables, map(_read_summary, summaries), strict=True)
    return msgspec.json.encode([_game(table, summary, visitor) for table, summary in found if summary is not None])


def _game(table: str, summary: FinishedGame, visitor: str) -> MyGame:
    return MyGame(
        table=table,
        game=summary.game,
        date=summary.date,
        seats=tuple(
            SeatInfo(kind=one.kind, name=clean_name(one.name), bot=one.bot, hints=summary.hints.get(seat, 0))
            for seat, one in enumerate(summary.seats)
        ),
        yours=tuple(seat for seat, sitting in enumerate(summary.seats) if sitting.visitor == visitor),
        scores=summary.result.scores,
        winners=summary.result.winners,
        agreed=summary.agreed,
    )


ROUTES = [read_record, read_draws, read_frames, my_games]
