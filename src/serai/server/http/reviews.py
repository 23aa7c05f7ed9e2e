"""The REST part that reviews finished games: an answer of many lines, the last of which is the review.

Whoever waits no longer hangs up; a review that nobody waits for is not worked out.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

from litestar import get, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from litestar.types import ASGIApp

from serai.core.errors import MissingExtra, phrase
from serai.core.record import Record
from serai.core.registry import game as find_game
from serai.server.errors import ClientGone, NotFound
from serai.server.http.api import AnyRequest, TableId, find
from serai.server.http.callers import address
from serai.server.http.histories import record_of
from serai.server.http.problems import PROBLEMS
from serai.server.http.replays import MAX_ACTIONS, MAX_BODY
from serai.server.reviews.lines import Line
from serai.server.reviews.queue import Asked, ReviewQueue
from serai.server.workers import worked_out
from serai.table.bodies import ToReview
from serai.table.errors import Refusal

MEDIA_TYPE = "application/x-ndjson"
_LINES = {
    200: ResponseSpec(
        Line,
        description="One value a line; the last tells what came of it",
        media_type=MEDIA_TYPE,
        generate_examples=False,
    ),
    **PROBLEMS,
}

phrase(
    {
        "review.off": "games are not reviewed on this server",
        "review.game": "{game} has no coach",
        "review.unfinished": "only finished games are reviewed: until then what is hidden stays hidden",
    }
)


@get("/api/tables/{table_id:str}/review", summary="A finished game of a table, reviewed", responses=_LINES)
async def review_table(request: AnyRequest, state: State, table_id: TableId) -> ASGIApp:
    table = (await find(state.hall, table_id)).table
    if table.phase != "over":
        raise Refusal("review.unfinished")
    record = await record_of(request, table)
    return await _answer(request, state.hall.reviews, Asked(table.game.name, record.decode(), table_id))


@post(
    "/api/review",
    summary="A record of a finished game, reviewed",
    responses=_LINES,
    request_max_body_size=MAX_BODY,
    status_code=200,
)
async def review_record(request: AnyRequest, state: State, data: JSONBody[ToReview]) -> ASGIApp:
    game = await worked_out(request, "study", _game_of, data.record)
    return await _answer(request, state.hall.reviews, Asked(game, data.record))


ROUTES = [review_table, review_record]


def _game_of(text: str) -> str:
    """The game of a record that can be reviewed, by what it says itself."""
    record = Record.read(text)
    if record.result is None:
        raise Refusal("review.unfinished")
    if len(record.actions) > MAX_ACTIONS:
        raise Refusal("record.long", actions=len(record.actions), most=MAX_ACTIONS)
    return record.game


async def _answer(request: AnyRequest, queue: ReviewQueue, asked: Asked) -> ASGIApp:
    game = find_game(asked.game)
    if not queue.offers:
        raise NotFound("review.off")
    if not game.has_coach:
        if game.has_rollouts or not game.needs.get("rollouts"):
            raise NotFound("review.game", game=game.name)
        raise MissingExtra(f"{game.name}'s reviews", " and ".join(game.needs["rollouts"]), "fast")
    kept = await queue.kept(asked)
    lines = _only(kept) if kept is not None else queue.follow(address(request), asked)
    return partial(_send, await anext(lines), lines)


async def _only(line: bytes) -> AsyncGenerator[bytes, None]:
    yield line


async def _send(first: bytes, lines: AsyncGenerator[bytes, None], scope: Any, receive: Any, send: Any) -> None:
    """Line by line, as long as somebody reads them."""
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"x-accel-buffering", b"no")]
    saying = asyncio.create_task(_say(first, lines, headers, send))
    leaving = asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait((saying, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (saying, leaving):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(saying, leaving, return_exceptions=True)


async def _say(first: bytes, lines: AsyncGenerator[bytes, None], headers: list[tuple[bytes, bytes]], send: Any) -> None:
    async with contextlib.aclosing(lines):
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": first + b"\n", "more_body": True})
        async for line in lines:
            await send({"type": "http.response.body", "body": line + b"\n", "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Any) -> None:
    """Until whoever asked hangs up."""
    with contextlib.suppress(ClientGone):
        while (await receive())["type"] != "http.disconnect":
            pass
