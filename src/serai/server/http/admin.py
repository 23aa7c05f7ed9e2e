"""REST for the host alone, behind a key: tables, who is connected, bans, reports, and what is kept about a visitor."""

from __future__ import annotations

import hmac
from typing import Annotated

import msgspec
from litestar.params import JSONBody, PathParameter, QueryParameter

from serai.errors import phrase
from serai.server.errors import NotFound
from serai.server.http.api import TableId, find
from serai.server.http.caller import AnyRequest, address, hall_of, pass_through
from serai.server.http.routes import delete, get, post
from serai.server.people.bans import subject_of
from serai.server.store.base import Listed
from serai.server.tables.hall import Hall
from serai.table.errors import Refusal
from serai.table.names import clean_name
from serai.wire.bodies import (
    BanInfo,
    Connected,
    HostTable,
    HostTables,
    Kept,
    Lifted,
    NewBan,
    ReportInfo,
    SeatedHere,
    Subject,
)

HEADER = "x-serai-key"
"""Not a cookie, which a browser would send by itself."""
MOST_TABLES = 200
VisitorHash = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{32}$")]
ReportId = Annotated[int, PathParameter(ge=1, le=1 << 62)]

phrase(
    {
        "admin.off": "this server has no key for its host: start it with --host-key-file",
        "admin.key": "that is not the key of this server's host",
    }
)


def for_host(request: AnyRequest) -> Hall:
    """The hall, for the host: ``Refusal`` for everybody else."""
    hall = hall_of(request)
    key = hall.settings.host_key
    if not key:
        raise NotFound("admin.off")
    if not hmac.compare_digest(request.headers.get(HEADER, "").encode(), key.encode()):
        pass_through(request, "keys")
        hall.refusals.note(address(request), "host key")
        raise Refusal("admin.key")
    return hall


@get("/api/admin/tables", "How many tables there are by phase, and the newest")
async def tables(
    request: AnyRequest,
    phase: Annotated[str, QueryParameter(max_length=20)] = "",
) -> HostTables:
    hall = for_host(request)
    found = await hall.store.newest(phase, MOST_TABLES)
    return HostTables(await hall.store.counts(), tuple(_table(hall, one) for one in found))


@get("/api/admin/tables/{table_id:str}", "The people at a table, with the visitor behind each name")
async def people_at(request: AnyRequest, table_id: TableId) -> list[SeatedHere]:
    for_host(request)
    seats = enumerate((await find(request, table_id)).table.seats)
    return [SeatedHere(seat, clean_name(one.name), one.visitor) for seat, one in seats if one.kind == "person"]


@delete("/api/admin/tables/{table_id:str}", "Remove a table for good")
async def remove_table(request: AnyRequest, table_id: TableId) -> None:
    if not await for_host(request).remove(table_id):
        raise NotFound("table.unknown")


@get("/api/admin/connections", "Who is connected to this server process, and from where")
async def connections(request: AnyRequest) -> list[Connected]:
    hall = for_host(request)
    return [
        Connected(
            live.table.id,
            one.address,
            one.visitor,
            one.seat,
            "" if one.seat is None else clean_name(live.table.seats[one.seat].name),
        )
        for live in hall.tables.values()
        for one in live.audience.connections
    ]


@get("/api/admin/bans", "Who is shut out or silenced")
async def bans(request: AnyRequest) -> list[BanInfo]:
    hall = for_host(request)
    return await hall.store.bans(hall.sources.wall())


@post("/api/admin/bans", "Shut out or silence an address or a visitor for a while", status_code=200)
async def ban(request: AnyRequest, data: JSONBody[NewBan]) -> BanInfo:
    hall = for_host(request)
    made = BanInfo(subject_of(data.subject), data.kind, hall.sources.wall() + data.hours * 3600, data.why)
    await hall.bans.put(made)
    hall.show_out()
    return made


@post("/api/admin/bans/lift", "Let an address or a visitor in again", status_code=200)
async def lift(request: AnyRequest, data: JSONBody[Subject]) -> Lifted:
    return Lifted(int(await for_host(request).bans.lift(subject_of(data.subject))))


@get("/api/admin/reports", "What players have reported, the oldest first")
async def reports(request: AnyRequest) -> list[ReportInfo]:
    return await for_host(request).store.reports()


@delete("/api/admin/reports/{report:int}", "Delete a report that was dealt with")
async def drop_report(request: AnyRequest, report: ReportId) -> None:
    if not await for_host(request).store.drop_reports([report]):
        raise NotFound("server.unknown")


@get("/api/admin/visitors/{visitor:str}", "All that is kept about a visitor")
async def about_visitor(request: AnyRequest, visitor: VisitorHash) -> Kept:
    return await for_host(request).visitors.about(visitor)


@delete("/api/admin/visitors/{visitor:str}", "Forget a visitor")
async def forget_visitor(request: AnyRequest, visitor: VisitorHash) -> None:
    await for_host(request).visitors.forget(visitor)


ROUTES = [
    tables,
    people_at,
    remove_table,
    connections,
    bans,
    ban,
    lift,
    reports,
    drop_report,
    about_visitor,
    forget_visitor,
]


def _table(hall: Hall, listed: Listed) -> HostTable:
    live = hall.tables.get(listed.id)
    known = listed.listing
    brief = HostTable(listed.id, known.phase, known.public, known.at, listed.last + 1)
    if live is None:
        return brief
    return msgspec.structs.replace(
        brief,
        game=live.table.game.name,
        names=tuple(clean_name(sitting.name) for sitting in live.table.seats if sitting.kind == "person"),
        connected=len(live.audience.connections),
        made_by=live.made_by,
    )
