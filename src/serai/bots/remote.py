"""A client that plays one seat of a table over the network, as ``serai bot`` does."""

from __future__ import annotations

import asyncio
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from serai.core.game import Event, Game
from serai.core.registry import game as find_game
from serai.wire.bodies import Join, Joined, Problem, Seen
from serai.wire.frames import AnyReply, Frame, Refused, TableFrame, Welcome
from serai.wire.messages import Act, Return

HTTP_SECONDS = 15.0
RETRY_SECONDS = 1.0
RETRIES = 30
"""How often to try again when the server is gone, before giving up."""

_replies: msgspec.json.Decoder[AnyReply] = msgspec.json.Decoder(AnyReply)


class Unreachable(Exception):
    """The server cannot be reached or refuses; the message says why."""


class _NotSaved(Exception):
    """The server could not save an action; it can be tried again."""


_OVERTAKEN = {
    "table.stale", "table.not_your_turn", "table.paused", "table.stood_in", "table.not_stood_in", "table.time",
    "table.phase",
}  # fmt: skip
"""Refusals that only mean that the game has moved on meanwhile."""


class Guest:
    """A visitor that plays one seat of one table."""

    def __init__(self, url: str, token: str | None = None) -> None:
        """``url`` is the invitation link: ``http://HOST/t/TABLE``."""
        parts = urlsplit(url)
        place, slash, self.table = parts.path.rpartition("/t/")
        if parts.scheme not in ("http", "https") or not parts.netloc or not slash or not self.table:
            raise Unreachable(f"{url!r} is no invitation to a table; it looks like http://127.0.0.1:8321/t/5a3c9be1")
        self._base = f"{parts.scheme}://{parts.netloc}{place}"
        self._token = token or secrets.token_urlsafe(24)
        self._headers = {"Authorization": f"Bearer {self._token}"}
        self._sent = 0

    def see(self) -> Seen:
        return msgspec.json.decode(self._call("GET", ""), type=Seen)

    def join(self, name: str, seat: int | None = None) -> int:
        """Take a seat; its number."""
        wanted = Join(id=self._new_id(), name=name, value=secrets.token_hex(32))
        if seat is not None:
            wanted = msgspec.structs.replace(wanted, seat=seat)
        return msgspec.json.decode(self._call("POST", "/seats", msgspec.json.encode(wanted)), type=Joined).seat

    async def play(
        self, seat: int, decide: Callable[[Any], Any], watch: Callable[[Any], None] | None = None
    ) -> tuple[int, ...]:
        """Play the seat until the game has ended, coming back whenever the connection breaks; the final scores."""
        table = _Game(seat, decide, watch)
        failures = 0
        while True:
            url = f"{self._base.replace('http', 'ws', 1)}/api/tables/{self.table}/socket?seat={seat}"
            if table.n is not None:
                url += f"&seen={table.n}"
            try:
                async with connect(url, additional_headers=self._headers, max_queue=None) as socket:
                    failures = 0
                    table.answered = table.asked_back = (
                        None  # what was sent over the old connection may never have arrived
                    )
                    async for text in socket:
                        answer = await asyncio.to_thread(table.take, _replies.decode(text))
                        if answer is not None:
                            act = Act(self._new_id(), table.on, msgspec.Raw(msgspec.json.encode(answer)))
                            await socket.send(msgspec.json.encode(act), text=True)
                        if table.ask_back():
                            await socket.send(msgspec.json.encode(Return(self._new_id(), seat)), text=True)
                        if table.over:
                            return table.scores
            except (OSError, WebSocketException, _NotSaved) as error:
                failures += 1
                if failures > RETRIES:
                    raise Unreachable(f"lost the connection to {self._base}: {error}") from None
            await asyncio.sleep(RETRY_SECONDS if failures else 0)

    def _new_id(self) -> str:
        self._sent += 1
        return f"{self._token[:4]}{self._sent}"

    def _call(self, method: str, path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked to be http or https
            f"{self._base}/api/tables/{self.table}{path}",
            data=body,
            method=method,
            headers={**self._headers, "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=HTTP_SECONDS) as answer:  # noqa: S310
                content: bytes = answer.read()
                return content
        except urllib.error.HTTPError as error:
            raise Unreachable(_reason(error.read()) or f"the server answers {error.code}") from None
        except (OSError, ValueError) as error:
            raise Unreachable(f"cannot reach {self._base}: {getattr(error, 'reason', error)}") from None


class _Game:
    """What the guest knows of the game: its view, patched frame by frame."""

    def __init__(self, seat: int, decide: Callable[[Any], Any], watch: Callable[[Any], None] | None) -> None:
        self.seat = seat
        self.n: int | None = None
        self.on = 0
        self.answered: int | None = None
        """The position for which an action was sent over the present connection."""
        self.asked_back: int | None = None
        """The position at which the seat was asked back from its stand-in, over the present connection."""
        self.over = False
        self.scores: tuple[int, ...] = ()
        self._decide = decide
        self._watch = watch
        self._stood_in = False
        self._game: Game | None = None
        self._view: dict[str, Any] = {}
        self._offered: tuple[Any, ...] = ()

    def take(self, reply: AnyReply) -> Any:
        """Take in a message of the server; the action to play, if one is due."""
        match reply:
            case Welcome():
                self.n, self.on, self._view, self._offered = reply.n, reply.on, reply.view or {}, reply.actions
                self._game = find_game(reply.table.game)
                self._note(reply.table)
            case Frame():
                self.n, self.on, self._offered = reply.n, reply.on, reply.actions
                self._view |= reply.patch
                if reply.table is not msgspec.UNSET:
                    self._note(reply.table)
                self._show(reply.events)
            case TableFrame():
                self.n = reply.n
                self._note(reply.table)
                if reply.actions is not msgspec.UNSET:
                    self._offered = reply.actions
            case Refused() if reply.key == "server.store":
                raise _NotSaved(reply.text)
            case Refused() if reply.key not in _OVERTAKEN:
                raise Unreachable(f"the server refuses what the bot played: {reply.text}")
        if not self._offered or self.over or self.answered == self.on:
            return None
        self.answered = self.on
        return self._answer()

    def ask_back(self) -> bool:
        """Whether to take the seat back from a stand-in: at once, and again with every action until it is given."""
        if not self._stood_in or self.over or self.asked_back == self.on:
            return False
        self.asked_back = self.on
        return True

    def _answer(self) -> Any:
        assert self._game is not None
        view = self._game.state_decoder.decode(json.dumps(self._view))
        return self._decide(view)

    def _show(self, events: tuple[Event, ...]) -> None:
        if self._watch is not None and self._game is not None:
            for event in events:
                self._watch(self._game.event_decoder.decode(json.dumps(event)))

    def _note(self, table: Any) -> None:
        self.over = table.phase in ("over", "closed")
        self._stood_in = table.phase == "playing" and bool(table.seats[self.seat].bot)
        self.scores = table.scores


def _reason(body: bytes) -> str:
    try:
        return msgspec.json.decode(body, type=Problem).text
    except msgspec.DecodeError:
        return ""
