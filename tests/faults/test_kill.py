"""A server under load is killed at random moments: what was acknowledged is there, and games go on to their end."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from serai import games
from serai.core.record import Record, verify
from tests.faults.support import process
from tests.server.support import Json, Socket, Visitor, any_kind, run
from tests.support import POSTGRES_IN_SOAK, amount

KILLS = amount(2, 100)
TABLES = 4
GONE = (WebSocketException, OSError, httpx.TransportError, asyncio.TimeoutError)


class Player:
    """Holds two seats of a table, plays whichever is to act, and remembers every answer it got."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.visitor = Visitor("")
        self.table = ""
        self.started = False
        self.acknowledged: dict[int, Json] = {}
        """By number: the message whose ``done`` came."""
        self.unsure: Json | None = None
        """Sent, and never answered."""
        self.finished: list[tuple[str, dict[int, Json]]] = []

    async def play(self, base: str, *, on_and_on: bool) -> None:
        """Play at this server until it dies (or, unless it should go on and on, until the game is over)."""
        self.visitor.base = base
        while True:
            if not self.table:
                game = self.rng.choice(games())
                self.table = await self.visitor.create(game, seats=4, bots={"1": "random", "3": "random"})
                self.started = False
            await self._sit()
            async with self.visitor.at(self.table, seat=0) as a, self.visitor.at(self.table, seat=2) as b:
                await a.heard("welcome")
                await b.heard("welcome")
                await self._resolve(a)
                if a.table["phase"] == "lobby":
                    await a.do("start")
                while not a.over:
                    await self._move(a, b)
            self.finished.append((self.table, self.acknowledged))
            self.table, self.acknowledged = "", {}
            if not on_and_on:
                return

    async def _sit(self) -> None:
        seen = (await self.visitor.call("GET", f"/api/tables/{self.table}")).json()
        for name in ("Ann", "Bob")[len(seen["yours"]) :]:
            await self.visitor.join(self.table, name)

    async def _resolve(self, socket: Socket) -> None:
        """Say again what was perhaps not heard, and something that surely was."""
        if self.unsure is not None and self.unsure["table"] == self.table:
            answer = await socket.ask(**self.unsure["message"])
            if answer["type"] == "done":
                self.acknowledged[answer["n"]] = self.unsure["message"]
        self.unsure = None
        if self.acknowledged:
            n, message = self.rng.choice(list(self.acknowledged.items()))
            assert (await socket.do(**message))["n"] == n, "known again after a restart"

    async def _move(self, a: Socket, b: Socket) -> None:
        for mover in (a, b):
            if mover.actions:
                action, mover.actions = any_kind(mover.actions, self.rng), []
                message: Json = {"kind": "act", "id": self.visitor.new_id(), "on": mover.on, "action": action}
                self.unsure = {"table": self.table, "message": message}
                answer = await mover.do(**message)
                self.acknowledged[answer["n"]] = message
                self.unsure = None
        while a.n < b.n or not (a.over or a.view["actor"] in (a.seat, b.seat)):
            await a.next()
        while b.n < a.n:
            await b.next()


async def _until_killed(player: Player, base: str) -> None:
    with contextlib.suppress(*GONE):
        await player.play(base, on_and_on=True)


async def _check(visitor: Visitor, table: str, acknowledged: dict[int, Json]) -> None:
    """Every acknowledged action is there, at its number."""
    if not table:
        return
    seats = (await visitor.call("GET", f"/api/tables/{table}")).json()["yours"]
    by_seat = [await visitor.frames(table, seat) for seat in seats]
    played: dict[int, Any] = {}
    for frames in by_seat:
        for frame in frames:
            if frame["type"] == "frame" and frame.get("by") in seats and "action" in frame:
                known = played.setdefault(frame["n"], [])
                known.append(frame["action"])
    for n, message in acknowledged.items():
        assert message["action"] in played[n], (table, n)


@POSTGRES_IN_SOAK
def test_killed_under_load_nothing_acknowledged_is_lost(database: str) -> None:
    rng = random.Random(11)
    players = [Player(seed) for seed in range(TABLES)]

    async def work(base: str, killed: Any) -> None:
        for player in players:
            player.visitor.base = base
            await _check(player.visitor, player.table, player.acknowledged)
        playing = [asyncio.create_task(_until_killed(player, base)) for player in players]
        await asyncio.sleep(rng.uniform(0.3, 1.5))
        killed()
        await asyncio.gather(*playing)

    for _ in range(KILLS):
        with process(database) as server:
            run(work(server.base, server.kill))

    async def finish(base: str) -> None:
        for player in players:
            player.visitor.base = base
            await _check(player.visitor, player.table, player.acknowledged)
        await asyncio.gather(*(player.play(base, on_and_on=False) for player in players))
        for player in players:
            for table, acknowledged in player.finished:
                await _check(player.visitor, table, acknowledged)
                verdict = verify(Record.read(await player.visitor.record(table)))
                assert verdict.finished
                assert verdict.draws_checked

    with process(database) as server:
        run(finish(server.base))
    assert sum(len(acknowledged) for player in players for _, acknowledged in player.finished) > 10 * KILLS
