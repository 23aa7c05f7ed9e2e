"""What a visitor has played here. Nothing is kept for it but who sat at which table; the rest is in the entries."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from litestar import get
from litestar.datastructures import State

from serai.server.http.api import AnyRequest
from serai.server.http.identity import token_of
from serai.server.http.problems import PROBLEMS
from serai.server.tables.hall import Hall
from serai.table.bodies import MyGame
from serai.table.entries import read_entry
from serai.table.messages import SeatInfo
from serai.table.names import clean_name
from serai.table.summaries import summary

MOST = 200
"""How many games are told of, the latest."""


@get("/api/mine", summary="The caller's finished games, the newest first", responses=PROBLEMS)
async def my_games(request: AnyRequest, state: State) -> list[MyGame]:
    hall: Hall = state.hall
    store, visitor = hall.store, await hall.devices.visitor(token_of(request))
    if not visitor:
        return []
    found = [
        await asyncio.to_thread(_told, table, await store.entries(table), visitor)
        for table in await store.finished(visitor, MOST)
    ]
    return [game for game in found if game is not None]


ROUTES = [my_games]


def _told(table: str, stored: Sequence[bytes], visitor: str) -> MyGame | None:
    brief = summary(map(read_entry, stored))
    if brief is None:
        return None
    return MyGame(
        table=table,
        game=brief.game,
        date=brief.date,
        seats=tuple(
            SeatInfo(kind=sitting.kind, name=clean_name(sitting.name), bot=sitting.bot) for sitting in brief.seats
        ),
        yours=tuple(seat for seat, sitting in enumerate(brief.seats) if sitting.visitor == visitor),
        scores=brief.result.scores,
        winners=brief.result.winners,
        agreed=brief.agreed,
    )
