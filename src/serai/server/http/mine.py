"""What a visitor has played here. Nothing is stored for it but who sat at which table; the rest is in the entries, and
since finished games never change, what was read of them is kept in brief.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from functools import partial
from weakref import WeakValueDictionary

import msgspec
from litestar import MediaType, Response, get
from litestar.datastructures import State

from serai.server.http.api import AnyRequest
from serai.server.http.identity import token_of
from serai.server.http.problems import answers
from serai.server.limits import address_of
from serai.server.tables.hall import Hall
from serai.server.workers import Workers
from serai.table.bodies import MyGame
from serai.table.chain import Stored, history
from serai.table.errors import Damaged
from serai.table.messages import SeatInfo
from serai.table.names import clean_name
from serai.table.summaries import Summary, summary

log = logging.getLogger("serai.server")

MOST = 200
"""How many games are told of, the latest."""
_read_summary = msgspec.json.Decoder(Summary | None).decode
_asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
"""By visitor: who asks twice at once has the same games read only once."""


@get("/api/mine", summary="The caller's finished games, the newest first", responses=answers(list[MyGame]))
async def my_games(request: AnyRequest, state: State) -> Response[bytes]:
    hall: Hall = state.hall
    visitor = await hall.devices.visitor(token_of(request))
    told = await _told(hall, state.workers, address_of(request.scope["client"]), visitor) if visitor else b"[]"
    return Response(told, media_type=MediaType.JSON)


ROUTES = [my_games]


async def _told(hall: Hall, workers: Workers, address: str, visitor: str) -> bytes:
    """The answer as it travels. Each game is read by itself, so that nobody else waits for long."""
    with workers.place(address):
        async with _asking.setdefault(visitor, asyncio.Lock()):
            tables = await hall.store.finished(visitor, MOST)
            asked = ("mine", visitor, hashlib.sha256("\n".join(tables).encode()).digest())
            told = hall.kept.get(asked)
            if told is None:
                briefs = [await _brief(hall, workers, address, table) for table in tables]
                make = partial(_games, tables, briefs, visitor)
                told = await workers.piece("table", address, partial(hall.kept.made, asked, make))
            return told


async def _brief(hall: Hall, workers: Workers, address: str, table: str) -> bytes:
    """A game's summary as it is kept."""
    brief = hall.summaries.get(table)
    if brief is None:
        stored = await hall.store.entries(table)
        brief = await workers.piece(
            "table", address, partial(hall.summaries.made, table, partial(_read, table, stored))
        )
    return brief


def _read(table: str, stored: Sequence[Stored]) -> bytes:
    try:
        brief = summary(history(table, stored))
    except Damaged as damaged:
        log.error("left out: %s", damaged.reason, extra={"table": table})
        brief = None
    return msgspec.json.encode(brief)


def _games(tables: Sequence[str], briefs: Sequence[bytes], visitor: str) -> bytes:
    found = zip(tables, map(_read_summary, briefs), strict=True)
    return msgspec.json.encode([_game(table, brief, visitor) for table, brief in found if brief is not None])


def _game(table: str, brief: Summary, visitor: str) -> MyGame:
    return MyGame(
        table=table,
        game=brief.game,
        date=brief.date,
        seats=tuple(
            SeatInfo(kind=one.kind, name=clean_name(one.name), bot=one.bot, hints=brief.hints.get(seat, 0))
            for seat, one in enumerate(brief.seats)
        ),
        yours=tuple(seat for seat, sitting in enumerate(brief.seats) if sitting.visitor == visitor),
        scores=brief.result.scores,
        winners=brief.result.winners,
        agreed=brief.agreed,
    )
