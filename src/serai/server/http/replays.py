"""REST: recorded games: frames and advice of a record or of a game's lesson, and tables that play on from one."""

from __future__ import annotations

import hashlib
import random
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from itertools import islice
from typing import Annotated

import msgspec
from litestar import MediaType, Response
from litestar.params import JSONBody, PathParameter, QueryParameter

from serai.core.option import FIRST
from serai.core.play import Play
from serai.core.record import Record, inherited, plays
from serai.core.registry import game as find_game
from serai.errors import phrase
from serai.server.errors import NotFound
from serai.server.http.api import advice, check_advice, find, learner, lesson, seen_table
from serai.server.http.caller import AnyRequest, address, hall_of, pass_through, visitor_or_new
from serai.server.http.routes import get, post
from serai.server.threads import cached_json, in_thread, paced
from serai.table import records
from serai.table.entries import Inherited
from serai.table.errors import Refusal
from serai.table.frames import PAGE_BYTES
from serai.table.records import replay_frames
from serai.wire.bodies import (
    MAX_ACTIONS,
    MAX_FRAMES,
    MAX_RECORD,
    Advice,
    Continue,
    Draw,
    Draws,
    Replay,
    Replayed,
    ReplayMoment,
    Seen,
)
from serai.wire.frames import AnyFrame, Frame, TableFrame

MAX_BODY = 2 * MAX_RECORD
"""Bytes: JSON writes some characters of a record as two or more."""
TURNS_OF_A_TABLE = 100
"""To play so many out takes a server as long as to make a table."""
GameName = Annotated[str, PathParameter(max_length=64)]
_rng = random.SystemRandom()
"""Hidden cards are drawn anew, unpredictably, where a game is played on."""

phrase(
    {
        "record.long": "this record has {actions} actions; at most {most} are replayed here",
        "record.which": "name either a table or a record to play on from",
        "server.lesson": "{game} has no guided game",
    }
)


@post(
    "/api/replay",
    "The frames of a recorded game, a page at a time",
    Replayed,
    request_max_body_size=MAX_BODY,
    status_code=200,
)
async def replay_record(request: AnyRequest, data: JSONBody[Replay]) -> Response[bytes]:
    asked = (_digest(data.record), data.seat)
    return await _page(request, asked, partial(_replayed, data.record, data.seat), data.after)


@get("/api/games/{game:str}/lesson", "The guided game of a game, through the learner's seat", Replayed)
async def read_lesson(request: AnyRequest, game: GameName) -> Response[bytes]:
    prepared = _lesson(game)
    return await _page(request, game, partial(_replayed, prepared, learner(prepared)), -1)


@post(
    "/api/replay/advice",
    "What the game of a record tells of one of its positions",
    Advice,
    request_max_body_size=MAX_BODY,
    status_code=200,
)
async def advise_replay(request: AnyRequest, data: JSONBody[ReplayMoment]) -> Response[bytes]:
    key = ("advice", _digest(data.record), data.seat, data.n)
    return await cached_json(request, "study", key, lambda: partial(_advice, data.record, data.seat, data.n))


@get("/api/games/{game:str}/lesson/advice", "What a game tells of one of the positions of its guided game", Advice)
async def advise_lesson(
    request: AnyRequest,
    game: GameName,
    n: Annotated[int, QueryParameter(ge=1, le=MAX_FRAMES, description="After which frame")],
) -> Response[bytes]:
    prepared = _lesson(game)
    key = ("advice", game, n)
    return await cached_json(request, "study", key, lambda: partial(_advice, prepared, learner(prepared), n))


@post(
    "/api/continued",
    "Make a table whose game goes on from a moment of a finished one, against bots; the caller is its host",
    request_max_body_size=MAX_BODY,
)
async def continue_game(request: AnyRequest, data: JSONBody[Continue]) -> Response[Seen]:
    pass_through(request, "tables", 1 + min(data.turn, MAX_ACTIONS) // TURNS_OF_A_TABLE)
    source = await _source(request, data)
    record, position = await in_thread(request, "study", _inherited, source, data.turn, data.seat)
    visitor, cookies = await visitor_or_new(request)
    live = await hall_of(request).create_from_record(record, position, visitor, address(request), bot=data.bot)
    return Response(seen_table(request, live, visitor), cookies=cookies)


ROUTES = [replay_record, read_lesson, advise_replay, advise_lesson, continue_game]


def draws_of(record: Record, plays: Iterable[Play], values: tuple[str, ...] = ()) -> Draws:
    """What is needed to check the draws."""
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


def check_length(record: Record) -> None:
    """``Refusal`` if the record is too long to be replayed here."""
    if len(record.actions) > MAX_ACTIONS:
        raise Refusal("record.long", actions=len(record.actions), most=MAX_ACTIONS)


def _digest(record: str) -> bytes:
    return hashlib.sha256(record.encode(errors="surrogatepass")).digest()


def _lesson(game: str) -> Record:
    prepared = lesson(find_game(game))
    if prepared is None:
        raise NotFound("server.lesson", game=game)
    return prepared


async def _page(request: AnyRequest, asked: Hashable, replay: Callable[[], Replayed], after: int) -> Response[bytes]:
    """One page of a replay. The following pages are cached: the next request need not replay the record again."""
    cache = hall_of(request).cache
    page = cache.get(("replay", asked, after))
    if page is None:
        for start, made in (await in_thread(request, "study", lambda: _pages(replay(), after))).items():
            cache.put(("replay", asked, start), made)
            page = page or made
    return Response(page or b"", media_type=MediaType.JSON)


def _pages(replayed: Replayed, after: int) -> dict[int, bytes]:
    """A replay in pages, from the frame after number ``after``: each by the number that it comes after."""
    pages: dict[int, bytes] = {}
    frames: list[AnyFrame] = []
    size = 0
    for frame in paced(frame for frame in replayed.frames if frame.n > after):
        size += len(msgspec.json.encode(frame))
        if frames and size > PAGE_BYTES:
            pages[after] = _page_json(replayed, frames, frames[-1].n)
            after, frames, size = frames[-1].n, [], len(msgspec.json.encode(frame))
        frames.append(frame)
    return {**pages, after: _page_json(replayed, frames, None)}


def _page_json(replayed: Replayed, frames: list[AnyFrame], following: int | None) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(replayed, frames=tuple(frames), next=following))


def _read(source: Record | str, seat: int | None = None) -> Record:
    """The record, read if it is a text; ``Refusal`` if it is too long, or has no such seat."""
    record = Record.read(source) if isinstance(source, str) else source
    if seat is not None and seat >= len(record.seats):
        raise Refusal("table.no_seat", seat=seat)
    check_length(record)
    return record


def _advice(source: Record | str, seat: int | None, n: int) -> Advice:
    """Advice on the position after frame ``n`` (the first: the set-up), or on the last one."""
    record = _read(source, seat)
    check_advice(find_game(record.game))
    ((on, play),) = deque(enumerate(islice(paced(plays(record)), n), start=1), maxlen=1)
    return advice(find_game(record.game), play.after.seen_by(seat), on)


def _replayed(source: Record | str, seat: int | None) -> Replayed:
    record = _read(source, seat)
    played = tuple(paced(plays(record)))
    frames = replay_frames(record, paced(played), seat, paced)
    infos = [frame.table for frame in frames if isinstance(frame, Frame | TableFrame) and frame.table]
    return Replayed(seat, infos[-1], tuple(frames), draws_of(record, played))


async def _source(request: AnyRequest, data: Continue) -> Record | str:
    """The record of the game to play on, or its text."""
    if isinstance(data.table, str) == isinstance(data.record, str):
        raise Refusal("record.which")
    if isinstance(data.record, str):
        return data.record
    table = (await find(request, str(data.table))).table
    if table.phase != "over" or table.other_rules:
        raise Refusal("table.phase", phase=table.phase)
    return records.record(table)


def _inherited(source: Record | str, turn: int, seat: int) -> tuple[Record, Inherited]:
    record = _read(source)
    return record, Inherited(*inherited(record, turn, seat, _rng))
