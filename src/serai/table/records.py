"""From a live table to its record, and from a record to frames (replay)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import UNSET
from msgspec.structs import replace

from serai.core.game import Game
from serai.core.option import FIRST
from serai.core.play import Play
from serai.core.record import AGREED, Record, Seat, check_result
from serai.table import frames
from serai.table.entries import Acted, Created, Ended, Result, Sitting, Started
from serai.table.names import clean_name
from serai.table.table import Effect, Table
from serai.wire.frames import AnyFrame, Frame, Phase, TableFrame, TableInfo, TableRules

Written = tuple[int | None, tuple[str, ...]]
"""The seat that acted, and the actions."""
NOBODY = "-"
"""The name of a seat whose person has none, or was forgotten."""
_NO_SECRET = "00" * 32
"""For the table of a record without a secret; viewers get the secret that the record names, not this one."""


def record(table: Table) -> Record:
    """The record so far: as an onlooker may see it while the game runs, with secret and chain once it has ended."""
    return replace(head(table), actions=actions(table.game, table.written, table.phase))


def head(table: Table) -> Record:
    """The same without its actions."""
    hints = tuple(len(table.hints_of(seat)) for seat in range(len(table.seats)))
    return Record(
        game=table.game.name,
        rules=table.rules,
        seats=tuple(Seat(clean_name(sitting.name) or NOBODY, sitting.bot or None) for sitting in table.seats),
        options=table.options,
        date=table.date,
        commit=table.commit,
        mix=table.mix,
        secret=table.secret(),
        chain=table.head.hex(),
        drawn=FIRST if table.table_rules.draw_first and table.mix else "",
        origin=table.inherited.origin if table.inherited is not None else None,
        hints=hints if any(hints) else (),
        end=AGREED if table.ended_by_agreement else "",
        result=table.result.scores if table.result is not None else None,
    )


def actions(game: Game, written: Iterable[Written], phase: Phase) -> tuple[str, ...]:
    """The actions of a record, from what a table in that phase has written."""
    shown = phase in ("over", "closed")
    return tuple(
        text if shown else str(game.parse(text).seen_by(None, actor)) for actor, texts in written for text in texts
    )


def draws(plays: Iterable[Play]) -> list[tuple[tuple[str, ...], tuple[int, ...], str]]:
    """Every draw of a game, in order: the possible outcomes, their weights, and what was drawn."""
    return [
        (tuple(map(str, ply.before.actions())), ply.before.weights(), str(ply.action))
        for play in plays
        for ply in play.draws
    ]


# -- a record as frames ------------------------------------------------------------------------------------------------


def replay_frames(
    record: Record,
    plays: Iterable[Play],
    seat: int | None,
    paced: Callable[[Iterable[Effect]], Iterable[Effect]] = iter,
) -> list[AnyFrame]:
    """Every frame that its table would have sent to ``seat`` (``None``: an onlooker); ``BadRecord`` if the result is
    wrong. ``paced`` wraps the loop over the effects, to pause between them.

    The draws are not checked here: the viewer can do that.
    """
    table = _replayed(record, plays)
    made = [frames.frame(table.effects, effect, "", seat) for effect in paced(table.effects)]
    return [_as_recorded(frame, record) for frame in made if frame is not None]


def _replayed(record: Record, plays: Iterable[Play]) -> Table:
    """The table at which the game would have been played."""
    opening, *turns = plays
    last = turns[-1].after if turns else opening.after
    check_result(record, last)
    table = Table(
        "",
        Created(
            game=record.game,
            rules=record.rules,
            options=dict(record.options),
            table_rules=TableRules(),
            seats=tuple(
                Sitting(kind="bot" if seat.bot else "person", name=seat.name, bot=seat.bot or "")
                for seat in record.seats
            ),
            secret=record.secret or _NO_SECRET,
            at=record.date,
        ),
        now=0.0,
    )
    table.absorb(Started(mix=record.mix, actions=opening.notation, at=record.date), opening)
    for play in turns:
        assert play.actor is not None
        result = Result(play.after.scores(), play.after.winners()) if play.after.over else None
        table.absorb(Acted(seat=play.actor, actions=play.notation, result=result), play)
    if record.end:
        table.absorb(Ended(result=Result(last.scores(), last.leaders())))
    return table


def _as_recorded(frame: AnyFrame, record: Record) -> AnyFrame:
    """The frame with the commitment, secret and hints that the record names, true or not."""
    if isinstance(frame, Frame | TableFrame) and frame.table is not UNSET:
        return replace(frame, table=_info_as_recorded(frame.table, record))
    return frame


def _info_as_recorded(info: TableInfo, record: Record) -> TableInfo:
    seats = info.seats
    if record.hints:
        seats = tuple(replace(seat, hints=count) for seat, count in zip(seats, record.hints, strict=True))
    continued = record.origin is not None
    return replace(
        info, seats=seats, continued=continued, commit=record.commit, secret=record.secret if info.secret else ""
    )
