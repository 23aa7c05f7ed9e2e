"""The game of a table in writing, and its draws for everybody to check."""

from __future__ import annotations

from collections.abc import Iterable

from serai.core.play import Play
from serai.core.record import AGREED, Record, Seat
from serai.table.names import clean_name
from serai.table.table import Table


def record(table: Table) -> Record:
    """The record so far: as an onlooker may see it while the game runs, with the secret once it has ended."""
    shown = table.phase in ("over", "closed")
    return Record(
        game=table.game.name,
        rules=table.rules,
        seats=tuple(Seat(clean_name(sitting.name) or "-", sitting.bot or None) for sitting in table.seats),
        options=table.options,
        date=table.date,
        commit=table.commit,
        mix=table.mix,
        secret=table.secret(),
        end=AGREED if table.ended_by_agreement else "",
        actions=tuple(
            text if shown else str(table.game.parse(text).seen_by(None, actor))
            for actor, texts in table.written
            for text in texts
        ),
        result=table.result.scores if table.result is not None else None,
    )


def draws(plays: Iterable[Play]) -> list[tuple[tuple[str, ...], tuple[int, ...], str]]:
    """Of every draw of a game, in order: the possible outcomes, their weights, and what was drawn."""
    return [
        (tuple(map(str, ply.before.actions())), ply.before.weights(), str(ply.action))
        for play in plays
        for ply in play.draws
    ]
