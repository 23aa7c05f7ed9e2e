"""Frames: what one viewer gets to see of a moment. Hiding is done by the game's own ``seen_by``, nowhere here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, structs

from serai.table.entries import Muted, Said, Undone
from serai.table.messages import AnyFrame, Away, Chat, ChatFrame, Frame, MutedFrame, Presence, TableFrame, Welcome
from serai.table.table import Moment, Position, Table

CHAT_KEPT = 50
"""How much of the talk a welcome repeats."""


def frame(moments: Sequence[Moment], moment: Moment, visitor: str, seat: int | None) -> AnyFrame | None:
    """One of the moments as this visitor sees it through this seat; ``None`` when it is none of their business."""
    entry = moment.entry
    if moment.before is not moment.after and moment.after is not None:
        return _game_frame(moment, moment.after, seat)
    if isinstance(entry, Said):
        if visitor in moment.unheard:
            return None
        return ChatFrame(moment.n, entry.seat, entry.text, entry.phrase)
    if isinstance(entry, Muted):
        return MutedFrame(moment.n, moment.muted) if entry.visitor == visitor else None
    if moment.info is None:
        return None
    before = moments[moment.n - 1].offers if moment.n else None
    yours = tuple(at for at, holder in enumerate(moment.holders) if visitor and holder == visitor)
    actions: Any = UNSET
    if seat is not None and (before == seat) != (moment.offers == seat):
        actions = _offered(moment, moment.after, seat)
    return TableFrame(moment.n, seat, yours, moment.info, actions)


def history(table: Table, visitor: str, seat: int | None, after: int = -1) -> list[AnyFrame]:
    """All frames with numbers above ``after``, as this visitor sees them through this seat."""
    made = [frame(table.moments, moment, visitor, seat) for moment in table.moments[after + 1 :]]
    table.forget_views()
    return [told for told in made if told is not None]


def story(moments: tuple[Moment, ...], visitor: str, seat: int | None) -> list[AnyFrame]:
    """The frames of all these moments, in whatever thread: it leaves the views that their table keeps alone."""
    apart: dict[int, Position] = {}

    def own(position: Position | None) -> Position | None:
        if position is None:
            return None
        return apart.setdefault(id(position), Position(position.state, position.shown))

    made = [
        frame(moments, structs.replace(moment, before=own(moment.before), after=own(moment.after)), visitor, seat)
        for moment in moments
    ]
    return [told for told in made if told is not None]


def same_for_all(moment: Moment) -> bool:
    """Whether all who look through the same seat get the same frame, whoever they are."""
    return moment.before is not moment.after and moment.after is not None


def welcome(table: Table, visitor: str, seat: int | None) -> Welcome:
    """Everything from scratch."""
    last = table.moments[-1]
    said = [
        Chat(moment.n, moment.entry.seat, moment.entry.text, moment.entry.phrase)
        for moment in table.moments
        if isinstance(moment.entry, Said) and visitor not in moment.unheard
    ]
    return Welcome(
        n=last.n,
        on=table.on,
        seat=seat,
        yours=table.held_by(visitor),
        table=table.info(),
        view=table.position.view(seat) if table.position is not None else None,
        actions=_offered(last, table.position, seat),
        chat=tuple(said[-CHAT_KEPT:]),
        muted=table.muted_by(visitor),
        undo=seat is not None and last.undo == seat,
    )


def presence(table: Table, now: float, watching: int) -> Presence:
    """Who is away, and for how much longer that is nobody's business."""
    away = tuple(
        Away(seat, 0 if sitting.left else table.presence.grace_left(sitting.visitor, now))
        for seat, sitting in enumerate(table.seats)
        if sitting.kind == "person" and (sitting.left or not table.presence.here(sitting.visitor))
    )
    return Presence(away, watching)


def _game_frame(moment: Moment, after: Position, seat: int | None) -> Frame:
    play = moment.play
    by = action = None
    events: tuple[Any, ...] = ()
    if play is not None:
        by = play.actor
        if by is not None:
            action = play.actions[0].seen_by(seat, by)
        events = tuple([event.seen_by(seat) for event in play.events])
    back = isinstance(moment.entry, Undone)
    return Frame(
        n=moment.n,
        on=moment.on,
        by=moment.entry.seat if isinstance(moment.entry, Undone) else by,
        action=action,
        events=events,
        patch=_patch(moment.before, after, seat),
        actions=_offered(moment, after, seat),
        back=back,
        undo=seat is not None and moment.undo == seat,
        table=UNSET if moment.info is None else moment.info,
    )


def _offered(moment: Moment, position: Position | None, seat: int | None) -> tuple[Any, ...]:
    if position is None or seat is None or moment.offers != seat:
        return ()
    return position.actions()


def _patch(before: Position | None, after: Position, seat: int | None) -> dict[str, Any]:
    """The fields of this seat's view that changed."""
    new = after.view(seat)
    names = new.__struct_fields__
    if before is None:
        return {name: getattr(new, name) for name in names}
    old = before.view(seat)
    return {name: getattr(new, name) for name in names if getattr(old, name) != getattr(new, name)}
