"""REST: games, tables, seats, odds, advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache, partial
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response
from litestar.openapi.spec import Example
from litestar.params import JSONBody, PathParameter, QueryParameter

from serai.bots.ladder import ladder
from serai.coach.exercises import exercises
from serai.coach.insights import insights
from serai.core.game import Game
from serai.core.parts import Advice as GameAdvice
from serai.core.parts import works
from serai.core.record import Record
from serai.core.registry import game as find_game
from serai.core.registry import game_data, games
from serai.server.bots.pool import BotPool
from serai.server.errors import NotFound
from serai.server.http.caller import (
    AnyRequest,
    address,
    hall_of,
    here,
    only_here,
    pass_through,
    qr_svg,
    visitor_of,
    visitor_or_new,
)
from serai.server.http.routes import get, post
from serai.server.store.base import UNFINISHED
from serai.server.tables.hall import Hall
from serai.server.tables.live import LiveTable
from serai.server.threads import cached, cached_json, in_thread
from serai.table.errors import Refusal
from serai.table.table import Snapshot, Table
from serai.wire.bodies import Advice, BotStanding, GameInfo, Join, Joined, NewTable, Odds, OptionInfo, Seen, WarmingBot
from serai.wire.frames import TableInfo

SeatLookedThrough = Annotated[int | None, QueryParameter(ge=0, le=63)]
TableId = Annotated[str, PathParameter(pattern=r"^[0-9a-z]{1,40}$", examples=[Example(value="5a3c9be10277d4f1a2b4")])]
LESSON = "lesson.serai"
LISTED_SECONDS = 1.0
"""How long a list of public tables is cached while none of them changes here."""
MOST_LOOKED_AT, MOST_SHOWN = 200, 50
"""Most tables that are loaded for a list, and most in it."""


@get("/api/games", "The games that can be played here, and the bots that are ready")
async def list_games(
    request: AnyRequest,
    tried: Annotated[
        bool, QueryParameter(description="Wait until every bot has been tried, if that takes a moment")
    ] = False,
) -> list[GameInfo]:
    hall = hall_of(request)
    if tried:
        await hall.pool.tried()
    return [_game_info(name, hall.pool, hall.settings.review_workers > 0) for name in games()]


@get("/api/games/{name:str}/odds", "The odds of a position in the game's notation, where the game has odds")
async def read_odds(
    request: AnyRequest,
    name: Annotated[str, PathParameter(max_length=64, examples=[Example(value="camelup")])],
    position: Annotated[str, QueryParameter(min_length=1, max_length=1000)],
) -> Odds:
    game = find_game(name)
    details = {key: value for key, value in request.query_params.items() if key != "position"}
    return await _odds(request, game, position, details)


@get(
    "/api/tables",
    "Public tables whose host is there: those that wait for players, then those being played",
    list[TableInfo],
)
async def list_tables(
    request: AnyRequest,
    game: Annotated[str | None, QueryParameter(max_length=64, examples=[Example(value="camelup")])] = None,
) -> Response[bytes]:
    tables = await public_list(hall_of(request), "" if game is None else find_game(game).name)
    return Response(tables, media_type=MediaType.JSON)


@post("/api/tables", "Make a table; the caller is its host")
async def create_table(request: AnyRequest, data: JSONBody[NewTable]) -> Response[Seen]:
    pass_through(request, "tables")
    visitor, cookies = await visitor_or_new(request)
    live = await hall_of(request).create(data, visitor, address(request))
    return Response(seen_table(request, live, visitor), cookies=cookies)


@get("/api/tables/{table_id:str}", "A table as the caller sees it")
async def see_table(request: AnyRequest, table_id: TableId) -> Seen:
    live = await find(request, table_id)
    return seen_table(request, live, await visitor_of(request))


@post("/api/tables/{table_id:str}/seats", "Take a seat, or the one that waits for the caller")
async def take_seat(request: AnyRequest, table_id: TableId, data: JSONBody[Join]) -> Response[Joined]:
    pass_through(request, "seats")
    live = await find(request, table_id)
    visitor, cookies = await visitor_or_new(request)
    seat, n = await live.join(data, visitor)
    return Response(Joined(seat, n), cookies=cookies)


@get("/api/tables/{table_id:str}/odds", "The odds of a table's game, from what the caller's seat may know")
async def read_table_odds(request: AnyRequest, table_id: TableId, seat: SeatLookedThrough = None) -> Odds:
    table, _ = await looked_at(request, table_id, seat)
    if works(table.game.odds) and not table.table_rules.odds:
        raise Refusal("table.no_odds")
    if table.snapshot is None:
        raise Refusal("table.phase", phase=table.phase)
    on = table.on
    odds = await _odds(request, table.game, table.snapshot.view(table.snapshot.eyes(seat)))
    return msgspec.structs.replace(odds, on=on)


@get(
    "/api/tables/{table_id:str}/advice",
    "Advice on the position of a table's game, from what the caller's seat may know",
    Advice,
)
async def read_advice(
    request: AnyRequest,
    table_id: TableId,
    seat: SeatLookedThrough = None,
    n: Annotated[
        int | None, QueryParameter(ge=0, le=1_000_000_000, description="After which entry; without it, the last")
    ] = None,
) -> Response[bytes]:
    table, _ = await looked_at(request, table_id, seat)
    effect = table.effects[table.n if n is None else min(n, table.n)]
    game, on, snapshot = table.game, effect.on, effect.after
    if game.advice is None:
        raise NotFound("server.advice", game=game.name)
    if not table.table_rules.advice:
        raise Refusal("table.no_advice")
    if snapshot is None:
        raise Refusal("table.phase", phase=table.phase)
    return await cached_json(
        request,
        "table",
        ("advice", table_id, on, seat),
        # a snapshot of its own: the table must not cache views of the past again
        lambda: partial(advice, game, Snapshot(snapshot.state, snapshot.shown).view(snapshot.eyes(seat)), on),
    )


@get("/api/tables/{table_id:str}/invite.svg", "The invitation as a QR code", media_type="image/svg+xml")
async def invite(request: AnyRequest, table_id: TableId) -> Response[bytes]:
    link = _link(request, await find(request, table_id))
    svg = await cached(request, "table", ("invite", link), lambda: partial(qr_svg, link))
    return Response(svg, media_type="image/svg+xml")


ROUTES = [list_games, read_odds, list_tables, create_table, see_table, take_seat, read_table_odds, read_advice, invite]


async def public_list(hall: Hall, game: str = "") -> bytes:
    """The list as JSON, cached until something changes or a second has passed."""
    async with hall.listing:
        key = ("public", game, hall.public_changes, int(hall.sources.clock() / LISTED_SECONDS))
        response = hall.cache.get(key)
        if response is None:
            response = msgspec.json.encode(await public_tables(hall, game))
            hall.cache.put(key, response)
        return response


async def public_tables(hall: Hall, game: str = "") -> list[TableInfo]:
    """Public tables whose host is connected, of all games or of one: first those that wait for players, then by number
    of people, then the newest. The number per phase and address is limited.
    """
    limit = _HostLimit(hall.settings.limits.waiting_tables)
    hosts = {
        table_id: host
        for table_id, live in reversed(hall.tables.items())
        if live.table.table_rules.public and (host := live.audience.host_from) and limit.admits(live, host)
    }
    hosts |= await hall.peers.hosted(limit.most)
    listed = await hall.store.public(list(hosts), MOST_LOOKED_AT)
    found = [live async for live in hall.readable(listed) if live.table.phase in UNFINISHED]
    if game:
        found = [live for live in found if live.table.game.name == game]
    found.sort(key=lambda live: (live.table.phase != "lobby", -live.table.people))
    limit = _HostLimit(limit.most)
    return [live.table.info() for live in found if limit.admits(live, hosts[live.table.id])][:MOST_SHOWN]


class _HostLimit:
    """At most ``most`` tables of a phase for each host's address; 0: no limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._count: Counter[tuple[str, str]] = Counter()

    def admits(self, live: LiveTable, host: str) -> bool:
        kind = host, live.table.phase
        self._count[kind] += 1
        return not self.most or self._count[kind] <= self.most


def _game_info(name: str, pool: BotPool, reviews: bool) -> GameInfo:
    """What a page needs to offer a game, with the bots that can play it here."""
    game = find_game(name)
    return GameInfo(
        name=name,
        rules=game.version,
        players=(game.players[0], game.players[-1]),
        options=tuple(OptionInfo(*msgspec.structs.astuple(option)) for option in game.options),
        bots=pool.ready(game),
        levels=pool.levels(game),
        company=pool.company(game),
        against_bots=dict(game.against_bots),
        standings=_standings(game, pool),
        warming=tuple(
            WarmingBot(bot, seconds, game.levels.index(bot) if bot in game.levels else None)
            for bot, seconds in pool.warming(game).items()
        ),
        odds=works(game.odds),
        advice=game.advice is not None,
        hints=works(game.coach),
        lesson=lesson(game) is not None,
        exercises=exercises(game) is not None,
        insights=insights(game) is not None,
        reviews=reviews and works(game.coach),
    )


def _standings(game: Game, pool: BotPool) -> tuple[BotStanding, ...]:
    """The published ladder's lines of the bots that can play here."""
    published = ladder(game)
    if published is None:
        return ()
    ready = pool.ready(game)
    return tuple(
        BotStanding(rung.bot, rung.rating, rung.low, rung.high, rung.wins, published.seats)
        for rung in published.rungs
        if rung.bot in ready
    )


async def _odds(request: AnyRequest, game: Game, view: Any, details: Mapping[str, str] | None = None) -> Odds:
    if game.odds is None:
        raise NotFound("server.odds", game=game.name)
    return Odds(game.name, await in_thread(request, "study", game.odds, view, details))


def advice(game: Game, view: Any, on: int) -> Advice:
    """The game's advice on a view after ``on`` changes."""
    return Advice(game.name, check_advice(game)(view), on)


def check_advice(game: Game) -> GameAdvice:
    """The part of the game that advises; ``NotFound`` if it has none."""
    if game.advice is None:
        raise NotFound("server.advice", game=game.name)
    return game.advice


async def looked_at(request: AnyRequest, table_id: str, seat: int | None) -> tuple[Table, str]:
    """The table and the caller; ``Refusal`` if the seat is not theirs."""
    table = (await find(request, table_id)).table
    visitor = await visitor_of(request)
    if seat is not None and seat not in table.held_by(visitor):
        raise Refusal("table.not_yours", seat=seat)
    return table, visitor


async def find(request: AnyRequest, table_id: str) -> LiveTable:
    """The table of that id, or ``NotFound``."""
    live = await hall_of(request).find(table_id)
    if live is None:
        raise NotFound("table.unknown")
    return live


def _link(request: AnyRequest, live: LiveTable) -> str:
    return f"{here(request)}/t/{live.table.id}"


def seen_table(request: AnyRequest, live: LiveTable, visitor: str) -> Seen:
    """The table as this visitor sees it."""
    link = _link(request, live)
    return Seen(live.table.info(), live.table.held_by(visitor), link, only_here(link))


@cache
def lesson(game: Game) -> Record | None:
    """A game's lesson: a prepared record; ``None`` if it has none."""
    text = game_data(game, LESSON)
    return None if text is None else Record.read(text)


def learner(prepared: Record) -> int:
    """The seat that a learner plays: the first without a bot."""
    return next(seat for seat, sitter in enumerate(prepared.seats) if sitter.bot is None)
