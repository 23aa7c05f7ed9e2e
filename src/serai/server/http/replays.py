"""The REST part that keeps nothing: a record in, its frames out; and the guided game of each game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from litestar import Request, get, post
from litestar.params import JSONBody, PathParameter

from serai.core.errors import phrase
from serai.core.play import Play
from serai.core.record import Record, plays
from serai.core.registry import game as find_game
from serai.server.errors import NotFound
from serai.server.http.lessons import learner, lesson
from serai.server.http.problems import PROBLEMS
from serai.server.workers import worked_out
from serai.table import records
from serai.table.bodies import MAX_RECORD, Draw, Draws, Replay, Replayed
from serai.table.errors import Refusal
from serai.table.messages import Frame, TableFrame
from serai.table.replays import replay_frames

MAX_BODY = 2 * MAX_RECORD
"""Bytes: JSON writes some characters of a record as two or more."""
MAX_ACTIONS = 3000
"""No game of the house comes near."""

phrase(
    {
        "record.long": "this record has {actions} actions; at most {most} are replayed here",
        "server.lesson": "{game} has no guided game",
    }
)


@post(
    "/api/replay",
    summary="The frames of a recorded game",
    responses=PROBLEMS,
    request_max_body_size=MAX_BODY,
    status_code=200,
)
async def replay_record(request: Request[Any, Any, Any], data: JSONBody[Replay]) -> Replayed:
    return await worked_out(request, "study", lambda: _replayed(Record.read(data.record), data.seat))


@get(
    "/api/games/{game:str}/lesson", summary="The guided game of a game, through the learner's seat", responses=PROBLEMS
)
async def read_lesson(request: Request[Any, Any, Any], game: Annotated[str, PathParameter(max_length=64)]) -> Replayed:
    prepared = lesson(find_game(game))
    if prepared is None:
        raise NotFound("server.lesson", game=game)
    return await worked_out(request, "study", _replayed, prepared, learner(prepared))


ROUTES = [replay_record, read_lesson]


def draws_of(record: Record, plays: Iterable[Play], values: tuple[str, ...] = ()) -> Draws:
    """What anybody needs to draw again."""
    return Draws(
        commit=record.commit,
        mix=record.mix,
        secret=record.secret,
        values=values,
        draws=tuple(Draw(n, *draw) for n, draw in enumerate(records.draws(plays))),
    )


def _replayed(record: Record, seat: int | None) -> Replayed:
    if seat is not None and seat >= len(record.seats):
        raise Refusal("table.no_seat", seat=seat)
    if len(record.actions) > MAX_ACTIONS:
        raise Refusal("record.long", actions=len(record.actions), most=MAX_ACTIONS)
    played = tuple(plays(record))
    told = replay_frames(record, played, seat)
    infos = [frame.table for frame in told if isinstance(frame, Frame | TableFrame) and frame.table]
    return Replayed(seat, infos[-1], tuple(told), draws_of(record, played))
