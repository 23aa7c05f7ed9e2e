"""One line per simulated game: its columns, as a NumPy structured array.

A game adds its own columns to those that all games have: the bots by seat, scores, shares of victory, how long it was,
and how often each seat did an action of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from serai.core.game import Column
from serai.errors import need

if TYPE_CHECKING:
    import numpy as np

    from serai.core.game import Game

GAME, BOTS, SHARE, PLIES, DECISIONS, ACTIONS = "game", "bots", "share", "plies", "decisions", "actions"
TRUNCATED = "truncated"


def kinds(game: Game) -> tuple[str, ...]:
    """The kinds of actions that the last column counts: those the game names, otherwise all."""
    known = get_args(game.action_type) or (game.action_type,)
    return game.action_kinds or tuple(kind.__struct_config__.tag for kind in known)


def measures(game: Game, row: Mapping[str, Any]) -> dict[str, int]:
    """What is counted of a game over many games (``Game.measures``), given its line."""

    def total(column: str) -> int:
        value = row[column]
        return sum(value) if isinstance(value, tuple) else value

    return {name: sum(map(total, summed)) for name, summed in game.measures.items()}


def columns(game: Game) -> tuple[Column, ...]:
    """All columns of a game's rows, in order, but the last one: the actions by seat and kind."""
    return (
        Column(GAME, "the number of the game in its series", type="i8"),
        Column(BOTS, "which of the bots sat there, by its place in the list", by_seat=True, type="u1"),
        Column(game.score_name, "the final score", by_seat=True, type="i4"),
        Column(SHARE, "the share of the victory", by_seat=True, type="f4"),
        Column(PLIES, "all actions, those of chance included", type="i4"),
        Column(DECISIONS, "the actions of players", type="i4"),
        Column(TRUNCATED, "1 if the game was cut short as too long; scores and shares are as it stood", type="u1"),
        *game.columns,
    )


def row_type(game: Game, players: int) -> np.dtype[np.void]:
    """The data type of a line: columns by seat are arrays."""
    need("fast", "rows of games", "numpy")
    import numpy as np

    fields: list[Any] = [
        (column.name, column.type, (players,)) if column.by_seat else (column.name, column.type)
        for column in columns(game)
    ]
    return np.dtype([*fields, (ACTIONS, "u2", (players, len(kinds(game))))])


def row_of(
    game: Game, number: int, seating: Sequence[int], start: Any, end: Any, acted: Sequence[tuple[int, str]]
) -> Mapping[str, Any]:
    """The line of one game by column; ``acted`` has the seat and the kind of action of each decision."""
    winners = end.leaders()
    places = {kind: place for place, kind in enumerate(kinds(game))}
    counts = [[0] * len(places) for _ in seating]
    for seat, kind in acted:
        counts[seat][places[kind]] += 1
    return {
        GAME: number,
        BOTS: tuple(seating),
        game.score_name: end.scores(),
        SHARE: tuple((seat in winners) / len(winners) for seat in range(len(seating))),
        DECISIONS: len(acted),
        TRUNCATED: not end.over,
        ACTIONS: counts,
        **game.row(start, end),
    }
