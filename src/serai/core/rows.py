"""One line per game: what is kept of each of many games, as a NumPy table with named columns.

A game adds its own columns to those that all games have: the bots by seat, scores, shares of victory, how long it was,
and how often each seat did an action of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from serai.core.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np

    from serai.core.game import Game

Rows = "npt.NDArray[np.void]"

GAME, BOTS, SHARE, PLIES, DECISIONS, ACTIONS = "game", "bots", "share", "plies", "decisions", "actions"


class Column(msgspec.Struct, frozen=True):
    """A number that is kept of every game, or of every seat in it."""

    name: str
    tells: str
    """What it says, as an English phrase."""
    by_seat: bool = False
    labels: tuple[str, ...] = ()
    """What its values 0, 1, … stand for, where they are no numbers."""
    type: str = "i2"
    """As NumPy writes it."""


def columns(game: Game) -> tuple[Column, ...]:
    """All columns of a game's rows, in order, but the last one: the actions by seat and kind."""
    return (
        Column(GAME, "the number of the game in its series", type="i8"),
        Column(BOTS, "which of the bots sat there, by its place in the list", by_seat=True, type="u1"),
        Column(game.score_name, "the final score", by_seat=True, type="i4"),
        Column(SHARE, "the share of the victory", by_seat=True, type="f4"),
        Column(PLIES, "all actions, those of chance included", type="i4"),
        Column(DECISIONS, "the actions of players", type="i4"),
        *game.columns,
    )


def row_type(game: Game, players: int) -> np.dtype[np.void]:
    """How a line of the table lies in memory: columns by seat are arrays."""
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise MissingExtra("rows of games", "NumPy", "fast") from None
    fields: list[Any] = [
        (column.name, column.type, (players,)) if column.by_seat else (column.name, column.type)
        for column in columns(game)
    ]
    return np.dtype([*fields, (ACTIONS, "u2", (players, len(game.action_kinds)))])


def row_of(
    game: Game, number: int, seating: Sequence[int], start: Any, end: Any, acted: Sequence[tuple[int, str]]
) -> Mapping[str, Any]:
    """The line of one game, by column; ``acted`` tells for each decision the seat and the kind of action."""
    winners = end.winners()
    kinds = {kind: place for place, kind in enumerate(game.action_kinds)}
    counts = [[0] * len(kinds) for _ in seating]
    for seat, kind in acted:
        counts[seat][kinds[kind]] += 1
    return {
        GAME: number,
        BOTS: tuple(seating),
        game.score_name: end.scores(),
        SHARE: tuple((seat in winners) / len(winners) for seat in range(len(seating))),
        DECISIONS: len(acted),
        ACTIONS: counts,
        **game.row(start, end),
    }
