"""A table's code that can be said aloud: six digits, good for a while, and only until its game begins."""

from __future__ import annotations

import re
from typing import Annotated

from litestar import get, post
from litestar.datastructures import State
from litestar.openapi.spec import Example
from litestar.params import PathParameter

from serai.core.errors import phrase
from serai.server.errors import NotFound
from serai.server.http.api import TableId, find
from serai.server.http.callers import AnyRequest, pass_through
from serai.server.http.identity import token_of
from serai.server.http.problems import PROBLEMS
from serai.server.limits import TooMany
from serai.server.settings import SPOKEN_CODES
from serai.server.tables.hall import Hall
from serai.table.bodies import Called, Spoken
from serai.table.rights import in_phase, seats_of, writable

GOOD_SECONDS = 1800
"""How long a code leads to its table: as long as a round needs to gather."""
_TRIES = 20
"""Codes that are drawn until one is free; with so many taken at once that none is, there are enough."""
_DIGITS = len(str(SPOKEN_CODES - 1))

phrase(
    {
        "table.code": "no table waits for players under that code: it is good for half an hour, until the game begins",
    }
)


@post("/api/tables/{table_id:str}/code", summary="A code for a table that waits for players", responses=PROBLEMS)
async def call(request: AnyRequest, state: State, table_id: TableId) -> Spoken:
    hall: Hall = state.hall
    pass_through(request, hall, "codes")
    table = (await find(hall, table_id)).table
    writable(table)
    in_phase(table, "lobby")
    visitor = await hall.devices.visitor(token_of(request))
    if visitor != table.host:
        seats_of(table, visitor)
    now = hall.sources.wall()
    for _ in range(_TRIES):
        code = f"{hall.sources.spoken_code():0{_DIGITS}}"
        given = await hall.store.codes.call(table.id, code, now + GOOD_SECONDS, now)
        if given is not None:
            return Spoken(f"{given.code[:3]} {given.code[3:]}", int(given.until - now))
    raise TooMany("server.too_many", what="codes")


@get("/api/codes/{code:str}", summary="The table of a code that was said aloud", responses=PROBLEMS)
async def called(
    request: AnyRequest,
    state: State,
    code: Annotated[str, PathParameter(max_length=40, examples=[Example(value="417203")])],
) -> Called:
    hall: Hall = state.hall
    pass_through(request, hall, "codes")
    found = await hall.store.codes.called(re.sub(r"[\s.-]", "", code), hall.sources.wall())
    live = await hall.find(found) if found else None
    if live is None or live.table.phase != "lobby":
        raise NotFound("table.code")
    return Called(live.table.id)


ROUTES = [call, called]
