"""Taking one's seats along to another device: a code that is shown here, and claimed there, once and soon."""

from __future__ import annotations

import hashlib
import re

from litestar import Response, delete, post
from litestar.datastructures import State
from litestar.params import JSONBody

from serai.core.errors import phrase
from serai.server.devices import device_of
from serai.server.http.callers import AnyRequest, device, here, pass_through
from serai.server.http.identity import token_of
from serai.server.http.problems import PROBLEMS
from serai.server.settings import CODE_BITS
from serai.server.tables.hall import Hall
from serai.table.bodies import Claim, Claimed, Code, Handover, Offered
from serai.table.errors import Refusal

GOOD_SECONDS = 600
"""How long a code can be claimed."""
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Five bits each; no letter that could be read as another or as a digit (Crockford's base 32)."""
_MISREAD = str.maketrans("OIL", "011")
_LENGTH = CODE_BITS // 5

phrase(
    {
        "handover.nothing": "there is nothing to take along: this device has had no seat",
        "handover.unknown": "that code is not, or no longer, good: it can be used once, within ten minutes",
        "handover.busy": "this device has seats of its own in {tables} games that are not over; finish or leave them, "
        "or use another browser",
        "handover.drop": "this device has finished {games} games of its own, which it would know nothing of any more; "
        "say that they may be dropped",
    }
)


@post("/api/handover", summary="A code that takes the caller's seats to another device, once", responses=PROBLEMS)
async def offer(request: AnyRequest, state: State) -> Handover:
    from serai.server.http.qr import qr_svg

    hall: Hall = state.hall
    pass_through(request, hall, "handovers")
    number, now = hall.sources.code(), hall.sources.wall()
    code = "".join(_ALPHABET[number >> 5 * place & 31] for place in range(_LENGTH))
    own = device_of(token_of(request))
    if not own or not await hall.store.devices.offer(own, _kept(code), now + GOOD_SECONDS, now):
        raise Refusal("handover.nothing")
    shown = "-".join(code[at : at + 4] for at in range(0, _LENGTH, 4))
    # behind the #, which no browser sends to anybody: so it is in no log
    link = f"{here(request, hall)}/move#{shown}"
    return Handover(shown, link, qr_svg(link).decode(), GOOD_SECONDS)


@delete("/api/handover", summary="Let the caller's code be good for nothing any more", responses=PROBLEMS)
async def withdraw(request: AnyRequest, state: State) -> None:
    hall: Hall = state.hall
    own = device_of(token_of(request))
    if own:
        await hall.store.devices.withdraw(own, hall.sources.wall())


@post(
    "/api/handover/look",
    summary="What claiming a code would mean for the caller's device; it has a token from then on",
    responses=PROBLEMS,
    status_code=200,
)
async def look(request: AnyRequest, state: State, data: JSONBody[Code]) -> Response[Offered]:
    hall: Hall = state.hall
    pass_through(request, hall, "handovers")
    visitor = await hall.store.devices.offered(_kept(_read(data.code)), hall.sources.wall())
    if not visitor:
        raise Refusal("handover.unknown")
    own, cookies = device(request, hall)
    before = await hall.devices.stands_for(own)
    if before == visitor:
        return Response(Offered(here=True), cookies=cookies)
    tables, games = len(await hall.seats_of(before)), len(await hall.store.finished(before, MOST_COUNTED))
    return Response(Offered(tables=tables, games=games), cookies=cookies)


@post(
    "/api/handover/claim",
    summary="Take the seats of a code's visitor to the caller's device; the one they were at stands for nobody then",
    responses=PROBLEMS,
    status_code=200,
)
async def claim(request: AnyRequest, state: State, data: JSONBody[Claim]) -> Response[Claimed]:
    hall: Hall = state.hall
    pass_through(request, hall, "handovers")
    code = _kept(_read(data.code))
    own, cookies = device(request, hall)
    offered = await hall.store.devices.offered(code, hall.sources.wall())
    before = await hall.devices.stands_for(own)
    if offered and offered != before:
        if tables := await hall.seats_of(before):
            raise Refusal("handover.busy", tables=len(tables))
        games = len(await hall.store.finished(before, MOST_COUNTED))
        if games and not data.drop:
            raise Refusal("handover.drop", games=games)
    moved = await hall.move(code, own)
    if moved is None:
        raise Refusal("handover.unknown")
    return Response(Claimed(tuple(await hall.seats_of(moved.visitor))), cookies=cookies)


ROUTES = [offer, withdraw, look, claim]

MOST_COUNTED = 200
"""Games that are counted, to say what would be dropped."""


def _read(typed: str) -> str:
    """A code as somebody typed it: small letters, spaces and letters that look alike do not matter."""
    return re.sub(r"[\s-]", "", typed).upper().translate(_MISREAD)


def _kept(code: str) -> str:
    """What is kept of a code, from which it cannot be had back."""
    return hashlib.sha256(b"serai handover " + code.encode()).hexdigest()
