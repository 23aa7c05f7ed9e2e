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
from typing import Any, Literal

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from serai.server.tables.hall import device_of
from tests.faults.history import FAILED, History, Line, Read, Told, Try
from tests.server.support import Json, any_kind

ANSWER_SECONDS = 2.0
"""Without an answer for so long, a client goes elsewhere."""
SILENCE_SECONDS = 2.5
"""Without a word for so long while a game goes on, it does too."""
UNKNOWN = {"server.store", FAILED}
"""Refusals that do not say that nothing has changed."""
GIVES_UP = 0.1
"""How often an unanswered message is left alone, so that nobody ever knows."""
READS = 0.03
"""How often somebody asks for what there is, instead of listening."""
NAPS = 0.01
"""How often somebody goes away, so that others let a bot play for them, or their time runs out."""
NAP_SECONDS = 1.0, 4.0
MOVES = 0.15
"""How often somebody who connects anew does so with another device."""


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
        visitor: str = "",
        think: float = 0.1,
        wanders: bool = False,
    ) -> None:
        """``bases``: where the servers are just now; ``at`` which of them to begin. Who ``wanders`` goes away now and
        then, and comes back with another device. ``visitor``: who they are, if they have moved.
        """
        self.name = name
        self.token = token or secrets.token_urlsafe(24)
        self.visitor = visitor or device_of(self.token)
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
        self._away: set[int] = set()
        """Seats whose persons are."""
        self._wanders = wanders
        self._naps = False

    # -- before the game -----------------------------------------------------------------------------------------------

    async def create(self, game: str, **wanted: Any) -> str:
        """A table, somewhere; one of which no answer came is left to itself."""
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = await self._call("/api/tables", {"game": game, **wanted})
                if answer.status_code == 201:
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

    async def _call(self, path: str, body: Json, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token or self.token}"}
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
            if self._naps:
                self._naps = False
                await asyncio.sleep(self._rng.uniform(*NAP_SECONDS))
            if not self.over:
                await self._elsewhere()
                if self._wanders and self.asks is None and self._rng.random() < MOVES:
                    await self._move()

    async def rematch(self) -> str:
        """Ask for another game with the same people, as others do at the same time; its table."""
        self.asks = self._new("rematch")
        while True:
            with contextlib.suppress(Lost, OSError, WebSocketException, TimeoutError):
                async with self._line() as line:
                    while self.asks is not None:
                        await self._ask(line, self.asks)
                    while not self._info.get("next"):
                        await line.listen(0.1)
                    following: str = self._info["next"]
                    return following
            await self._elsewhere()

    async def _move(self) -> None:
        """Take the seats to another device, which nobody else knows of."""
        token, asked = secrets.token_urlsafe(24), False
        with contextlib.suppress(httpx.TransportError):
            offered = await self._call("/api/handover", {})
            code = offered.json().get("code")
            while code is not None:
                with contextlib.suppress(httpx.TransportError):
                    claimed = await self._call("/api/handover/claim", {"code": code}, token)
                    key = claimed.json().get("key")
                    if claimed.is_success or (asked and key == "handover.unknown"):
                        self._history.tokens.append(token)
                        self.token = token
                        return
                    if key not in UNKNOWN:
                        return
                asked = True
                await self._elsewhere()

    async def _read(self) -> None:
        """Ask by REST for what there is: the table, its record, or all frames, each page wherever it may be had."""
        what: Literal["table", "record"] = "record" if self._rng.random() < 0.5 else "table"
        with contextlib.suppress(httpx.TransportError):
            if self._rng.random() < 0.4:
                await self._read_frames()
                return
            answer = await self._get(f"/api/tables/{self.table}" + ("/record" if what == "record" else ""))
            self._history.reads.append(
                Read(client=self.name, table=self.table, what=what, status=answer.status_code, text=answer.text)
            )

    async def _read_frames(self) -> None:
        kept = Line(
            client=f"{self.name} reading {next(self._ids)}",
            visitor=self.visitor,
            table=self.table,
            seat=self.seat,
            seen=-1,
            opened=time.monotonic(),
            server=self._at,
        )
        self._history.lines.append(kept)
        after: int | None = -1
        while after is not None:
            seat = "" if self.seat is None else f"&seat={self.seat}"
            answer = await self._get(f"/api/tables/{self.table}/frames?after={after}&limit=40{seat}")
            if answer.status_code != 200:
                assert answer.status_code == 503, answer.text
                return
            page = answer.json()
            kept.told += [Told(time.monotonic(), json.dumps(frame)) for frame in page["frames"]]
            after = page.get("next")
            self._at = self._rng.randrange(len(self._bases))

    async def _get(self, path: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with httpx.AsyncClient(timeout=ANSWER_SECONDS, verify=False, headers=headers) as http:
            return await http.get(self._bases[self._at] + path)

    async def _turn(self, line: _Line) -> None:
        """Say something, or listen for a while."""
        if self._rng.random() < READS:
            await self._read()
        if self._wanders and self.asks is None and self._rng.random() < NAPS:
            self._naps = True
            raise Lost
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
            return self._new("start") if self._info.get("host") == self.seat and full else None
        own = self._info["seats"][self.seat]
        if own.get("bot") or own.get("left"):
            return self._new("return", seat=self.seat)
        absent = [seat for seat in self._away if not self._info["seats"][seat].get("bot")]
        if absent and luck > 0.7:
            return self._new("take_over", seat=self._rng.choice(absent), bot="random")
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
        if kind == "presence":
            self._away = {one["seat"] for one in told["away"]} - {self.seat}
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
