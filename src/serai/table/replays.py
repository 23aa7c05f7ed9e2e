"""A recorded game as frames: the same that a table would have sent to a viewer while it was played."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import UNSET, structs

from serai.core.play import Play
from serai.core.record import AGREED, Record, check_result
from serai.table import frames
from serai.table.effects import Effect
from serai.table.entries import Acted, Created, Ended, Result, Sitting, Started
from serai.table.messages import AnyFrame, Frame, TableFrame, TableInfo
from serai.table.rules import TableRules
from serai.table.table import Table

_NO_SECRET = "00" * 32
"""A table cannot be without one; what a viewer gets is what the record tells."""


def replay_frames(
    record: Record,
    plays: Iterable[Play],
    seat: int | None,
    paced: Callable[[Iterable[Effect]], Iterable[Effect]] = iter,
) -> list[AnyFrame]:
    """Every frame of a recorded game as ``seat`` (``None``: an onlooker) saw it; ``BadRecord`` if its result is wrong.
    ``paced`` goes through the effects at a pace of its own.

    Whether the draws are the dealer's is not asked here: that is for the viewer to check.
    """
    table = _table(record, plays)
    made = [frames.frame(table.effects, effect, "", seat) for effect in paced(table.effects)]
    return [_as_recorded(frame, record) for frame in made if frame is not None]


def _table(record: Record, plays: Iterable[Play]) -> Table:
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
        ended = play.after.over
        table.absorb(
            Acted(
                seat=play.actor,
                actions=play.notation,
                result=Result(play.after.scores(), play.after.winners()) if ended else None,
            ),
            play,
        )
    if record.end == AGREED:
        table.absorb(Ended(result=Result(last.scores(), last.leaders())))
    return table


def _as_recorded(frame: AnyFrame, record: Record) -> AnyFrame:
    """With the commitment, the secret and the hints that the record tells, true or not."""
    if isinstance(frame, TableFrame):
        return structs.replace(frame, table=_info(frame.table, record))
    if isinstance(frame, Frame) and frame.table is not UNSET:
        return structs.replace(frame, table=_info(frame.table, record))
    return frame


def _info(info: TableInfo, record: Record) -> TableInfo:
    seats = info.seats
    if record.hints:
        seats = tuple(structs.replace(seat, hints=told) for seat, told in zip(seats, record.hints, strict=True))
    continued = record.origin is not None
    return structs.replace(
        info, seats=seats, continued=continued, commit=record.commit, secret=record.secret if info.secret else ""
    )
