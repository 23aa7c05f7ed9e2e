"""Pyramids for tests: positions in their notation, actions in theirs, and short questions about what followed."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

import serai
from serai.errors import IllegalAction
from serai.pharaoh import PharaohState
from serai.pharaoh.rules.pieces import CELL_NAMES, FALLEN
from serai.pharaoh.text.position import parse_position

GAME: Any = serai.game("pharaoh")
E = TypeVar("E")
CORRIDOR = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
"""
"""Straight north from the start tile on c1 to c4."""


def at(text: str, **options: Any) -> PharaohState:
    """The position written in ``text``."""
    return parse_position(text, GAME.new, **options)


def do(state: PharaohState, *actions: str) -> PharaohState:
    """Apply actions written in notation."""
    for action in actions:
        state = state.apply(GAME.parse(action))
    return state


def happen(state: PharaohState, *actions: str) -> list[Any]:
    """The events of the last of these actions."""
    *before, last = actions
    return list(do(state, *before).step(GAME.parse(last))[1])


def of_kind(events: list[Any], kind: type[E]) -> list[E]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def texts(state: PharaohState, kind: str = "") -> list[str]:
    """The legal actions in notation; with ``kind`` only what stands behind that word."""
    actions = [str(action) for action in state.actions()]
    return [text.removeprefix(f"{kind} ") for text in actions if text.split()[0] == kind] if kind else actions


def refused(state: PharaohState, action: str, key: str) -> IllegalAction:
    """The action is not among the legal ones and is refused for this reason."""
    with pytest.raises(IllegalAction) as caught:
        do(state, action)
    assert caught.value.key == key
    assert action not in texts(state)
    return caught.value


def cell(name: str) -> int:
    return CELL_NAMES.index(name)


def cells(*names: str) -> tuple[int, ...]:
    return tuple(sorted(map(cell, names)))


def cells_left(state: PharaohState) -> int:
    return sum(code != FALLEN for code in state.tiles)


def rounds(state: PharaohState, seat: int) -> PharaohState:
    """Everybody ends their turn until the end of this seat's turn."""
    while state.turn != seat:
        state = do(state, "end")
    return do(state, "end")
