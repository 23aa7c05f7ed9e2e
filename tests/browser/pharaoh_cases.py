"""Pyramids that are hard to draw, shown to the page as if a server had sent them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast

import msgspec
from playwright.sync_api import Page, WebSocketRoute

import serai
from serai.bots import find_bot
from serai.pharaoh.position import parse_position
from serai.pharaoh.rules import Options, PharaohState, new_state
from tests.browser.hard_cases import LONG_NAMES


def half_fallen() -> PharaohState:
    """Two rings are down, the mask is being carried, figures of four players run for the exit."""
    return parse_position("""
        ┌ ┬ x x x x
        │ ├ x x x x
        E ┘ x x x x
        │ ? x x x x
        ├ ┬ ┐ F ┐ ?
        └ ┴ S ┴ ┘ ?
        0 A=c2+mask H=b2 lamps=c2,a5 photos=1,4 museum=3 changed=90
        1 A=d2+3 H=lost lamps=b2,d1 photos=2 changed=120
        2 A=c2 H=c2 lamps=c2 photos=3 museum=2,2 changed=80
        3 A=lost H=a3 lamps=c2 photos=5 changed=120
        lying b6=3 d2=2 a4=3
        lost 2
        unseen tee=4 corner=2
        mask e5 finder=1 clock=0 ring=2
        turn 0 moves=2 acts=11 round=24 ply=130
    """)


def last_ring() -> PharaohState:
    """Only the last ring stands; the turn of seat 0 brings it down and ends the game."""
    return parse_position("""
        ┌ x x x x x
        │ x x x x x
        E x x x x x
        │ x x x x x
        ├ x x x x x
        └ ┴ S ┴ ┘ ?
        0 A=c1 H=b1 photos=1,4 museum=3,mask changed=90
        1 A=c1 H=lost photos=2 museum=3 changed=120
        2 A=c1 H=c1 photos=3 museum=2,2 changed=80
        3 A=lost H=a3 photos=5 changed=120
        lying a4=3
        lost 2,3
        unseen tee=4 corner=2
        mask e5 finder=1 clock=0 ring=3
        turn 0 moves=2 acts=11 round=24 ply=130
    """)


def crowded_start() -> PharaohState:
    """All eight figures on the start tile, nothing revealed."""
    return new_state(4, Options())


def played(wanted: Callable[[PharaohState], bool], players: int = 4, seed: int = 1) -> PharaohState:
    """A game of explorers up to the first position that is wanted and in which seat 0 is to act."""
    game = serai.game("pharaoh")
    for attempt in range(200):
        rng = random.Random(seed * 1000 + attempt)
        state: Any = game.new(players=players)
        bots = [find_bot(game, "explorer")() for _ in range(players)]
        while not state.over:
            if state.actor == 0 and wanted(state):
                return cast(PharaohState, state)
            if isinstance(state.actor, int):
                state = state.apply(bots[state.actor].decide(state.seen_by(state.actor), rng))
            else:
                state = state.apply(state.sample(rng))
    raise AssertionError("no such position was met")


class ScriptedTable:
    """A table whose draws are written down beforehand: speaks to the page as a server would, by the real rules."""

    def __init__(self, state: PharaohState, draws: tuple[str, ...] = (), names: tuple[str, ...] = LONG_NAMES) -> None:
        self._game = serai.game("pharaoh")
        self._states = [state]
        self._draws = list(draws)
        self._names = names
        self._n = 1

    @property
    def state(self) -> PharaohState:
        return self._states[-1]

    def open(self, page: Page, url: str) -> None:
        """Show the position to the page, through the first seat."""
        page.route("**/frames**", lambda route: route.fulfill(json=[]))
        page.route_web_socket("**/socket**", self._welcome)
        page.goto(f"{url}/t/case")
        page.wait_for_selector("[data-cell]")

    def _welcome(self, socket: WebSocketRoute) -> None:
        seats = [{"kind": "person", "name": name} for name in self._names[: self.state.players]]
        table = {
            "id": "case", "game": "pharaoh", "rules": "1", "phase": "playing", "public": False, "options": {},
            "seats": seats, "host": 0, "commit": "",
        }  # fmt: skip
        welcome = {"type": "welcome", "n": self._n, "seat": 0, "yours": [0], "table": table, "view": self.state}
        socket.on_message(lambda message: self._hear(socket, msgspec.json.decode(message)))
        self._send(socket, welcome)

    def _hear(self, socket: WebSocketRoute, message: dict[str, Any]) -> None:
        if message["type"] == "undo":
            self._states.pop()
            self._reply(socket, message, [], back=True)
        elif message["type"] == "act":
            action = msgspec.json.encode(message["action"])
            state, events = self.state.step(self._game.action_decoder.decode(action))
            told = list(events)
            while state.actor is serai.CHANCE:
                state, events = state.step(self._game.parse(self._draws.pop(0)))
                told += events
            self._states.append(state)
            self._reply(socket, message, told)

    def _reply(self, socket: WebSocketRoute, message: dict[str, Any], events: list[Any], back: bool = False) -> None:
        self._n += 1
        frame = {"type": "frame", "n": self._n, "by": 0, "events": events, "patch": self.state, "back": back}
        self._send(socket, frame)
        socket.send(msgspec.json.encode({"type": "done", "id": message["id"], "n": self._n}).decode())

    def _send(self, socket: WebSocketRoute, reply: dict[str, Any]) -> None:
        mine = self.state.actor == 0
        offered = {"on": self._n, "actions": self.state.actions() if mine else (), "undo": len(self._states) > 1}
        socket.send(msgspec.json.encode({**reply, **offered}).decode())
