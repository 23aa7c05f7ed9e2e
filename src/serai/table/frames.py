"""Making frames: what one viewer gets to see of each entry. All hiding is done by the game's own ``seen_by``."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, structs

from serai.core.game import Action, Event, State
from serai.errors import Hidden
from serai.table.entries import Muted, Said, Undone
from serai.table.erasure import erased
from serai.table.names import clean_name, clean_text
from serai.table.table import Effect, Snapshot, Table
from serai.wire.bodies import FramesPage
from serai.wire.frames import (
    AnyFrame,
    Away,
    Chat,
    ChatFrame,
    Frame,
    MutedFrame,
    Presence,
    TableFrame,
    TurnTime,
    Welcome,
)

CHAT_LINES = 50
"""How many of the last chat lines a welcome repeats."""
PAGE_ENTRIES, PAGE_BYTES = 250, 256 * 1024
"""The most that one page of frames holds; most games fit into one page. (A single frame above that, which none of our
games has, would be a page of its own.)"""


def frame(effects: Sequence[Effect], effect: Effect, visitor: str, seat: int | None) -> AnyFrame | None:
    """The frame of one of the effects for this visitor and the seat they look through; ``None`` if they get none."""
    entry = effect.entry
    if effect.before is not effect.after:
        return game_frame(effect, seat)
    if isinstance(entry, Said):
        if visitor in effect.unheard or erased(entry):
            return None
        return ChatFrame(effect.n, *_said(entry))
    if isinstance(entry, Muted):
        return MutedFrame(effect.n, effect.muted) if entry.visitor == visitor else None
    if effect.info is None:
        return None
    before = effects[effect.n - 1].offers if effect.n else None
    yours = tuple(at for at, holder in enumerate(effect.holders) if visitor and holder == visitor)
    actions: Any = UNSET
    if seat is not None and (before == seat) != (effect.offers == seat):
        actions = _offered(effect, effect.after, seat)
    return TableFrame(effect.n, seat, yours, effect.info, actions)


def history(table: Table, visitor: str, seat: int | None, after: int = -1) -> list[AnyFrame]:
    """All frames with numbers above ``after``, for this visitor and the seat they look through."""
    shown = table.effects[after + 1 :]
    made = [frame(table.effects, effect, visitor, seat) for effect in shown]
    table.forget_views(shown)
    return [one for one in made if one is not None]


def page(effects: Sequence[Effect], visitor: str, seat: int | None, after: int, upto: int, last: int) -> FramesPage:
    """The frames of the entries above ``after``, up to ``upto`` or until ``PAGE_BYTES`` are full; ``last`` is the
    table's last entry.

    Safe in any thread: it uses snapshots of its own, not the caches of the table's; and effects are only ever added, so
    those up to ``last`` can be read while the table moves on.
    """
    copies: dict[int, Snapshot] = {}

    def own(snapshot: Snapshot | None) -> Snapshot | None:
        if snapshot is None:
            return None
        return copies.setdefault(id(snapshot), Snapshot(snapshot.state, snapshot.shown, snapshot.shared))

    chosen: list[AnyFrame] = []
    size, seen = 0, min(after, last)
    while seen < upto:
        effect = effects[seen + 1]
        copy = structs.replace(effect, before=own(effect.before), after=own(effect.after))
        made = frame(effects, copy, visitor, seat)
        if made is not None:
            size += len(msgspec.json.encode(made))
            if chosen and size > PAGE_BYTES:
                break
            chosen.append(made)
        seen += 1
    return FramesPage(tuple(chosen), None if seen == last else seen)


def welcome(table: Table, visitor: str, seat: int | None, build: str = "") -> Welcome:
    """All that a viewer needs to begin; ``build`` is the server's build of the page."""
    last = table.effects[-1]
    lately = (
        Chat(effect.n, *_said(entry))
        for effect, entry in reversed(table.said)
        if visitor not in effect.unheard and not erased(entry)
    )
    view = None if table.snapshot is None else table.snapshot.view(table.snapshot.eyes(seat))
    return Welcome(
        n=last.n,
        on=table.on,
        seat=seat,
        yours=table.held_by(visitor),
        table=table.info(),
        view=view,
        actions=_offered(last, table.snapshot, seat),
        scores=() if view is None else _scores(view),
        chat=tuple(itertools.islice(lately, CHAT_LINES))[::-1],
        muted=table.muted_by(visitor),
        undo=seat is not None and last.undo == seat,
        build=build,
    )


def presence(table: Table, now: float, watching: int) -> Presence:
    """Who is away, and how much of their grace is left."""
    away = tuple(
        Away(seat, 0 if sitting.left else table.attendance.grace_left(sitting.visitor, now))
        for seat, sitting in enumerate(table.seats)
        if sitting.kind == "person" and (sitting.left or not table.attendance.here(sitting.visitor))
    )
    return Presence(away, watching)


def turn_time(table: Table, now: float) -> TurnTime:
    clock = table.clock
    left = clock.left(now)
    return TurnTime(clock.seat, round(max(left or 0.0, 0.0), 1), clock.seconds, clock.due() is not None)


def game_frame(effect: Effect, seat: int | None) -> Frame:
    """A move of the game: the same frame for all who look through the same seat."""
    play, after = effect.play, effect.after
    assert after is not None
    by = action = None
    eyes = after.eyes(seat)
    events: tuple[Any, ...] = ()
    if play is not None:
        by = play.actor
        if by is not None:
            action = play.plies[0].action
            if _hides(action.__class__):
                action = action.seen_by(eyes, by)
        events = tuple(
            [event.seen_by(eyes) if _hides(event.__class__) else event for ply in play.plies for event in ply.events]
        )
    view, back = after.view(eyes), isinstance(effect.entry, Undone)
    return Frame(
        n=effect.n,
        on=effect.on,
        by=effect.entry.seat if isinstance(effect.entry, Undone) else by,
        action=action,
        events=events,
        patch=_patch(effect.before, view, eyes),
        actions=after.actions() if seat is not None and effect.offers == seat else (),
        scores=_scores(view),
        back=back,
        undo=seat is not None and effect.undo == seat,
        table=UNSET if effect.info is None else effect.info,
    )


def _said(entry: Said) -> tuple[int, str, str, str]:
    return entry.seat, clean_text(entry.text), entry.phrase, clean_name(entry.name)


def _offered(effect: Effect, snapshot: Snapshot | None, seat: int | None) -> tuple[Action, ...]:
    if snapshot is None or seat is None or effect.offers != seat:
        return ()
    return snapshot.actions()


def _scores(view: State) -> tuple[int, ...]:
    """The running score; empty where this view does not show it."""
    try:
        scores: tuple[int, ...] = view.scores()
    except Hidden:
        return ()
    return scores


def _patch(before: Snapshot | None, view: State, eyes: int | None) -> dict[str, Any]:
    patch = structs.asdict(view)
    if before is not None:
        for name, was in structs.asdict(before.view(eyes)).items():
            if patch[name] == was:
                del patch[name]
    return patch


@functools.cache
def _hides(kind: type[Any]) -> bool:
    """Whether seats may see such an action or event differently; most types hide nothing, which saves calls."""
    return kind.seen_by not in (Action.seen_by, Event.seen_by)
