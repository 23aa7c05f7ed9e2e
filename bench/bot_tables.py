"""Tables full of the strongest bots on a real server: whether they play at the pace of people, and whom they hold up.

Eight of Camel Up's highest level and as many of Pharaoh's as may play sit at watched tables, while a person plays at
another one. Told are the times between two moves of the bots, pauses for people to follow included, and how long the
person's moves take with and without them.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
import statistics
import time
import urllib.request
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

import serai
from bench.load import _act, _call, _cpu_of_family, _server, _told
from serai.core.game import Game

SECONDS = 30.0
PERSON_THINKS = 0.3


def main() -> None:
    with _server() as (base, pid):
        urllib.request.urlopen(f"{base}/api/games?tried=true").read()
        asyncio.run(_measure(base, pid))


async def _measure(base: str, pid: int) -> None:
    alone = await _person(base)
    print(f"a person's move, while nobody else plays: {_told_of(alone, 'ms', 1000)}", flush=True)
    games = [serai.game(name) for name in serai.games()]
    used, began = _cpu_of_family(pid), time.perf_counter()
    person, *tables = await asyncio.gather(_person(base), *(_bots(base, game) for game in games))
    busy = (_cpu_of_family(pid) - used) / (time.perf_counter() - began)
    for game, gaps in zip(games, tables, strict=True):
        told = f"{len(gaps)} moves, apart {_told_of(gaps, 's', 1)}" if gaps else f"no move in {SECONDS:g} s"
        print(f"{game.players[-1]} {_highest(game)} at a table of {game.name}: {told}")
    print(f"a person's move, meanwhile: {_told_of(person, 'ms', 1000)}")
    print(f"the server and its bots used {busy:.0%} of a core")


def _highest(game: Game) -> str:
    return (game.levels or game.bots)[-1]


async def _bots(base: str, game: Game) -> list[float]:
    """Seconds between two moves at a table of bots that somebody watches."""
    players = game.players[-1]
    bots = {str(seat): _highest(game) for seat in range(players)}
    line = await _open(base, secrets.token_urlsafe(24), {"game": game.name, "seats": players, "bots": bots})
    moves = [time.perf_counter() async for text in _heard(line) if _heard_of(text).by is not None]
    return [later - earlier for earlier, later in itertools.pairwise(moves)]


async def _person(base: str) -> list[float]:
    """Seconds from a person's move to the word that it is kept, at a table with a bot that is no trouble."""
    token = secrets.token_urlsafe(24)
    line = await _open(base, token, {"game": "camelup", "seats": 2, "bots": {"1": "random"}}, name="Ann")
    rng, taken, sent = random.Random(1), list[float](), 0.0
    async for text in _heard(line):
        told = _told.decode(text)
        if told.type == "done" and sent:
            taken.append(time.perf_counter() - sent)
        if told.actions:
            await asyncio.sleep(PERSON_THINKS)
            sent = time.perf_counter()
            await line.send(_act(told, rng))
    return taken


async def _open(base: str, token: str, table: dict[str, Any], name: str = "") -> ClientConnection:
    """A connection to a new table, whose game has begun; with a name there is a person at it."""
    made = (await _call(base, "/api/tables", token, table))["table"]["id"]
    if name:
        body = {"id": "j", "name": name, "value": secrets.token_hex(32)}
        await _call(base, f"/api/tables/{made}/seats", token, body)
    line = await connect(
        f"{base.replace('http', 'ws')}/api/tables/{made}/socket",
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None,
        ping_interval=None,
    )
    await line.send('{"type":"start","id":"s"}')
    return line


async def _heard(line: ClientConnection) -> AsyncIterator[str]:
    """What a connection hears, as long as the game lasts and is measured."""
    end = time.perf_counter() + SECONDS
    try:
        while (left := end - time.perf_counter()) > 0:
            text = await asyncio.wait_for(line.recv(decode=True), left)
            yield text
            if '"phase":"over"' in text:
                return
    except TimeoutError:
        return
    finally:
        await line.close()


class Move(msgspec.Struct):
    """As much of a frame as tells that somebody acted."""

    by: int | None = None


_heard_of = msgspec.json.Decoder(Move).decode


def _told_of(seconds: Sequence[float], unit: str, factor: float) -> str:
    most = sorted(seconds)[int(len(seconds) * 0.99)] * factor
    return f"median {statistics.median(seconds) * factor:.2f} {unit}, 99 of 100 within {most:.2f} {unit}"


if __name__ == "__main__":
    main()
