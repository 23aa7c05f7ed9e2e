"""A table whose draws are written down beforehand: what is hard to draw, shown to the page by the real rules."""

from __future__ import annotations

from typing import Any

import msgspec
from playwright.sync_api import Page, Route, WebSocketRoute

import serai
from tests.browser.hard_cases import LONG_NAMES, RULES, answer_ping

FIRST = 0
"""The seat that the page looks through."""


class ScriptedTable:
    """Speaks to the page as a server would."""

    def __init__(self, state: Any, draws: tuple[str, ...] = (), names: tuple[str, ...] = LONG_NAMES) -> None:
        self.game = next(game for game in map(serai.game, serai.games()) if isinstance(state, game.state_type))
        self._states = [state]
        self._draws = list(draws)
        self._names = names
        self._n = 1
        self.frames: list[dict[str, Any]] = []
        """What is told of the game before."""

    @property
    def state(self) -> Any:
        return self._states[-1]

    def open(self, page: Page, url: str) -> None:
        """Show the position to the page."""
        page.route("**/tables/case/frames**", lambda route: route.fulfill(json={"frames": self.frames}))
        page.route("**/tables/case/advice**", self._advise)
        page.route_web_socket("**/tables/case/socket**", self.welcome)
        page.goto(f"{url}/t/case")
        page.wait_for_selector(".board")

    def _advise(self, route: Route) -> None:
        route.fulfill(body=msgspec.json.encode(self.advice()), content_type="application/json")

    def advice(self) -> dict[str, Any]:
        """What the game tells of the position."""
        assert self.game.advice is not None
        return {"game": self.game.name, "advice": self.game.advice(self.state.seen_by(FIRST)), "on": self._n}

    def _table(self) -> dict[str, Any]:
        seats = [{"kind": "person", "name": name} for name in self._names[: self.state.players]]
        return {
            "id": "case", "game": self.game.name, "rules": "1", "phase": "playing", "table_rules": RULES,
            "options": {}, "seats": seats, "host": FIRST, "commit": "", **self._result(),
        }  # fmt: skip

    def _result(self) -> dict[str, Any]:
        if not self.state.over:
            return {}
        return {"phase": "over", "scores": self.state.scores(), "winners": self.state.winners()}

    def welcome(self, socket: WebSocketRoute) -> None:
        """Greet a page that has come, and hear what it says."""
        welcome = {"type": "welcome", "n": self._n, "seat": FIRST, "yours": [FIRST], "table": self._table()}
        socket.on_message(lambda message: self._take(socket, msgspec.json.decode(message)))
        self._send(socket, {**welcome, "view": self.state.seen_by(FIRST)})

    def _take(self, socket: WebSocketRoute, message: dict[str, Any]) -> None:
        if message["type"] == "ping":
            answer_ping(socket, message)
        else:
            self.hear(socket, message)

    def hear(self, socket: WebSocketRoute, message: dict[str, Any]) -> None:
        """Do what a page says, and tell it what became of that."""
        if message["type"] == "undo":
            self._states.pop()
            self._reply(socket, message, [], back=True)
        elif message["type"] == "act":
            action = msgspec.json.encode(message["action"])
            by = self.state.actor
            state, events = self.state.step(self.game.action_decoder.decode(action))
            told = list(events)
            while state.actor is serai.CHANCE:
                state, events = state.step(self.game.parse(self._draws.pop(0)))
                told += events
            self._states.append(state)
            self._reply(socket, message, [event.seen_by(FIRST) for event in told], by=by)

    def _reply(
        self, socket: WebSocketRoute, message: dict[str, Any], events: list[Any], back: bool = False, by: int = FIRST
    ) -> None:
        self._n += 1
        frame = {"type": "frame", "n": self._n, "by": by, "events": events, "back": back}
        ended = {"table": self._table()} if self.state.over else {}
        self._send(socket, {**frame, **ended, "patch": self.state.seen_by(FIRST)})
        socket.send(msgspec.json.encode({"type": "done", "id": message["id"], "n": self._n}).decode())

    def _send(self, socket: Any, reply: dict[str, Any]) -> None:
        mine = self.state.actor == FIRST
        offered = {
            "on": self._n, "actions": self.state.actions() if mine else (), "undo": len(self._states) > 1,
            "scores": self.state.scores(),
        }  # fmt: skip
        socket.send(msgspec.json.encode({**reply, **offered}).decode())
