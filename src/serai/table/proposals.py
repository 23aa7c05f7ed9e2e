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
from msgspec.structs import replace

from serai.core.dealer import mix_of
from serai.core.errors import Hidden
from serai.core.game import Game
from serai.core.registry import bot_names
from serai.table import messages as m
from serai.table.entries import (
    Acted,
    Agreed,
    AnyEntry,
    Closed,
    Created,
    Ended,
    Followed,
    Muted,
    OptionsSet,
    Paused,
    Result,
    Said,
    Seated,
    Sitting,
    Started,
    Undone,
)
from serai.table.errors import Refusal
from serai.table.table import Play, Table, play_out


class Change(msgspec.Struct, frozen=True):
    """An entry to store, and what has been worked out for it already."""

    entry: AnyEntry
    play: Play | None = None


class Who(msgspec.Struct, frozen=True):
    """Who sends a message: the visitor, the seat their connection looks through, and when (a steady clock)."""

    visitor: str
    seat: int | None
    now: float


# -- tables come into being --------------------------------------------------------------------------------------------


def create(
    game: Game,
    visitor: str,
    *,
    seats: int | None,
    options: dict[str, Any],
    public: bool,
    bots: dict[int, str],
    secret: bytes,
    at: str,
) -> Created:
    """A new table with open seats, some of them given to bots."""
    count = game.players[0] if seats is None else seats
    settled = game.settled(count, options)
    sittings = [Sitting()] * count
    for seat, bot in bots.items():
        if seat >= count:
            raise Refusal("table.no_seat", seat=seat)
        sittings[seat] = _bot(game, bot)
    return _created(game, visitor, settled, public, tuple(sittings), secret, at)


def create_rematch(table: Table, visitor: str, *, secret: bytes, at: str) -> Created:
    """A new table with the same people and bots; persons' seats wait for them, since each brings a new value."""
    _readable_only(table)
    _phase(table, "over")
    _seated(table, visitor)
    seats = tuple(
        replace(sitting, value="", left=False, stand_in="") if sitting.kind == "person" else sitting
        for sitting in table.seats
    )
    return _created(table.game, visitor, table.options, table.public, seats, secret, at)


def _created(
    game: Game,
    visitor: str,
    options: dict[str, Any],
    public: bool,
    seats: tuple[Sitting, ...],
    secret: bytes,
    at: str,
) -> Created:
    return Created(
        visitor=visitor,
        game=game.name,
        rules=game.version,
        options=options,
        public=public,
        seats=seats,
        secret=secret.hex(),
        at=at,
    )


# -- messages ----------------------------------------------------------------------------------------------------------


def propose(table: Table, message: Any, who: Who, at: str) -> Change:
    """The change that this message asks for; ``at`` is the wall clock, for the record's date only."""
    _readable_only(table)
    if isinstance(message, m.Act):
        return _act(table, message, who)
    if isinstance(message, m.Start):
        return _start(table, message, who, at)
    return Change(_QUIET[type(message)](table, message, who))


def join(table: Table, visitor: str, *, message_id: str, name: str, value: str, seat: int | None) -> Change:
    """Take a seat before the start: the one named, else one that waits for this visitor, else the first open one."""
    _readable_only(table)
    _phase(table, "lobby")
    if not name.strip() or not name.isprintable():
        raise Refusal("table.name")
    waiting = [at for at in table.held_by(visitor) if not table.seats[at].value]
    free = [at for at, sitting in enumerate(table.seats) if sitting.kind == "open"]
    if seat is None:
        if not waiting and not free:
            raise Refusal("table.full")
        seat = (waiting or free)[0]
    _sitting(table, seat)
    if seat not in waiting and seat not in free:
        raise Refusal("table.taken", seat=seat)
    person = Sitting(kind="person", name=name.strip(), visitor=visitor, value=value)
    entry = _seated_entry(table, visitor, message_id, "join", _with(table.seats, seat, person))
    return Change(replace(entry, seat=seat))


def bot_acts(table: Table, seat: int, on: int, answer: bytes | None, rng: random.Random) -> Change:
    """What a bot answered for its seat, as an entry; a random action when the answer is none that can be played."""
    if table.on != on or table.actor != seat or not table.bot_to_act or table.position is None:
        raise Refusal("table.stale", on=table.on)
    state = table.position.state
    if answer is not None:
        try:
            action = table.game.action_decoder.decode(answer)
            play = play_out(seat, state, action, table.dealer())
        except ValueError:
            answer = None
    if answer is None:
        play = play_out(seat, state, rng.choice(table.position.actions()), table.dealer())
    return Change(_acted(seat, play), play)


def close(table: Table) -> Change | None:
    """The notice for a table that was made under other rules and is not over; ``None`` when it needs none."""
    if not table.foreign or table.phase in ("over", "closed"):
        return None
    return Change(Closed(rules=table.game.version))


def phase_after(table: Table, entry: AnyEntry) -> m.Phase:
    """The phase of the table once it has absorbed this entry."""
    match entry:
        case Started():
            return "playing"
        case Ended():
            return "over"
        case Acted() if entry.result is not None:
            return "over"
        case Closed():
            return "closed"
        case _:
            return table.phase


def follow(visitor: str, message_id: str, next_table: str) -> Change:
    """The rematch is at that table."""
    return Change(Followed(visitor=visitor, id=message_id, table=next_table))


# -- playing -----------------------------------------------------------------------------------------------------------


def _act(table: Table, message: m.Act, who: Who) -> Change:
    seat = _own_seat(table, who)
    _playing(table)
    _fresh(table, message.on)
    if table.seats[seat].player:
        raise Refusal("table.stood_in")
    if table.actor != seat or table.position is None:
        raise Refusal("table.not_your_turn")
    try:
        action = table.game.action_decoder.decode(message.action)
        play = play_out(seat, table.position.state, action, table.dealer())
    except (msgspec.DecodeError, Hidden):
        raise Refusal("table.not_action", game=table.game.name) from None
    return Change(_acted(seat, play, visitor=who.visitor, message_id=message.id), play)


def _acted(seat: int, play: Play, visitor: str = "", message_id: str = "") -> Acted:
    state = play.after
    result = Result(state.scores(), state.winners()) if state.over else None
    return Acted(visitor=visitor, id=message_id, seat=seat, actions=tuple(map(str, play.actions)), result=result)


def _undo(table: Table, message: m.Undo, who: Who) -> AnyEntry:
    seat = _own_seat(table, who)
    _playing(table)
    _fresh(table, message.on)
    if table.seats[seat].player:
        raise Refusal("table.stood_in")
    if table.undoable != seat:
        raise Refusal("table.undo")
    return Undone(visitor=who.visitor, id=message.id, seat=seat)


def _start(table: Table, message: m.Start, who: Who, at: str) -> Change:
    _as_host(table, who)
    table.game.settled(len(table.seats), table.options)
    for seat, sitting in enumerate(table.seats):
        if sitting.kind == "open":
            raise Refusal("table.open_seats", seat=seat)
        if sitting.kind == "person" and not sitting.value:
            raise Refusal("table.not_joined", seat=seat, name=sitting.name)
    mix = mix_of(bytes.fromhex(sitting.value) for sitting in table.seats if sitting.kind == "person")
    dealer = table.dealer()
    dealer.mix = mix
    play = play_out(None, table.first_state(), None, dealer)
    actions = tuple(map(str, play.actions))
    return Change(Started(visitor=who.visitor, id=message.id, mix=mix.hex(), actions=actions, at=at), play)


def _pause(table: Table, message: m.Pause, who: Who) -> AnyEntry:
    _phase(table, "playing")
    _seated(table, who.visitor)
    if table.paused:
        raise Refusal("table.paused")
    return Paused(visitor=who.visitor, id=message.id, on=True)


def _resume(table: Table, message: m.Resume, who: Who) -> AnyEntry:
    _phase(table, "playing")
    _seated(table, who.visitor)
    if not table.paused:
        raise Refusal("table.not_paused")
    return Paused(visitor=who.visitor, id=message.id, on=False)


def _agree(table: Table, message: m.Agree, who: Who) -> AnyEntry:
    _phase(table, "playing")
    _seated(table, who.visitor)
    playing = {sitting.visitor for sitting in table.seats if sitting.kind == "person" and not _gone(sitting)}
    agreeing = table.agreeing | {who.visitor}
    if message.on and playing <= agreeing and table.position is not None:
        state = table.position.state
        return Ended(visitor=who.visitor, id=message.id, result=Result(state.scores(), state.leaders()))
    return Agreed(visitor=who.visitor, id=message.id, on=message.on)


# -- talking -----------------------------------------------------------------------------------------------------------


def _say(table: Table, message: m.Say, who: Who) -> AnyEntry:
    seats = _seated(table, who.visitor)
    seat = who.seat if who.seat in seats else seats[0]
    if message.phrase is not UNSET and message.text is UNSET:
        return Said(visitor=who.visitor, id=message.id, seat=seat, phrase=message.phrase)
    if message.text is UNSET or message.phrase is not UNSET or table.public or not message.text.strip():
        raise Refusal("table.say")
    return Said(visitor=who.visitor, id=message.id, seat=seat, text=message.text.strip())


def _mute(table: Table, message: m.Mute, who: Who) -> AnyEntry:
    sitting = _sitting(table, message.seat)
    if not who.visitor:
        raise Refusal("table.not_seated")
    if sitting.kind != "person" or sitting.visitor == who.visitor:
        raise Refusal("table.no_seat", seat=message.seat)
    return Muted(visitor=who.visitor, id=message.id, whom=sitting.visitor, on=message.on)


# -- seats -------------------------------------------------------------------------------------------------------------


def _arrange(table: Table, message: m.Arrange, who: Who) -> AnyEntry:
    _as_host(table, who)
    order = message.order
    old = [seat for seat in order if seat is not None]
    most = table.game.players[-1]
    if len(set(old)) < len(old) or len(order) > most:
        raise Refusal("table.order", most=most)
    for seat in old:
        _sitting(table, seat)
    seats = tuple(Sitting() if seat is None else table.seats[seat] for seat in order)
    return _seated_entry(table, who.visitor, message.id, "arrange", seats)


def _place_bot(table: Table, message: m.PlaceBot, who: Who) -> AnyEntry:
    _as_host(table, who)
    if _sitting(table, message.seat).kind == "person":
        raise Refusal("table.taken", seat=message.seat)
    seats = _with(table.seats, message.seat, _bot(table.game, message.bot))
    return _seated_entry(table, who.visitor, message.id, "place_bot", seats)


def _vacate(table: Table, message: m.Vacate, who: Who) -> AnyEntry:
    _as_host(table, who)
    _sitting(table, message.seat)
    seats = _with(table.seats, message.seat, Sitting())
    return _seated_entry(table, who.visitor, message.id, "vacate", seats)


def _set_options(table: Table, message: m.SetOptions, who: Who) -> AnyEntry:
    _as_host(table, who)
    options = table.game.settled(max(len(table.seats), table.game.players[0]), message.options)
    return OptionsSet(visitor=who.visitor, id=message.id, options=options)


def _leave(table: Table, message: m.Leave, who: Who) -> AnyEntry:
    sitting = _own(table, message.seat, who.visitor)
    if table.phase == "lobby":
        gone = Sitting()
    elif table.phase == "playing" and not sitting.left:
        gone = replace(sitting, left=True)
    else:
        raise Refusal("table.phase", phase=table.phase)
    return _seated_entry(table, who.visitor, message.id, "leave", _with(table.seats, message.seat, gone))


def _take_over(table: Table, message: m.TakeOver, who: Who) -> AnyEntry:
    _phase(table, "playing")
    _seated(table, who.visitor)
    sitting = _sitting(table, message.seat)
    if sitting.kind != "person" or sitting.visitor == who.visitor:
        raise Refusal("table.here")
    if not sitting.left:
        _absent(table, sitting.visitor, who.now)
    stood_in = replace(sitting, stand_in=_bot(table.game, message.bot).bot)
    return _seated_entry(table, who.visitor, message.id, "take_over", _with(table.seats, message.seat, stood_in))


def _return(table: Table, message: m.Return, who: Who) -> AnyEntry:
    _phase(table, "playing")
    sitting = _own(table, message.seat, who.visitor)
    if not _gone(sitting):
        raise Refusal("table.not_stood_in", seat=message.seat)
    back = replace(sitting, left=False, stand_in="")
    return _seated_entry(table, who.visitor, message.id, "return", _with(table.seats, message.seat, back))


def _take_host(table: Table, message: m.TakeHost, who: Who) -> AnyEntry:
    _seated(table, who.visitor)
    if table.host == who.visitor:
        raise Refusal("table.here")
    _absent(table, table.host, who.now)
    return Seated(visitor=who.visitor, id=message.id, why="take_host", seats=table.seats, host=who.visitor)


_QUIET: dict[type[Any], Callable[[Table, Any, Who], AnyEntry]] = {
    m.Undo: _undo,
    m.Say: _say,
    m.Mute: _mute,
    m.Arrange: _arrange,
    m.PlaceBot: _place_bot,
    m.Vacate: _vacate,
    m.SetOptions: _set_options,
    m.TakeHost: _take_host,
    m.Pause: _pause,
    m.Resume: _resume,
    m.TakeOver: _take_over,
    m.Return: _return,
    m.Leave: _leave,
    m.Agree: _agree,
}
"""Messages that need no draw and no clock."""

# -- who may, and when -------------------------------------------------------------------------------------------------


def _readable_only(table: Table) -> None:
    """Refuse whatever would change a table that was made under other rules."""
    if table.foreign or table.phase == "closed":
        raise Refusal("table.closed")


def _phase(table: Table, phase: m.Phase) -> None:
    if table.phase != phase:
        raise Refusal("table.phase", phase=table.phase)


def _playing(table: Table) -> None:
    _phase(table, "playing")
    if table.paused:
        raise Refusal("table.paused")


def _fresh(table: Table, on: int) -> None:
    if on != table.on:
        raise Refusal("table.stale", on=table.on)


def _as_host(table: Table, who: Who) -> None:
    if not who.visitor or who.visitor != table.host:
        raise Refusal("table.not_host")
    _phase(table, "lobby")


def _seated(table: Table, visitor: str) -> tuple[int, ...]:
    seats = table.held_by(visitor)
    if not seats:
        raise Refusal("table.not_seated")
    return seats


def _own_seat(table: Table, who: Who) -> int:
    if who.seat is None or who.seat not in table.held_by(who.visitor):
        raise Refusal("table.not_seated")
    return who.seat


def _sitting(table: Table, seat: int) -> Sitting:
    if seat >= len(table.seats):
        raise Refusal("table.no_seat", seat=seat)
    return table.seats[seat]


def _own(table: Table, seat: int, visitor: str) -> Sitting:
    sitting = _sitting(table, seat)
    if not visitor or sitting.visitor != visitor:
        raise Refusal("table.not_yours", seat=seat)
    return sitting


def _absent(table: Table, visitor: str, now: float) -> None:
    if table.presence.here(visitor):
        raise Refusal("table.here")
    grace = table.presence.grace_left(visitor, now)
    if grace:
        raise Refusal("table.present", grace=grace)


def _gone(sitting: Sitting) -> bool:
    return sitting.left or bool(sitting.stand_in)


# -- details -----------------------------------------------------------------------------------------------------------


def _bot(game: Game, name: str) -> Sitting:
    known = bot_names(game)
    if name not in known:
        raise Refusal("table.no_bot", bot=name, game=game.name, known=", ".join(known))
    return Sitting(kind="bot", name=name, bot=name)


def _seated_entry(table: Table, visitor: str, message_id: str, why: str, seats: tuple[Sitting, ...]) -> Seated:
    """The new seating; the host's role passes on when the host has no seat in it any more but had one before."""
    host = table.host
    staying = [sitting.visitor for sitting in seats if sitting.kind == "person" and not sitting.left]
    if host not in staying and staying and table.held_by(host):
        host = staying[0]
    return Seated(visitor=visitor, id=message_id, why=why, seats=seats, host=host)


def _with(seats: tuple[Sitting, ...], seat: int, sitting: Sitting) -> tuple[Sitting, ...]:
    return (*seats[:seat], sitting, *seats[seat + 1 :])
