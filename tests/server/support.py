"""A real server on a real port, and clients that talk to it as any program would."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.server.limits import NO_LIMITS
from serai.server.run import Server, address_of, listen, server
from serai.server.settings import Settings, Sources
from serai.wire.frames import AnyReply
from tests.light_servers import lighten_servers, share_routes
from tests.support import amount

PATIENCE = 30.0
NO_PAGE = Path(__file__).parent / "no-page"
"""A folder that is not there: a server without a page."""
QUICK = Settings(bot_delay=False, bot_workers=1, limits=NO_LIMITS)

lighten_servers()
share_routes()

Json = dict[str, Any]


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine; nothing may take longer than patience allows."""

    async def bounded() -> None:
        async with asyncio.timeout(amount(6, 120) * PATIENCE):
            await main

    asyncio.run(bounded())


def brief(game: str) -> dict[str, Any]:
    """Options that bound a game whose players do whatever comes to their mind; the long form lets it take its time."""
    known = find_game(game).options if game in games() else ()
    return {option.name: amount(20, option.default) for option in known if option.name == "max_rounds"}


class Clock:
    """A steady clock that only a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Waits:
    """The waiting of a server's bots in a test's hands: however slow the machine, none acts before it is let go."""

    def __init__(self) -> None:
        self._begun: asyncio.Queue[tuple[float, Callable[[], None]]] = asyncio.Queue()
        self.held = True
        """Whether bots wait at all."""

    async def __call__(self, seconds: float) -> None:
        if self.held:
            over = asyncio.Event()
            self._begun.put_nowait((seconds, over.set))
            await over.wait()

    async def begun(self) -> tuple[float, Callable[[], None]]:
        """The next wait that a bot begins: how long it should be, and what ends it."""
        async with asyncio.timeout(PATIENCE):
            return await self._begun.get()


class House:
    """A running server."""

    def __init__(self, running: Server, base: str) -> None:
        self.server = running
        self.base = base

    @property
    def hall(self) -> Any:
        return self.server.hall


@contextlib.asynccontextmanager
async def house(
    where: Path | str,
    settings: Settings = QUICK,
    sources: Sources | None = None,
    web: Path = NO_PAGE,
) -> AsyncIterator[House]:
    """Serve the tables in this folder, or in the database of that name."""
    database = str(where / "tables.db") if isinstance(where, Path) else where
    listener = listen("127.0.0.1", 0, exactly=True)
    running = server(listener, database, settings, sources=sources, web=web)
    serving = asyncio.create_task(running.serve(sockets=[listener]))
    try:
        while not running.started:
            assert not serving.done(), serving
            await asyncio.sleep(0.005)
        yield House(running, address_of(listener))
    finally:
        running.should_exit = True
        await serving


class Visitor:
    """Somebody with a token of their own."""

    def __init__(self, base: str, token: str | None = None, first_id: int = 0) -> None:
        self.base = base
        self.token = token or secrets.token_urlsafe(24)
        self._ids = itertools.count(first_id)
        self.proxied = ""
        """The address that a proxy would tell, where the server trusts one."""

    @property
    def headers(self) -> dict[str, str]:
        told = {"X-Forwarded-For": self.proxied} if self.proxied else {}
        return {"Authorization": f"Bearer {self.token}", **told}

    async def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        async with httpx.AsyncClient(
            base_url=self.base, headers=self.headers, timeout=PATIENCE, verify=False
        ) as client:
            return await client.request(method, path, json=body)

    async def create(self, game: str, **wanted: Any) -> str:
        answer = await self.call("POST", "/api/tables", {"game": game, "options": brief(game), **wanted})
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]["id"]
        return table

    async def join(self, table: str, name: str, **wanted: Any) -> int:
        body = {"id": self.new_id(), "name": name, "value": secrets.token_hex(32), **wanted}
        answer = await self.call("POST", f"/api/tables/{table}/seats", body)
        assert answer.status_code == 201, answer.text
        seat: int = answer.json()["seat"]
        return seat

    async def record(self, table: str) -> str:
        answer = await self.call("GET", f"/api/tables/{table}/record")
        assert answer.status_code == 200, answer.text
        return answer.text

    async def frames(self, table: str, seat: int | None = None) -> list[Json]:
        """Every frame of a table, page by page."""
        found: list[Json] = []
        after: int | None = -1
        while after is not None:
            through = "" if seat is None else f"&seat={seat}"
            answer = await self.call("GET", f"/api/tables/{table}/frames?after={after}{through}")
            assert answer.status_code == 200, answer.text
            page = answer.json()
            found += page["frames"]
            after = page.get("next")
        return found

    def new_id(self) -> str:
        return f"{self.token[:6]}-{next(self._ids)}"

    @contextlib.asynccontextmanager
    async def at(self, table: str, *, token: bool = True, **query: Any) -> AsyncIterator[Socket]:
        """A connection to a table."""
        asked = "&".join(f"{key}={value}" for key, value in query.items() if value is not None)
        url = f"{self.base.replace('http', 'ws', 1)}/api/tables/{table}/socket?{asked}"
        headers = self.headers if token else {}
        async with connect(url, additional_headers=headers, max_size=None, max_queue=None, compression=None) as socket:
            yield Socket(self, socket)


class Socket:
    """What a client knows: the last number, the position's count, the view as patched, what it may do."""

    def __init__(self, visitor: Visitor, socket: ClientConnection) -> None:
        self.visitor = visitor
        self.socket = socket
        self.stream: list[str] = []
        """Every text received, as it was."""
        self.frames: dict[int, Json] = {}
        """Numbered frames by number."""
        self.n = -1
        self.on = 0
        self.seat: int | None = None
        self.view: Json = {}
        self.actions: list[Json] = []
        self.undo = False
        self.table: Json = {}
        self.presence: Json = {}
        self.clock: Json = {}

    async def next(self) -> Json:
        """The next thing the server says, taken in."""
        async with asyncio.timeout(PATIENCE):
            text = await self.socket.recv()
        assert isinstance(text, str)
        self.stream.append(text)
        msgspec.json.decode(text, type=AnyReply)  # whatever is sent is what the schema says
        told: Json = json.loads(text)
        self._take(told)
        return told

    def _take(self, told: Json) -> None:
        kind = told["type"]
        if kind == "presence":
            self.presence = told
        if kind == "clock":
            self.clock = told
        if "n" not in told or kind == "done":
            return
        assert told["n"] > self.n or kind == "welcome", (told["n"], self.n)
        self.n = told["n"]
        self.table = told.get("table", self.table)
        if kind == "welcome":
            self.seat, self.on, self.view = told["seat"], told["on"], told.get("view", {})
            self.actions, self.undo = told.get("actions", []), told.get("undo", False)
            return
        self.frames[self.n] = told
        if kind == "frame":
            self.on = told["on"]
            self.view = {**self.view, **told.get("patch", {})}
            self.actions, self.undo = told.get("actions", []), told.get("undo", False)
        elif kind == "table":
            self.seat = told["seat"]
            self.actions = told.get("actions", self.actions)

    async def until(self, done: Callable[[Json], bool]) -> Json:
        """Listen until something is said that fits."""
        while True:
            told = await self.next()
            if done(told):
                return told

    async def heard(self, kind: str) -> Json:
        return await self.until(lambda told: told["type"] == kind)

    async def tell(self, kind: str, **fields: Any) -> str:
        """Send a message; its id."""
        message = {"type": kind, **fields}
        if kind != "look":
            message.setdefault("id", self.visitor.new_id())
        await self.socket.send(json.dumps(message))
        return str(message.get("id", ""))

    async def ask(self, kind: str, **fields: Any) -> Json:
        """Send a message and wait for its ``done`` or ``refused``."""
        sent = await self.tell(kind, **fields)
        return await self.until(lambda told: told["type"] in ("done", "refused") and told["id"] == sent)

    async def do(self, kind: str, **fields: Any) -> Json:
        """Send a message that must not be refused."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "done", answer
        return answer

    async def act(self, action: Json) -> Json:
        return await self.do("act", on=self.on, action=action)

    async def my_turn(self) -> None:
        while not self.actions:
            await self.next()

    async def my_turn_or(self, other: Socket) -> Socket:
        """Listen here and there until one of the two may act; that one. Neither is then behind the other."""
        while not (self.actions or other.actions or self.over) or self.n != other.n:
            await (self if self.n <= other.n else other).next()
        return self if self.actions else other

    @property
    def over(self) -> bool:
        return bool(self.table) and self.table["phase"] == "over"

    async def play_to_the_end(self, rng: random.Random) -> None:
        """Play whenever there is something to play."""
        while not self.over:
            if self.actions:
                action, self.actions = any_kind(self.actions, rng), []
                await self.tell("act", on=self.on, action=action)
            told = await self.next()
            assert told["type"] != "refused", told


def any_kind(actions: list[Json], rng: random.Random) -> Json:
    """A kind of action uniformly, then one of that kind, as the random bot does: so that games come to their end."""
    kinds: dict[str, list[Json]] = {}
    for action in actions:
        kinds.setdefault(action["type"], []).append(action)
    return rng.choice(rng.choice(list(kinds.values())))
