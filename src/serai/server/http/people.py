"""REST: what is kept about the caller, forgetting them, and reports to the host."""

from __future__ import annotations

from litestar import Response
from litestar.params import JSONBody

from serai.errors import phrase
from serai.server.http.api import TableId, find
from serai.server.http.caller import AnyRequest, hall_of, no_cookie, pass_through, visitor_of, visitor_or_new
from serai.server.http.routes import delete, get, post
from serai.table.errors import Refusal
from serai.table.names import clean_name, clean_text
from serai.wire.bodies import Kept, ReportInfo, ReportPlayer

MOST_REPORTS = 1000
"""Reports that wait for the host; beyond that, none is taken."""

phrase(
    {
        "people.nobody": "nothing is kept about you here: this browser has had no seat",
        "people.reports": "the host has {most} reports to read already; try again another day",
        "people.report": "only people can be reported, and nobody can report themselves",
    }
)


@get("/api/me", "All that is kept about the caller")
async def about_me(request: AnyRequest) -> Kept:
    pass_through(request, "kept")
    visitor = await visitor_of(request)
    if not visitor:
        raise Refusal("people.nobody")
    return await hall_of(request).visitors.about(visitor)


@delete("/api/me", "Forget the caller: their names, talk and devices; games stay, as those of a guest")
async def forget_me(request: AnyRequest) -> Response[None]:
    pass_through(request, "kept")
    visitor = await visitor_of(request)
    if not visitor:
        raise Refusal("people.nobody")
    await hall_of(request).visitors.forget(visitor)
    return Response(None, cookies=[no_cookie(request)])


@post("/api/tables/{table_id:str}/reports", "Report a player of a table to the host")
async def report(request: AnyRequest, table_id: TableId, data: JSONBody[ReportPlayer]) -> Response[None]:
    pass_through(request, "reports")
    hall, live = hall_of(request), await find(request, table_id)
    visitor, cookies = await visitor_or_new(request)
    seats = live.table.seats
    sitting = seats[data.seat] if data.seat < len(seats) else None
    if sitting is None or sitting.kind != "person" or sitting.visitor == visitor:
        raise Refusal("people.report")
    wanted = ReportInfo(
        id=0,
        at=hall.sources.wall(),
        table=table_id,
        seat=data.seat,
        name=clean_name(sitting.name),
        visitor=sitting.visitor,
        address=next((one.address for one in live.audience.connections if one.visitor == sitting.visitor), ""),
        reporter=visitor,
        text=clean_text(data.text),
    )
    if not await hall.store.add_report(wanted, MOST_REPORTS):
        raise Refusal("people.reports", most=MOST_REPORTS)
    return Response(None, cookies=cookies)


ROUTES = [about_me, forget_me, report]
