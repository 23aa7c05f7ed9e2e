"""The REST part that keeps nothing: a record in, its frames out; and the guided game of each game."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from serai.core.errors import phrase
from serai.core.option import FIRST
from serai.core.play import Play
from serai.core.record import Record, plays
from serai.core.registry import game as find_game
from serai.server.errors import NotFound
from serai.server.http.api import told_advice
from serai.server.http.lessons import learner, lesson
from serai.server.http.problems import answers
from serai.server.kept import Kept
from serai.server.workers import paced, worked_out
from serai.table import records
from serai.table.bodies import MAX_RECORD, Advice, Draw, Draws, Replay, Replayed, ReplayMoment
from serai.table.errors import Refusal
from serai.table.frames import PAGE_BYTES
from serai.table.messages import AnyFrame, Frame, TableFrame
from serai.table.replays import replay_frames

MAX_BODY = 2 * MAX_RECORD
"""Bytes: JSON writes some characters of a record as two or more."""
MAX_ACTIONS = 3000
"""Few games of the house, and none that people play, come near."""

phrase(
    {
        "record.long": "this record has {actions} actions; at most {most} are replayed here",
        "server.lesson": "{game} has no guided game",
    }
)


@post(
    "/api/replay",
    summary="The frames of a recorded game, a page at a time",
    responses=answers(Replayed),
    request_max_body_size=MAX_BODY,
    status_code=200,
)
async def replay_record(request: Request[Any, Any, Any], data: JSONBody[Replay]) -> Response[bytes]:
    asked = (_digest(data.record), data.seat)
    return await _page(request, asked, lambda: _replayed(Record.read(data.record), data.seat), data.after)


@get(
    "/api/games/{game:str}/lesson",
    summary="The guided game of a game, through the learner's seat",
    responses=answers(Replayed),
)
async def read_lesson(
    request: Request[Any, Any, Any], game: Annotated[str, PathParameter(max_length=64)]
) -> Response[bytes]:
    prepared = _lesson(game)
    return await _page(request, game, lambda: _replayed(prepared, learner(prepared)), -1)


@post(
    "/api/replay/advice",
    summary="What the game of a record tells of one of its positions",
    responses=answers(Advice),
    request_max_body_size=MAX_BODY,
    status_code=200,
)
async def advise_replay(request: Request[Any, Any, Any], data: JSONBody[ReplayMoment]) -> Response[bytes]:
    asked = (_digest(data.record), data.seat, data.n)
    return await _advised(request, asked, lambda: _advice(Record.read(data.record), data.seat, data.n))


@get(
    "/api/games/{game:str}/lesson/advice",
    summary="What a game tells of one of the positions of its guided game",
    responses=answers(Advice),
)
async def advise_lesson(
    request: Request[Any, Any, Any],
    game: Annotated[str, PathParameter(max_length=64)],
    n: Annotated[int, QueryParameter(ge=1, le=MAX_ACTIONS, description="After which frame")],
) -> Response[bytes]:
    prepared = _lesson(game)
    return await _advised(request, (game, n), lambda: _advice(prepared, learner(prepared), n))


ROUTES = [replay_record, read_lesson, advise_replay, advise_lesson]


def draws_of(record: Record, plays: Iterable[Play], values: tuple[str, ...] = ()) -> Draws:
    """What anybody needs to draw again."""
    played = tuple(plays)
    step = record.origin.step if record.origin is not None else 0
    plies = [ply for play in played for ply in play.plies]
    return Draws(
        commit=record.commit,
        mix=record.mix,
        secret=record.secret,
        values=values,
        draws=tuple(Draw(n, *draw) for n, draw in enumerate(records.draws(played))),
        players=len(record.seats),
        inherited=sum(ply.drawn for ply in plies[:step]),
        first=record.options.get(FIRST) if record.drawn else None,
    )


def _digest(record: str) -> bytes:
    return hashlib.sha256(record.encode(errors="surrogatepass")).digest()


def _lesson(game: str) -> Record:
    prepared = lesson(find_game(game))
    if prepared is None:
        raise NotFound("server.lesson", game=game)
    return prepared


async def _advised(request: Request[Any, Any, Any], asked: Hashable, advise: Callable[[], bytes]) -> Response[bytes]:
    kept: Kept = request.app.state.hall.kept
    told = kept.get(("advice", asked))
    if told is None:
        told = await worked_out(request, "study", kept.made, ("advice", asked), advise)
    return Response(told, media_type=MediaType.JSON)


async def _page(
    request: Request[Any, Any, Any], asked: Hashable, replay: Callable[[], Replayed], after: int
) -> Response[bytes]:
    """One page of a replay. The pages that come after it are kept: whoever goes on need not have it replayed again."""
    kept: Kept = request.app.state.hall.kept
    page = kept.get(("replay", asked, after))
    if page is None:
        for start, made in (await worked_out(request, "study", lambda: _pages(replay(), after))).items():
            kept.put(("replay", asked, start), made)
            page = page or made
    return Response(page or b"", media_type=MediaType.JSON)


def _pages(replayed: Replayed, after: int) -> dict[int, bytes]:
    """A replay in pages, from the frame ``after`` that number on: each by the number that it comes after."""
    pages: dict[int, bytes] = {}
    told: list[AnyFrame] = []
    size = 0
    for frame in paced(frame for frame in replayed.frames if frame.n > after):
        size += len(msgspec.json.encode(frame))
        if told and size > PAGE_BYTES:
            pages[after] = _written(replayed, told, told[-1].n)
            after, told, size = told[-1].n, [], len(msgspec.json.encode(frame))
        told.append(frame)
    return {**pages, after: _written(replayed, told, None)}


def _written(replayed: Replayed, told: list[AnyFrame], following: int | None) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(replayed, frames=tuple(told), next=following))


def _check(record: Record, seat: int | None) -> None:
    if seat is not None and seat >= len(record.seats):
        raise Refusal("table.no_seat", seat=seat)
    if len(record.actions) > MAX_ACTIONS:
        raise Refusal("record.long", actions=len(record.actions), most=MAX_ACTIONS)


def _advice(record: Record, seat: int | None, n: int) -> bytes:
    """What the game tells of the position after the frame ``n`` (the first: the set-up), or of the last one."""
    _check(record, seat)
    game = find_game(record.game)
    if not game.has_advice:
        raise NotFound("server.advice", game=game.name)
    ((on, play),) = deque(enumerate(islice(paced(plays(record)), n), start=1), maxlen=1)
    return told_advice(game, play.after.seen_by(seat), on)


def _replayed(record: Record, seat: int | None) -> Replayed:
    _check(record, seat)
    played = tuple(paced(plays(record)))
    told = replay_frames(record, paced(played), seat, paced)
    infos = [frame.table for frame in told if isinstance(frame, Frame | TableFrame) and frame.table]
    return Replayed(seat, infos[-1], tuple(told), draws_of(record, played))
