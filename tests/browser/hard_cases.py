"""Positions that are hard to draw, shown to the page as if a server had sent them."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from playwright.sync_api import Page, WebSocketRoute

import serai
from serai.camelup.rules.pieces import TRACK_SIZE
from serai.camelup.rules.rules import CamelUpState, new_state
from serai.camelup.rules.rules import Options as CamelUpOptions
from serai.wire.frames import TableRules
from tests.support import random_play

RULES = msgspec.to_builtins(TableRules(odds=False, clock=0))
LONG_NAMES = (
    "Maximiliane von Hohenfels-Donnersberg", "Bartholomäus Oberndörfer", "Großmutter Wilhelmine", "Jürgen",
    "Anne-Sophie Lautenschläger", "Öztürk", "Der Kamelflüsterer", "Ü",
)  # fmt: skip


def crowded() -> CamelUpState:
    """Eight players, five camels on one space of the upper edge, many bets, tiles and cards."""
    state = new_state(8, CamelUpOptions())
    cards = [(seat, camel) for camel in range(3) for seat in range(8)]
    return msgspec.structs.replace(
        state,
        actor=0,
        leg=5,
        track=_track({11: (3, 4, 0, 2, 1)}),
        tents=(2, 0, 3, 1, 0),
        pyramid_tiles=(1, 0, 1, 0, 0, 1, 0, 0),
        leg_bets=((0, 0, 0), (0, 3), (4, 5, 6), (), (0,)),
        deserts=(0, 2, -4, 6, -8, 14, -16, 0),
        money=(41, 3, 0, 17, 28, 9, 112, 5),
        hands=tuple((3, 4) for _ in range(8)),
        winner_deck=tuple(cards[:13]),
        loser_deck=tuple(cards[13:]),
    )


def stacks() -> CamelUpState:
    """Stacks on every side of the board."""
    state = new_state(4, CamelUpOptions())
    return msgspec.structs.replace(
        state, actor=0, leg=2, track=_track({16: (0, 1, 2), 5: (3, 4)}), deserts=(3, 0, -9, 12)
    )


def for_the_readme() -> CamelUpState:
    """A lively position in the middle of a race."""
    state = new_state(4, CamelUpOptions())
    return msgspec.structs.replace(
        state,
        actor=0,
        leg=3,
        marker=2,
        track=_track({6: (3, 0), 8: (4,), 10: (2, 1)}),
        tents=(2, 0, 0, 3, 0),
        pyramid_tiles=(0, 1, 0, 1),
        leg_bets=((1,), (0, 3), (2,), (), ()),
        deserts=(0, 0, 12, -4),
        money=(11, 7, 14, 9),
        hands=((0, 2, 3, 4), (0, 1, 2, 3), (0, 1, 2), (0, 1, 2, 3)),
        winner_deck=((0, 1), (2, 4)),
        loser_deck=((1, 4), (2, 3), (3, 4)),
    )


def before_the_last_die() -> CamelUpState:
    """One die is left in the pyramid, and its camel stands before the finish; bets and cards of everybody wait."""
    return msgspec.structs.replace(
        for_the_readme(),
        track=_track({13: (3, 0), 14: (4,), 16: (2, 1)}),
        tents=(2, 0, 1, 3, 1),
    )


def eight_before_the_finish() -> CamelUpState:
    """The same with eight players and two dozen race cards."""
    return msgspec.structs.replace(
        crowded(),
        track=before_the_last_die().track,
        tents=before_the_last_die().tents,
        pyramid_tiles=(1, 0, 1, 0, 0, 2, 0, 0),
        deserts=(0,) * 8,
    )


def eight_before_the_end_of_a_leg() -> CamelUpState:
    """The same, far from the finish."""
    return msgspec.structs.replace(eight_before_the_finish(), track=_track({3: (3, 0), 4: (4,), 6: (2, 1)}))


def _track(stacks: dict[int, tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """The stack on every space, by its number."""
    return tuple(stacks.get(space, ()) for space in range(TRACK_SIZE))


def full_log(seed: int = 1) -> tuple[list[dict[str, Any]], Any]:
    """The frames of a long game of four, almost to its end, and its state."""
    rng = random.Random(seed)
    frames: list[dict[str, Any]] = []
    after: Any = None
    for number, (before, _action, after, events) in enumerate(random_play(serai.game("camelup"), 4, rng)):
        if after.over:
            after = before
            break
        patch = msgspec.to_builtins(after.seen_by(0))
        told = msgspec.to_builtins([event.seen_by(0) for event in events])
        frames.append(
            {"type": "frame", "n": number + 1, "on": number + 1, "by": before.turn, "events": told, "patch": patch}
        )
    return frames, after


def answer_ping(socket: WebSocketRoute, message: dict[str, Any]) -> None:
    """Tell a page that asks for it that the line is alive."""
    if message["type"] == "ping":
        socket.send(msgspec.json.encode({"type": "done", "id": message["id"], "n": 0}).decode())


def show(
    page: Page, url: str, state: CamelUpState, names: tuple[str, ...] = LONG_NAMES, frames: list[Any] | None = None
) -> None:
    """Open a table at which this is the position, seen from the first seat."""
    seats = [{"kind": "person", "name": name} for name in names[: state.players]]
    table = {
        "id": "case", "game": "camelup", "rules": "1", "phase": "playing", "table_rules": RULES, "options": {},
        "seats": seats, "host": 0, "commit": "",
    }  # fmt: skip
    welcome = {
        "type": "welcome", "n": 999, "on": 99, "seat": 0, "yours": [0], "table": table,
        "view": msgspec.to_builtins(state.seen_by(0)),
        "actions": msgspec.to_builtins(state.actions()) if state.actor == 0 else [],
        "undo": True,
    }  # fmt: skip
    page.route("**/frames**", lambda route: route.fulfill(json={"frames": frames or []}))

    def greet(socket: WebSocketRoute) -> None:
        socket.on_message(lambda message: answer_ping(socket, msgspec.json.decode(message)))
        socket.send(msgspec.json.encode(welcome).decode())

    page.route_web_socket("**/socket**", greet)
    page.goto(f"{url}/t/case")
    page.wait_for_selector(".board")
    page.wait_for_timeout(300)
