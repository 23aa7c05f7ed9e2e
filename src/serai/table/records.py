"""The game of a table in writing, and its draws for everybody to check."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from serai.core.game import Game
from serai.core.option import FIRST
from serai.core.play import Play
from serai.core.record import AGREED, Record, Seat
from serai.table.messages import Phase
from serai.table.names import clean_name
from serai.table.table import Table

Written = tuple[int | None, tuple[str, ...]]
"""Who acted, and the actions."""


def record(table: Table) -> Record:
    """The record so far: as an onlooker may see it while the game runs, with secret and chain once it has ended."""
    return structs.replace(head(table), actions=actions(table.game, table.written, table.phase))


def head(table: Table) -> Record:
    """The same without its actions."""
    return Record(
        game=table.game.name,
        rules=table.rules,
        seats=tuple(Seat(clean_name(sitting.name) or "-", sitting.bot or None) for sitting in table.seats),
        options=table.options,
        date=table.date,
        commit=table.commit,
        mix=table.mix,
        secret=table.secret(),
        chain=table.head.hex(),
        drawn=FIRST if table.table_rules.draw_first and table.mix else "",
        origin=table.inherited.origin if table.inherited is not None else None,
        hints=_hints(table),
        end=AGREED if table.ended_by_agreement else "",
        result=table.result.scores if table.result is not None else None,
    )


def _hints(table: Table) -> tuple[int, ...]:
    """By seat, or nothing where nobody asked."""
    told = tuple(len(table.hints_of(seat)) for seat in range(len(table.seats)))
    return told if any(told) else ()


def actions(game: Game, written: Iterable[Written], phase: Phase) -> tuple[str, ...]:
    """The actions of a record, of what a table in that phase has written."""
    shown = phase in ("over", "closed")
    return tuple(
        text if shown else str(game.parse(text).seen_by(None, actor)) for actor, texts in written for text in texts
    )


def draws(plays: Iterable[Play]) -> list[tuple[tuple[str, ...], tuple[int, ...], str]]:
    """Of every draw of a game, in order: the possible outcomes, their weights, and what was drawn."""
    return [
        (tuple(map(str, ply.before.actions())), ply.before.weights(), str(ply.action))
        for play in plays
        for ply in play.draws
    ]
