"""From a message to an entry: who may do what, and when. Nothing here changes a table.

The caller stores the entry, then lets the table absorb it; a message that may not be gets a :class:`Refusal` (or the
game's own ``IllegalAction``).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from serai.core.dealer import mix_of
from serai.core.errors import Hidden
from serai.core.play import Play, advance, deal
from serai.table import messages as m
from serai.table import seating
from serai.table.entries import (
    Acted,
    Agreed,
    AnyEntry,
    Closed,
    Ended,
    Followed,
    Hinted,
    Muted,
    Paused,
    Result,
    Said,
    Started,
    Undone,
)
from serai.table.errors import Refusal
from serai.table.names import clean_text
from serai.table.rights import (
    Who,
    as_host,
    bounded,
    fresh,
    in_phase,
    in_play,
    looked_through,
    seats_of,
    sitting_at,
    writable,
)
from serai.table.table import Table


class Change(msgspec.Struct, frozen=True):
    """An entry to store, and what has been worked out for it already."""

    entry: AnyEntry
    play: Play | None = None


def propose(table: Table, message: Any, who: Who, at: str) -> Change:
    """The change that this message asks for; ``at`` is the wall clock, for the record's date only."""
    writable(table)
    if isinstance(message, m.Act):
        change = _act(table, message, who)
    elif isinstance(message, m.Start):
        change = _start(table, message, who, at)
    else:
        change = Change(_QUIET[type(message)](table, message, who))
    bounded(table, change.entry)
    return change


def bot_acts(table: Table, seat: int, on: int, answer: bytes | None, rng: random.Random) -> Change:
    """What a bot answered for its seat, as an entry; a random action when the answer is none that can be played."""
    if table.on != on or table.actor != seat or not table.bot_to_act or table.snapshot is None:
        raise Refusal("table.stale", on=table.on)
    state = table.snapshot.state
    if answer is not None:
        try:
            action = table.game.action_decoder.decode(answer)
            play = advance(state, action, table.dealer())
        except ValueError:
            answer = None
    if answer is None:
        play = advance(state, rng.choice(table.snapshot.actions()), table.dealer())
    return Change(_acted(seat, play), play)


def asks_for_hints(table: Table, seat: int, on: int, visitor: str) -> None:
    """Refuse whoever may not be told what the coach would do in the present position."""
    if not table.table_rules.hints:
        raise Refusal("table.no_hints")
    _who_plays(table, on, Who(visitor, seat, 0.0))
    if table.actor != seat:
        raise Refusal("table.not_your_turn")


def hint(table: Table, seat: int, on: int, visitor: str) -> Change:
    """That a seat is told what the coach would do; once for each position."""
    asks_for_hints(table, seat, on, visitor)
    return Change(Hinted(visitor=visitor, seat=seat, on=on))


def close(table: Table) -> Change | None:
    """The notice for a table that was made under other rules and is not over; ``None`` when it needs none."""
    if not table.foreign or table.phase in ("over", "closed"):
        return None
    return Change(Closed(rules=table.game.version))


def follow(visitor: str, message_id: str, next_table: str) -> Change:
    """The rematch is at that table."""
    return Change(Followed(visitor=visitor, id=message_id, table=next_table))


# -- playing -----------------------------------------------------------------------------------------------------------


def _who_plays(table: Table, on: int, who: Who) -> int:
    """The seat that speaks of the game: one that plays it itself, and knows how it stands."""
    seat = looked_through(table, who)
    in_play(table)
    fresh(table, on)
    if not table.seats[seat].playing:
        raise Refusal("table.stood_in")
    return seat


def _act(table: Table, message: m.Act, who: Who) -> Change:
    seat = _who_plays(table, message.on, who)
    if table.actor != seat or table.snapshot is None:
        raise Refusal("table.not_your_turn")
    try:
        action = table.game.action_decoder.decode(message.action)
        play = advance(table.snapshot.state, action, table.dealer())
    except (msgspec.DecodeError, Hidden):
        raise Refusal("table.not_action", game=table.game.name) from None
    return Change(_acted(seat, play, visitor=who.visitor, message_id=message.id), play)


def _acted(seat: int, play: Play, visitor: str = "", message_id: str = "") -> Acted:
    state = play.after
    result = Result(state.scores(), state.winners()) if state.over else None
    return Acted(visitor=visitor, id=message_id, seat=seat, actions=play.notation, result=result)


def _undo(table: Table, message: m.Undo, who: Who) -> AnyEntry:
    seat = _who_plays(table, message.on, who)
    if table.undoable != seat:
        raise Refusal("table.undo")
    if table.clock.out(seat, len(table.written) - 1, who.now):
        raise Refusal("table.time")
    return Undone(visitor=who.visitor, id=message.id, seat=seat)


def _start(table: Table, message: m.Start, who: Who, at: str) -> Change:
    as_host(table, who)
    table.game.settled(len(table.seats), table.options)
    for seat, sitting in enumerate(table.seats):
        if sitting.kind == "open":
            raise Refusal("table.open_seats", seat=seat)
        if sitting.kind == "person" and not sitting.value:
            raise Refusal("table.not_joined", seat=seat, name=sitting.name)
    mix = mix_of(bytes.fromhex(sitting.value) for sitting in table.seats if sitting.kind == "person")
    dealer = table.dealer()
    dealer.mix = mix
    first = dealer.draw_first(len(table.seats)) if table.table_rules.draw_first else None
    past = table.past(first)
    dealer.drawn = len(past.draws)
    play = deal(past.after, dealer)
    started = Started(visitor=who.visitor, id=message.id, mix=mix.hex(), actions=play.notation, at=at, first=first)
    return Change(started, play)


def _pause(table: Table, message: m.Pause, who: Who) -> AnyEntry:
    in_phase(table, "playing")
    seats_of(table, who.visitor)
    if table.paused:
        raise Refusal("table.paused")
    return Paused(visitor=who.visitor, id=message.id, on=True)


def _resume(table: Table, message: m.Resume, who: Who) -> AnyEntry:
    in_phase(table, "playing")
    seats_of(table, who.visitor)
    if not table.paused:
        raise Refusal("table.not_paused")
    return Paused(visitor=who.visitor, id=message.id, on=False)


def _agree(table: Table, message: m.Agree, who: Who) -> AnyEntry:
    in_phase(table, "playing")
    seats_of(table, who.visitor)
    asked = {sitting.visitor for sitting in table.seats if sitting.kind == "person" and not sitting.left}
    agreeing = table.agreeing | {who.visitor}
    if message.on and asked <= agreeing and table.snapshot is not None:
        state = table.snapshot.state
        return Ended(visitor=who.visitor, id=message.id, result=Result(state.scores(), state.leaders()))
    return Agreed(visitor=who.visitor, id=message.id, on=message.on)


# -- talking -----------------------------------------------------------------------------------------------------------


def _say(table: Table, message: m.Say, who: Who) -> AnyEntry:
    seats = seats_of(table, who.visitor)
    seat = who.seat if who.seat in seats else seats[0]
    name = table.seats[seat].name if table.phase == "lobby" else ""
    if message.phrase is not UNSET and message.text is UNSET:
        return Said(visitor=who.visitor, id=message.id, seat=seat, phrase=message.phrase, name=name)
    if message.text is UNSET or message.phrase is not UNSET or table.table_rules.public:
        raise Refusal("table.say")
    text = clean_text(message.text)
    if not text:
        raise Refusal("table.unseen")
    return Said(visitor=who.visitor, id=message.id, seat=seat, text=text, name=name)


def _mute(table: Table, message: m.Mute, who: Who) -> AnyEntry:
    sitting = sitting_at(table, message.seat)
    if not who.visitor:
        raise Refusal("table.not_seated")
    if sitting.kind != "person" or sitting.visitor == who.visitor:
        raise Refusal("table.no_seat", seat=message.seat)
    return Muted(visitor=who.visitor, id=message.id, whom=sitting.visitor, on=message.on)


_QUIET: dict[type[Any], Callable[[Table, Any, Who], AnyEntry]] = {
    m.Undo: _undo,
    m.Say: _say,
    m.Mute: _mute,
    m.Arrange: seating.arrange,
    m.PlaceBot: seating.place_bot,
    m.Vacate: seating.vacate,
    m.SetOptions: seating.set_options,
    m.TakeHost: seating.take_host,
    m.Pause: _pause,
    m.Resume: _resume,
    m.TakeOver: seating.take_over,
    m.Return: seating.come_back,
    m.Leave: seating.leave,
    m.Agree: _agree,
}
"""Messages that need no draw and no clock."""
