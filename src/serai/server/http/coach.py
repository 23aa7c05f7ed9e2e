"""REST: the coach: hints at live tables, reviews of finished games, exercises, how to play well.

A review comes line by line: progress, then the review itself. A client that stops waiting closes the connection; a
review that nobody waits for is cancelled.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from datetime import date
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from litestar import MediaType, Response
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import JSONBody, PathParameter
from litestar.types import ASGIApp

from serai.coach.exercises import Choice, Collection, Exercise, exercises
from serai.coach.insights import insights
from serai.core.game import Game
from serai.core.record import Record
from serai.core.registry import game as find_game
from serai.errors import phrase
from serai.server.errors import ClientGone, NotFound
from serai.server.http.api import TableId, find
from serai.server.http.caller import AnyRequest, address, hall_of, visitor_of
from serai.server.http.history import record_of
from serai.server.http.replays import MAX_BODY, check_length
from serai.server.http.routes import get, post
from serai.server.reviews.hints import HintWorker
from serai.server.reviews.queue import GameToReview
from serai.server.tables.live import LiveTable
from serai.server.threads import Threads, in_thread
from serai.table import proposals
from serai.table.errors import Refusal
from serai.wire.bodies import (
    Answer,
    AskHints,
    Exercises,
    Hint,
    Hints,
    Insight,
    Insights,
    Judged,
    Posed,
    ToReview,
    Weighed,
)
from serai.wire.frames import Frame, SeatInfo, TableInfo, TableRules
from serai.wire.schema import ReviewLine

GameName = Annotated[str, PathParameter(max_length=64, examples=[Example(value="camelup")])]
ExerciseId = Annotated[str, PathParameter(max_length=64)]
SHOWN: Final = 3
"""How many of the best actions are shown after an exercise."""
MEDIA_TYPE = "application/x-ndjson"
_LINES = ResponseSpec(
    ReviewLine, description="One value a line; the last is the result", media_type=MEDIA_TYPE, generate_examples=False
)
_read_hints = msgspec.json.Decoder(tuple[Hint, ...]).decode

phrase(
    {
        "review.off": "games are not reviewed on this server",
        "review.game": "{game} has no coach",
        "review.unfinished": "only finished games are reviewed: until then what is hidden stays hidden",
        "server.exercises": "{game} has no exercises",
        "server.exercise": "there is no such exercise",
        "server.insights": "nobody has yet asked what {game} teaches",
    }
)

# -- hints -------------------------------------------------------------------------------------------------------------


@post(
    "/api/tables/{table_id:str}/hints",
    "What the coach would do, from what the caller's seat has seen; the table stores that it was asked",
    Hints,
    status_code=200,
)
async def ask_hints(request: AnyRequest, state: State, table_id: TableId, data: JSONBody[AskHints]) -> Response[bytes]:
    threads: Threads = state.threads
    cache, caller = hall_of(request).cache, address(request)
    live = await find(request, table_id)
    visitor, seat, on = await visitor_of(request), data.seat, data.on
    proposals.require_hints(live.table, seat, on, visitor)
    key = ("hints", table_id, on, seat)
    with threads.slot(caller):
        hints = cache.get(key)
        if hints is None:
            require = partial(proposals.require_hints, live.table, seat, on, visitor)
            hints = await _make_hints(state.hints, live, seat, require, caller)
            cache.put(key, hints)
        # stored once for each position, before anybody gets them
        if on not in live.table.hints_of(seat) or live.table.on != on:
            await live.submit(partial(proposals.hint, live.table, seat, on, visitor))
    return Response(hints, media_type=MediaType.JSON)


async def _make_hints(coach: HintWorker, live: LiveTable, seat: int, require: Callable[[], None], caller: str) -> bytes:
    """Hints from the seat's view and the events as it saw them: nothing else reaches the coach.

    ``require`` refuses if the table moves on while the coach is told of a long game.
    """
    table, on = live.table, live.table.on

    def seen(known: int) -> tuple[bytes, list[bytes]]:
        require()
        assert table.snapshot is not None
        return msgspec.json.encode(table.snapshot.view(seat)), live.audience.events(seat, known)

    best = _read_hints(await coach.hints(table.game.name, seat, live.audience.story(seat), seen, caller))
    return msgspec.json.encode(Hints(on, best))


# -- reviews -----------------------------------------------------------------------------------------------------------


@get("/api/tables/{table_id:str}/review", "A finished game of a table, reviewed", _LINES)
async def review_table(request: AnyRequest, table_id: TableId) -> ASGIApp:
    table = (await find(request, table_id)).table
    if table.phase != "over":
        raise Refusal("review.unfinished")
    record, own = await record_of(request, table), bool(table.held_by(await visitor_of(request)))
    return await _review(request, GameToReview(table.game.name, record.decode(), table_id, own=own))


@post("/api/review", "A record of a finished game, reviewed", _LINES, request_max_body_size=MAX_BODY, status_code=200)
async def review_record(request: AnyRequest, data: JSONBody[ToReview]) -> ASGIApp:
    game = await in_thread(request, "study", _game_of, data.record)
    return await _review(request, GameToReview(game, data.record))


def _game_of(text: str) -> str:
    """The game of a record; ``Refusal`` if it cannot be reviewed."""
    record = Record.read(text)
    if record.result is None:
        raise Refusal("review.unfinished")
    check_length(record)
    return record.game


async def _review(request: AnyRequest, asked: GameToReview) -> ASGIApp:
    game, queue = find_game(asked.game), hall_of(request).reviews
    if not queue.offers:
        raise NotFound("review.off")
    if game.coach is None:
        raise NotFound("review.game", game=game.name)
    game.coach.need("reviews")
    cached = await queue.cached(asked)
    lines = _only(cached) if cached is not None else queue.follow(address(request), asked)
    return partial(_send, await anext(lines), lines)


async def _only(line: bytes) -> AsyncGenerator[bytes, None]:
    yield line


async def _send(first: bytes, lines: AsyncGenerator[bytes, None], scope: Any, receive: Any, send: Any) -> None:
    """Send line by line until the client closes the connection."""
    sending = asyncio.create_task(_send_lines(first, lines, send))
    closed = asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait((sending, closed), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, closed):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(sending, closed, return_exceptions=True)


async def _send_lines(first: bytes, lines: AsyncGenerator[bytes, None], send: Any) -> None:
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"x-accel-buffering", b"no")]
    async with contextlib.aclosing(lines):
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": first + b"\n", "more_body": True})
        async for line in lines:
            await send({"type": "http.response.body", "body": line + b"\n", "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Any) -> None:
    """Wait until the client closes the connection."""
    with contextlib.suppress(ClientGone):
        while (await receive())["type"] != "http.disconnect":
            pass


# -- exercises ---------------------------------------------------------------------------------------------------------


@get("/api/exercises/{game:str}", "The exercises of a game, by theme, and today's")
async def list_exercises(request: AnyRequest, game: GameName) -> Exercises:
    collection = _collection(find_game(game))
    today = collection.of_day(date.fromisoformat(hall_of(request).sources.date()).toordinal())
    themes = {
        theme: tuple(exercise.id for exercise in collection.exercises if exercise.theme == theme)
        for theme in collection.themes
    }
    return Exercises(game, today.id, themes)


@get("/api/exercises/{game:str}/{exercise:str}", "A position to find the best action in")
async def pose(game: GameName, exercise: ExerciseId) -> Posed:
    played = find_game(game)
    collection = _collection(played)
    posed = _exercise(played, exercise)
    view = played.state_decoder.decode(posed.view)
    bot = collection.provenance.level
    table = TableInfo(
        id="",
        game=played.name,
        rules=played.version,
        phase="playing",
        table_rules=TableRules(odds=False, advice=False, clock=0),
        options=msgspec.to_builtins(view.options),
        seats=tuple(
            SeatInfo("person") if seat == posed.seat else SeatInfo("bot", bot=bot) for seat in range(posed.players)
        ),
        host=posed.seat,
        commit="",
        hides=played.hides,
    )
    patch = msgspec.structs.asdict(view)
    frame = Frame(n=0, on=0, patch=patch, actions=view.actions(), scores=view.scores(), table=table)
    return Posed(posed.id, posed.theme, posed.seat, table, frame)


@post("/api/exercises/{game:str}/{exercise:str}", "What an answer is worth, and what is best", status_code=200)
async def judge(game: GameName, exercise: ExerciseId, data: JSONBody[Answer]) -> Judged:
    played = find_game(game)
    posed = _exercise(played, exercise)
    chosen = posed.option(_notation(played, posed, data.action))
    best = tuple(_weighed(option) for option in posed.options[:SHOWN])
    return Judged(chosen == posed.best, _weighed(chosen), best, posed.lead, posed.error)


def _collection(game: Game) -> Collection:
    collection = exercises(game)
    if collection is None:
        raise NotFound("server.exercises", game=game.name)
    return collection


def _exercise(game: Game, name: str) -> Exercise:
    """An exercise of the collection, or of what the game teaches."""
    taught = insights(game)
    exercise = _collection(game).exercise(name)
    if exercise is None and taught is not None:
        exercise = taught.exercise(name)
    if exercise is None:
        raise NotFound("server.exercise")
    return exercise


def _notation(game: Game, posed: Exercise, sent: dict[str, Any]) -> str:
    """The notation of a legal action; ``Refusal`` for any other."""
    try:
        action = msgspec.convert(sent, game.action_type)
    except msgspec.ValidationError:
        action = None
    if action not in game.state_decoder.decode(posed.view).actions():
        raise Refusal("table.not_action", game=game.name)
    return str(action)


def _weighed(option: Choice) -> Weighed:
    return Weighed(*msgspec.structs.astuple(option))


# -- how to play well --------------------------------------------------------------------------------------------------


@get("/api/insights/{game:str}", "What many games of a game teach: sentences, by key, and the figures they stand on")
async def list_insights(game: GameName) -> Insights:
    taught = insights(find_game(game))
    if taught is None:
        raise NotFound("server.insights", game=game)
    return Insights(
        game,
        taught.games,
        tuple(
            Insight(
                one.key,
                one.unit,
                one.bars,
                one.games,
                one.mark,
                one.exercise.id if one.exercise else None,
            )
            for one in taught.insights
        ),
    )


ROUTES = [ask_hints, review_table, review_record, list_exercises, pose, judge, list_insights]
