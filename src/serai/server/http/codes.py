"""REST: codes: six digits that lead to a table, and codes that move a visitor to another device."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

from litestar import Response
from litestar.openapi.spec import Example
from litestar.params import JSONBody, PathParameter

from serai.errors import phrase
from serai.server.errors import NotFound
from serai.server.http.api import TableId, find
from serai.server.http.caller import AnyRequest, device, device_or_new, hall_of, here, pass_through, qr_svg, visitor_of
from serai.server.http.routes import delete, get, post
from serai.server.limits import EVERYBODY, TooMany
from serai.server.settings import CODE_BITS, SPOKEN_CODES
from serai.server.tables.hall import Hall
from serai.table.errors import Refusal
from serai.table.proposals import require_open, require_phase, seats_of
from serai.wire.bodies import Called, Claim, Claimed, Code, Handover, Offered, Spoken

TABLE_CODE_SECONDS, DEVICE_CODE_SECONDS = 1800, 600
"""How long a code is valid."""
_TRIES = 20
"""Table codes that are drawn until one is free."""
_DIGITS = len(str(SPOKEN_CODES - 1))
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Five bits each; no letter that could be read as another or as a digit (Crockford's base 32)."""
_MISREAD = str.maketrans("OIL", "011")
_LENGTH = CODE_BITS // 5
MOST_COUNTED = 200
"""Finished games that are counted, to say what would be dropped."""

phrase(
    {
        "table.code": "no table waits for players under that code: it is good for half an hour, until the game begins",
        "handover.nothing": "there is nothing to take along: this device has had no seat",
        "handover.unknown": "that code is not, or no longer, good: it can be used once, within ten minutes",
        "handover.busy": "this device has seats of its own in {tables} games that are not over; finish or leave them, "
        "or use another browser",
        "handover.drop": "this device has finished {games} games of its own, which it would know nothing of any more; "
        "say that they may be dropped",
    }
)


@post("/api/tables/{table_id:str}/code", "A code for a table that waits for players")
async def call(request: AnyRequest, table_id: TableId) -> Spoken:
    hall = hall_of(request)
    pass_through(request, "codes")
    table = (await find(request, table_id)).table
    require_open(table)
    require_phase(table, "lobby")
    visitor = await visitor_of(request)
    if visitor != table.host:
        seats_of(table, visitor)
    now = hall.sources.wall()
    for _ in range(_TRIES):
        code = f"{hall.sources.spoken_code():0{_DIGITS}}"
        given = await hall.store.give_code(table.id, code, now + TABLE_CODE_SECONDS, now)
        if given is not None:
            return Spoken(f"{given.code[:3]} {given.code[3:]}", int(given.until - now))
    raise TooMany("server.too_many", what="codes")


@get("/api/codes/{code:str}", "The table of a code that was said aloud")
async def called(
    request: AnyRequest, code: Annotated[str, PathParameter(max_length=40, examples=[Example(value="417203")])]
) -> Called:
    hall = hall_of(request)
    pass_through(request, "codes")
    hall.gate.pass_through("wrong_codes", EVERYBODY, hall.sources.clock())  # counted before it is looked up
    found = await hall.store.table_of_code(re.sub(r"[\s.-]", "", code), hall.sources.wall())
    live = await hall.find(found) if found else None
    if live is None or live.table.phase != "lobby":
        raise NotFound("table.code")
    hall.gate.give_back("wrong_codes", EVERYBODY)
    return Called(live.table.id)


@post("/api/handover", "A code that takes the caller's seats to another device, once")
async def offer(request: AnyRequest) -> Handover:
    hall = hall_of(request)
    pass_through(request, "handovers")
    number, now = hall.sources.code(), hall.sources.wall()
    code = "".join(_ALPHABET[number >> 5 * place & 31] for place in range(_LENGTH))
    own = device(request)
    if not own or not await _has_sat(hall, await hall.devices.stands_for(own)):
        raise Refusal("handover.nothing")
    if not await hall.store.offer_handover(own, _hash(code), now + DEVICE_CODE_SECONDS, now):
        raise Refusal("handover.nothing")
    shown = "-".join(code[at : at + 4] for at in range(0, _LENGTH, 4))
    # behind the #, which no browser sends to anybody: so it is in no log
    link = f"{here(request)}/move#{shown}"
    return Handover(shown, link, qr_svg(link).decode(), DEVICE_CODE_SECONDS)


@delete("/api/handover", "Let the caller's code be good for nothing any more")
async def withdraw(request: AnyRequest) -> None:
    hall = hall_of(request)
    own = device(request)
    if own:
        await hall.store.withdraw_handover(own, hall.sources.wall())


@post(
    "/api/handover/look",
    "What claiming a code would mean for the caller's device; it has a token from then on",
    status_code=200,
)
async def look(request: AnyRequest, data: JSONBody[Code]) -> Response[Offered]:
    hall = hall_of(request)
    pass_through(request, "handovers")
    visitor = await hall.store.handover_visitor(_hash(data.code), hall.sources.wall())
    if not visitor:
        raise Refusal("handover.unknown")
    own, cookies = device_or_new(request)
    before = await hall.devices.stands_for(own)
    if before == visitor:
        return Response(Offered(here=True), cookies=cookies)
    tables, games = len(await hall.seats_of(before)), await _finished(hall, before)
    return Response(Offered(tables=tables, games=games), cookies=cookies)


@post(
    "/api/handover/claim",
    "Take the seats of a code's visitor to the caller's device; the one they were at stands for nobody then",
    status_code=200,
)
async def claim(request: AnyRequest, data: JSONBody[Claim]) -> Response[Claimed]:
    hall = hall_of(request)
    pass_through(request, "handovers")
    code = _hash(data.code)
    own, cookies = device_or_new(request)
    offered = await hall.store.handover_visitor(code, hall.sources.wall())
    before = await hall.devices.stands_for(own)
    if offered and offered != before:
        if tables := await hall.seats_of(before):
            raise Refusal("handover.busy", tables=len(tables))
        if not data.drop and (games := await _finished(hall, before)):
            raise Refusal("handover.drop", games=games)
    moved = await hall.move(code, own)
    if moved is None:
        raise Refusal("handover.unknown")
    return Response(Claimed(tuple(await hall.seats_of(moved.visitor))), cookies=cookies)


ROUTES = [call, called, offer, withdraw, look, claim]


async def _has_sat(hall: Hall, visitor: str) -> bool:
    """Whether there is anything to take along. Another process may know of a lobby that this one does not."""
    if hall.peers.shared:
        return bool(visitor)
    return bool(visitor) and bool(await hall.seats_of(visitor) or await hall.store.finished(visitor, 1))


async def _finished(hall: Hall, visitor: str) -> int:
    """How many games this visitor has finished, up to ``MOST_COUNTED``."""
    return len(await hall.store.finished(visitor, MOST_COUNTED))


def _hash(typed: str) -> str:
    """What the store holds of a code. Case, spaces and letters that look alike do not matter."""
    code = re.sub(r"[\s-]", "", typed).upper().translate(_MISREAD)
    return hashlib.sha256(b"serai handover " + code.encode()).hexdigest()
