"""The REST part: games, tables, seats, odds, advice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.openapi.spec import Example
from litestar.params import JSONBody, PathParameter, QueryParameter

from serai.bots.ladder import ladder
from serai.coach.exercises import exercises
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.server.bots.pool import BotPool
from serai.server.errors import NotFound
from serai.server.http.callers import address, caller, here, only_here, pass_through
from serai.server.http.identity import token_of
from serai.server.http.lessons import lesson
from serai.server.http.problems import PROBLEMS, answers
from serai.server.tables.hall import Hall
from serai.server.tables.live import LiveTable
from serai.server.tables.public import told_public
from serai.server.workers import kept_or_made, worked_out
from serai.table.bodies import Advice, BotStanding, GameInfo, Join, Joined, NewTable, Odds, OptionInfo, Seen
from serai.table.effects import Snapshot
from serai.table.errors import Refusal
from serai.table.messages import TableInfo
from serai.table.table import Table

AnyRequest = Request[Any, Any, State]
SeatLookedThrough = Annotated[int | None, QueryParameter(ge=0, le=63)]
TableId = Annotated[str, PathParameter(pattern=r"^[0-9a-z]{1,40}$", examples=[Example(value="5a3c9be10277d4f1a2b4")])]


@get("/api/games", summary="The games that can be played here, and the bots that are ready", responses=PROBLEMS)
async def list_games(
    state: State,
    tried: Annotated[
        bool, QueryParameter(description="Wait until every bot has been tried, if that takes a moment")
    ] = False,
) -> list[GameInfo]:
    pool = _hall(state).pool
    if tried:
        await pool.tried()
    reviews = _hall(state).settings.review_workers > 0
    return [_game_info(name, pool, reviews) for name in games()]


@get(
    "/api/games/{name:str}/odds",
    summary="The odds of a position in the game's notation, where the game has odds",
    responses=PROBLEMS,
)
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
    summary="Public tables whose host is there: those that wait for players, then those being played",
    responses=answers(list[TableInfo]),
)
async def list_tables(
    state: State,
    game: Annotated[str | None, QueryParameter(max_length=64, examples=[Example(value="camelup")])] = None,
) -> Response[bytes]:
    told = await told_public(_hall(state), "" if game is None else find_game(game).name)
    return Response(told, media_type=MediaType.JSON)


@post("/api/tables", summary="Make a table; the caller is its host", responses=PROBLEMS)
async def create_table(request: AnyRequest, state: State, data: JSONBody[NewTable]) -> Response[Seen]:
    hall = _hall(state)
    pass_through(request, hall, "tables")
    visitor, cookies = await caller(request, hall)
    live = await hall.create(data, visitor, address(request))
    return Response(told_of(request, hall, live, visitor), cookies=cookies)


@get("/api/tables/{table_id:str}", summary="A table as the caller sees it", responses=PROBLEMS)
async def see_table(request: AnyRequest, state: State, table_id: TableId) -> Seen:
    hall = _hall(state)
    live = await find(hall, table_id)
    return told_of(request, hall, live, await hall.devices.visitor(token_of(request)))


@post(
    "/api/tables/{table_id:str}/seats", summary="Take a seat, or the one that waits for the caller", responses=PROBLEMS
)
async def take_seat(request: AnyRequest, state: State, table_id: TableId, data: JSONBody[Join]) -> Response[Joined]:
    hall = _hall(state)
    pass_through(request, hall, "seats")
    live = await find(hall, table_id)
    visitor, cookies = await caller(request, hall)
    seat, n = await live.join(data, visitor)
    return Response(Joined(seat, n), cookies=cookies)


@get(
    "/api/tables/{table_id:str}/odds",
    summary="The odds of a table's game, from what the caller's seat may know",
    responses=PROBLEMS,
)
async def read_table_odds(
    request: AnyRequest,
    state: State,
    table_id: TableId,
    seat: SeatLookedThrough = None,
) -> Odds:
    table, _ = await looked_at(request, state, table_id, seat)
    if table.game.tells_odds and not table.table_rules.odds:
        raise Refusal("table.no_odds")
    if table.snapshot is None:
        raise Refusal("table.phase", phase=table.phase)
    on = table.on
    odds = await _odds(request, table.game, table.snapshot.view(seat))
    return msgspec.structs.replace(odds, on=on)


@get(
    "/api/tables/{table_id:str}/advice",
    summary="What a table's game tells of its position before anybody acts, from what the caller's seat may know",
    responses=answers(Advice),
)
async def read_advice(
    request: AnyRequest,
    state: State,
    table_id: TableId,
    seat: SeatLookedThrough = None,
    n: Annotated[
        int | None, QueryParameter(ge=0, le=1_000_000_000, description="After which entry; without it, the last")
    ] = None,
) -> Response[bytes]:
    table, _ = await looked_at(request, state, table_id, seat)
    effect = table.effects[table.n if n is None else min(n, table.n)]
    game, on, snapshot = table.game, effect.on, effect.after
    if not game.has_advice:
        raise NotFound("server.advice", game=game.name)
    if not table.table_rules.advice:
        raise Refusal("table.no_advice")
    if snapshot is None:
        raise Refusal("table.phase", phase=table.phase)
    told = await kept_or_made(
        request,
        ("advice", table_id, on, seat),
        # a view of its own: what has passed is not to be kept by its table again
        lambda: partial(told_advice, game, Snapshot(snapshot.state, snapshot.shown).view(seat), on),
    )
    return Response(told, media_type=MediaType.JSON)


@get(
    "/api/tables/{table_id:str}/invite.svg",
    summary="The invitation as a QR code",
    responses=PROBLEMS,
    media_type="image/svg+xml",
)
async def invite(request: AnyRequest, state: State, table_id: TableId) -> Response[bytes]:
    from serai.server.http.qr import qr_svg

    hall = _hall(state)
    link = _link(request, hall, await find(hall, table_id))
    return Response(
        await kept_or_made(request, ("invite", link), lambda: partial(qr_svg, link)), media_type="image/svg+xml"
    )


ROUTES = [
    list_games,
    read_odds,
    list_tables,
    create_table,
    see_table,
    take_seat,
    read_table_odds,
    read_advice,
    invite,
]


def _game_info(name: str, pool: BotPool, reviews: bool) -> GameInfo:
    """What a page needs to offer a game, with the bots that can really play it here."""
    game = find_game(name)
    options = tuple(
        OptionInfo(option.name, option.type, option.default, option.label, option.choices, option.optional)
        for option in game.options
    )
    players = (game.players[0], game.players[-1])
    return GameInfo(
        name=name,
        rules=game.version,
        players=players,
        options=options,
        bots=pool.ready(game),
        levels=pool.levels(game),
        standings=_standings(game, pool),
        trying=pool.trying(name),
        odds=game.tells_odds,
        advice=game.has_advice,
        hints=game.has_coach,
        lesson=lesson(game) is not None,
        exercises=exercises(game) is not None,
        reviews=reviews and game.has_coach,
    )


def _standings(game: Game, pool: BotPool) -> tuple[BotStanding, ...]:
    """Where the bots that can play here stand on the published ladder."""
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
    if not game.has_odds:
        raise NotFound("server.odds", game=game.name)
    return Odds(game.name, await worked_out(request, "study", game.odds, view, details))


def told_advice(game: Game, view: Any, on: int) -> bytes:
    """What the game tells of a view, which came about by so many changes, as an answer."""
    return msgspec.json.encode(Advice(game.name, game.advice(view), on))


async def looked_at(request: AnyRequest, state: State, table_id: str, seat: int | None) -> tuple[Table, str]:
    """The table, and the visitor who looks at it through a seat of theirs or looks on."""
    hall = _hall(state)
    table = (await find(hall, table_id)).table
    visitor = await hall.devices.visitor(token_of(request))
    if seat is not None and seat not in table.held_by(visitor):
        raise Refusal("table.not_yours", seat=seat)
    return table, visitor


async def find(hall: Hall, table_id: str) -> LiveTable:
    """The table of that id, or ``NotFound``."""
    live = await hall.find(table_id)
    if live is None:
        raise NotFound("table.unknown")
    return live


def _hall(state: State) -> Hall:
    hall: Hall = state.hall
    return hall


def _link(request: AnyRequest, hall: Hall, live: LiveTable) -> str:
    return f"{here(request, hall)}/t/{live.table.id}"


def told_of(request: AnyRequest, hall: Hall, live: LiveTable, visitor: str) -> Seen:
    """The table as this visitor sees it."""
    link = _link(request, hall, live)
    return Seen(live.table.info(), live.table.held_by(visitor), link, only_here(link))
