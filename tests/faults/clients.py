"""Clients that play on whatever happens, ask again with the same id until they know, and write everything down."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from serai.server.tables.hall import device_of
from tests.faults.history import FAILED, History, Line, Told, Try
from tests.server.support import Json, any_kind

ANSWER_SECONDS = 2.0
"""Without an answer for so long, a client goes elsewhere."""
SILENCE_SECONDS = 2.5
"""Without a word for so long while a game goes on, it does too."""
UNKNOWN = {"server.store", FAILED}
"""Refusals that do not say that nothing has changed."""
GIVES_UP = 0.1
"""How often an unanswered message is left alone, so that nobody ever knows."""


class Lost(Exception):
    """The line is of no use any more."""


class Client:
    """One person (or one of their tabs, or an onlooker) at one table."""

    def __init__(
        self,
        name: str,
        history: History,
        bases: Sequence[str],
        rng: random.Random,
        *,
        at: int = 0,
        token: str | None = None,
        think: float = 0.1,
    ) -> None:
        """``bases``: where the servers are just now; ``at`` which of them to begin."""
        self.name = name
        self.token = token or secrets.token_urlsafe(24)
        self.visitor = device_of(self.token)
        self.table = ""
        self.seat: int | None = None
        self.over = False
        self.tired = False
        """Whether it would rather agree to end the game."""
        self.asks: Json | None = None
        """What it wants and has no certain answer to yet."""
        self._done: list[Json] = []
        self._history = history
        if self.token not in history.tokens:
            history.tokens.append(self.token)
        self._bases = bases
        self._rng = rng
        self._think = think
        self._ids = itertools.count()
        self._at = at % len(bases)
        self._n: int | None = None
        self._on = 0
        self._actions: list[Json] = []
        self._undo = False
        self._info: Json = {}
        self._starts = False

    # -- before the game -----------------------------------------------------------------------------------------------

    async def create(self, game: str, **wanted: Any) -> str:
        """A table, somewhere; one of which no answer came is left to itself."""
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = await self._call("/api/tables", {"game": game, **wanted})
                if answer.status_code == 201:
                    self._starts = True
                    table: str = answer.json()["table"]["id"]
                    return table
                assert answer.status_code == 503, answer.text
            await self._elsewhere()

    async def join(self, table: str) -> None:
        """Take a seat, asking until that is certain."""
        self.table = table
        body = {"id": self._new_id(), "name": self.name, "value": secrets.token_hex(32)}
        while self.seat is None:
            one = self._begin(body["id"], {"type": "join", **body})
            with contextlib.suppress(httpx.TransportError):
                answer = await self._call(f"/api/tables/{table}/seats", body)
                one.ended = time.monotonic()
                told = answer.json()
                if answer.status_code == 201:
                    one.answer, one.n, self.seat = "done", told["n"], told["seat"]
                    return
                one.key = told["key"]
                if one.key not in UNKNOWN:
                    one.answer = "refused"
                    raise AssertionError(f"{self.name} may not join: {told}")
            await self._elsewhere()

    async def _call(self, path: str, body: Json) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with httpx.AsyncClient(timeout=ANSWER_SECONDS, verify=False, headers=headers) as http:
            return await http.post(self._bases[self._at] + path, json=body)

    # -- in the game ---------------------------------------------------------------------------------------------------

    async def play(self) -> None:
        """Play the seat, or look on, until the game is over."""
        while not self.over:
            with contextlib.suppress(Lost, OSError, WebSocketException, TimeoutError):
                async with self._line() as line:
                    while not self.over:
                        await self._turn(line)
            if not self.over:
                await self._elsewhere()

    async def _turn(self, line: _Line) -> None:
        """Say something, or listen for a while."""
        if self.asks is None:
            await line.listen(self._think * self._rng.uniform(0.2, 1.8))
            self.asks = self._wish()
        if self.asks is not None:
            await self._ask(line, self.asks)
        elif time.monotonic() - line.heard > SILENCE_SECONDS:
            raise Lost

    def _wish(self) -> Json | None:
        """What it would like to do now: mostly to play on, now and then something else or something that cannot be."""
        luck = self._rng.random()
        if self.over or self.seat is None or not self._info:
            return None
        if self._info["phase"] == "lobby":
            full = all(seat["kind"] != "open" for seat in self._info["seats"])
            return self._new("start") if self._starts and full else None
        if self.tired and not self._info["seats"][self.seat].get("agrees"):
            return self._new("agree")
        if luck < 0.03:
            return self._new("say", text=f"{self.name} says {next(self._ids)}")
        if luck < 0.05 and self._done:
            return self._rng.choice(self._done)
        if self._undo and luck < 0.15:
            return self._new("undo", on=self._on)
        if self._actions:
            late = luck > 0.97 and self._on > 1
            return self._new("act", on=self._on - late, action=any_kind(self._actions, self._rng))
        return None

    async def _ask(self, line: _Line, message: Json) -> None:
        """Send a message and wait for its answer; if there is none, whoever asks next asks the same."""
        one = self._begin(message["id"], message)
        await line.send(message)
        answer = await line.answer(message["id"])
        if answer is None:
            if self._rng.random() < GIVES_UP:
                self.asks, self._actions = None, []
            raise Lost
        one.ended = time.monotonic()
        if answer["type"] == "done":
            one.answer, one.n = "done", answer["n"]
            self._done.append(message)
        elif answer["key"] in UNKNOWN:
            one.key = answer["key"]
            raise Lost
        else:
            one.answer, one.key = "refused", answer["key"]
            if message["type"] == "act" and message["on"] == self._on:
                self._actions = []  # whatever stands against it, there will be news, here or at the next welcome
        self.asks = None

    def take(self, told: Json) -> None:
        """What the server says of the table."""
        kind = told["type"]
        if "n" not in told or kind == "done":
            return
        self._n = told["n"]
        self._info = told.get("table", self._info)
        self.over = self._info.get("phase") == "over"
        if kind in ("welcome", "frame"):
            self._on, self._actions, self._undo = told["on"], told.get("actions", []), told.get("undo", False)
        elif kind == "table":
            self._actions = told.get("actions", self._actions)

    @contextlib.asynccontextmanager
    async def _line(self) -> AsyncIterator[_Line]:
        """A connection, as one that has seen what there was, or has forgotten all of it."""
        seen = None if self._rng.random() < 0.3 else self._n
        query = f"seat={'none' if self.seat is None else self.seat}" + ("" if seen is None else f"&seen={seen}")
        kept = Line(
            client=self.name,
            visitor=self.visitor,
            table=self.table,
            seat=self.seat,
            seen=seen,
            opened=time.monotonic(),
            server=self._at,
        )
        self._history.lines.append(kept)
        url = f"{self._bases[self._at].replace('http', 'ws', 1)}/api/tables/{self.table}/socket?{query}"
        async with connect(
            url,
            additional_headers={"Authorization": f"Bearer {self.token}"},
            open_timeout=ANSWER_SECONDS,
            close_timeout=0.1,
            ping_interval=None,
            max_queue=None,
            max_size=None,
            compression=None,
        ) as socket:
            try:
                yield _Line(self, socket, kept)
            except ConnectionClosed as closed:
                kept.code = closed.rcvd.code if closed.rcvd is not None else 0
                raise

    async def _elsewhere(self) -> None:
        await asyncio.sleep(self._rng.uniform(0.05, 0.3))
        self._at = self._rng.randrange(len(self._bases))

    def _begin(self, message_id: str, message: Json) -> Try:
        one = Try(
            client=self.name,
            visitor=self.visitor,
            table=self.table,
            id=message_id,
            message=message,
            begun=time.monotonic(),
        )
        self._history.tries.append(one)
        return one

    def _new(self, kind: str, **fields: Any) -> Json:
        return {"type": kind, "id": self._new_id(), **fields}

    def _new_id(self) -> str:
        return f"{self.name}-{next(self._ids)}"


class _Line:
    """A client's connection."""

    def __init__(self, client: Client, socket: ClientConnection, kept: Line) -> None:
        self._client = client
        self._socket = socket
        self._kept = kept
        self.heard = time.monotonic()
        """When the server last said something."""

    async def send(self, message: Json) -> None:
        await self._socket.send(json.dumps(message))

    async def listen(self, seconds: float) -> None:
        """Hear whatever is said meanwhile."""
        until = time.monotonic() + seconds
        while await self._next(until) is not None:
            pass

    async def answer(self, message_id: str) -> Json | None:
        """The answer to that message; ``None`` if it does not come."""
        until = time.monotonic() + ANSWER_SECONDS
        while told := await self._next(until):
            if told["type"] in ("done", "refused") and told["id"] == message_id:
                return told
        return None

    async def _next(self, until: float) -> Json | None:
        left = until - time.monotonic()
        if left <= 0:
            return None
        try:
            async with asyncio.timeout(left):
                text = await self._socket.recv()
        except TimeoutError:
            return None
        assert isinstance(text, str)
        self.heard = time.monotonic()
        self._kept.told.append(Told(self.heard, text))
        told: Json = json.loads(text)
        self._client.take(told)
        return told
