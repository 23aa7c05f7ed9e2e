"""Camel Up positions for tests, written short: ``at("1gyo 3bw", seat 0's oasis on 5, …)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

import serai
from serai.camelup import CAMEL_NAMES, CamelUpState
from serai.camelup.rules.pieces import CAMEL_LETTERS

GAME: Any = serai.game("camelup")


def at(
    stacks: str,
    *,
    players: int = 2,
    turn: int = 0,
    deserts: Sequence[int] | None = None,
    out: str = "",
    **fields: Any,
) -> CamelUpState:
    """Seat ``turn`` is to act in leg 1; ``stacks`` as in ``1gyo 3bw``; ``deserts`` by seat (+5 oasis, -5 mirage);
    ``out`` the dice already out, by letter; ``fields`` any other field of the state."""
    track: list[tuple[int, ...]] = [()] * 20
    for space, camels in re.findall(r"(\d+)([bgoyw]+)", stacks):
        track[int(space)] = tuple(map(CAMEL_LETTERS.index, camels))
    tents = tuple(1 if letter in out else 0 for letter in CAMEL_LETTERS)
    state: CamelUpState = GAME.new(players=players)
    return msgspec.structs.replace(
        state,
        actor=turn,
        turn=turn,
        leg=1,
        track=tuple(track),
        tents=tents,
        deserts=tuple(deserts or (0,) * players),
        **fields,
    )


def do(state: CamelUpState, *actions: str) -> CamelUpState:
    """Apply actions written in notation."""
    for action in actions:
        state = state.apply(GAME.parse(action))
    return state


def happen(state: CamelUpState, *actions: str) -> list[Any]:
    """The events of the last of these actions."""
    *before, last = actions
    return list(do(state, *before).step(GAME.parse(last))[1])


def stacks(state: CamelUpState) -> str:
    """The track as ``1gyo 3bw``."""
    return " ".join(
        f"{space}{''.join(CAMEL_LETTERS[camel] for camel in stack)}" for space, stack in enumerate(state.track) if stack
    )


def bets(**takers: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Leg bets by colour: ``bets(green=[0, 1])`` gives seat 0 the green 5 and seat 1 the green 3."""
    return tuple(tuple(takers.get(name, ())) for name in CAMEL_NAMES)


def deck(*cards: str) -> tuple[tuple[int, int], ...]:
    """A race deck as ``deck("0 green", "1 white")``."""
    return tuple((int(card.split()[0]), CAMEL_NAMES.index(card.split()[1])) for card in cards)


def texts(state: CamelUpState) -> list[str]:
    """The legal actions in notation."""
    return [str(action) for action in state.actions()]
