"""Who sits where: tables come into being, seats are taken, given, arranged, left and taken back."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from serai.core.game import Game
from serai.core.registry import bot_names
from serai.core.tuples import put
from serai.table import messages as m
from serai.table import rules
from serai.table.entries import AnyEntry, Created, Inherited, OptionsSet, Seated, Sitting
from serai.table.errors import Refusal
from serai.table.names import alike, clean_name
from serai.table.rights import (
    Who,
    absent,
    as_host,
    bounded,
    in_phase,
    own,
    seats_of,
    sitting_at,
    writable,
)
from serai.table.rules import TableRules
from serai.table.table import Table


def create(
    game: Game,
    visitor: str,
    *,
    seats: int | None,
    options: dict[str, Any],
    table_rules: TableRules,
    bots: dict[int, str],
    secret: bytes,
    at: str,
) -> Created:
    """A new table with open seats, some of them given to bots."""
    count = game.players[0] if seats is None else seats
    settled, agreed = game.settled(count, options), rules.settled(table_rules, game)
    sittings = [Sitting()] * count
    for seat, bot in bots.items():
        if seat >= count:
            raise Refusal("table.no_seat", seat=seat)
        sittings[seat] = _bot(game, bot)
    return _created(game, visitor, settled, agreed, tuple(sittings), secret, at)


def create_continued(
    game: Game,
    visitor: str,
    *,
    options: dict[str, Any],
    players: int,
    inherited: Inherited,
    bot: str,
    secret: bytes,
    at: str,
) -> Created:
    """A new table whose game goes on from a position of another, for one person and bots of one kind."""
    person = inherited.origin.seat
    seats = tuple(Sitting() if seat == person else _bot(game, bot) for seat in range(players))
    agreed = rules.settled(TableRules(hints=game.has_coach), game)
    created = _created(game, visitor, game.settled(players, options), agreed, seats, secret, at)
    return replace(created, inherited=inherited)


def create_rematch(
    table: Table, visitor: str, *, secret: bytes, at: str, levels: Sequence[str] = (), step: int = 0
) -> Created:
    """A new table with the same people and bots; persons' seats wait for them, since each brings a new value.

    With a ``step`` of 1 or -1 the bots' seats go to the next of these ``levels``, which are told weakest first.
    """
    writable(table)
    in_phase(table, "over")
    seats_of(table, visitor)
    seats = tuple(
        replace(sitting, value="", left=False, stand_in="") if sitting.kind == "person" else sitting
        for sitting in table.seats
    )
    if step:
        pairs = itertools.pairwise(levels if step > 0 else reversed(levels))
        following = {bot: _bot(table.game, other) for bot, other in pairs}
        kept, seats = seats, tuple(following.get(sitting.bot, sitting) for sitting in seats)
        if seats == kept:
            raise Refusal("table.no_level")
    return _created(table.game, visitor, table.options, table.table_rules, seats, secret, at)


def _created(
    game: Game,
    visitor: str,
    options: dict[str, Any],
    table_rules: TableRules,
    seats: tuple[Sitting, ...],
    secret: bytes,
    at: str,
) -> Created:
    return Created(
        visitor=visitor,
        game=game.name,
        rules=game.version,
        options=options,
        table_rules=table_rules,
        seats=seats,
        secret=secret.hex(),
        at=at,
    )


def join(table: Table, visitor: str, *, message_id: str, name: str, value: str, seat: int | None) -> Seated:
    """Take a seat before the start: the one named, else one that waits for this visitor, else the first open one."""
    writable(table)
    in_phase(table, "lobby")
    name = clean_name(name)
    if not name:
        raise Refusal("table.name")
    waiting = [at for at in table.held_by(visitor) if not table.seats[at].value]
    free = [at for at, sitting in enumerate(table.seats) if sitting.kind == "open"]
    if seat is None:
        if not waiting and not free:
            raise Refusal("table.full")
        seat = (waiting or free)[0]
    sitting_at(table, seat)
    if seat not in waiting and seat not in free:
        raise Refusal("table.taken", seat=seat)
    others = [sitting.name for at, sitting in enumerate(table.seats) if at != seat and sitting.kind == "person"]
    if alike(name, others):
        raise Refusal("table.name_taken", name=name)
    if alike(name, bot_names(table.game)):
        raise Refusal("table.name_bot", name=name)
    person = Sitting(kind="person", name=name, visitor=visitor, value=value)
    entry = _seated_entry(table, visitor, message_id, "join", put(table.seats, seat, person))
    bounded(table, entry)
    return replace(entry, seat=seat)


def arrange(table: Table, message: m.Arrange, who: Who) -> AnyEntry:
    as_host(table, who)
    _as_it_began(table)
    order = message.order
    old = [seat for seat in order if seat is not None]
    most = table.game.players[-1]
    if len(set(old)) < len(old) or len(order) > most:
        raise Refusal("table.order", most=most)
    for seat in old:
        sitting_at(table, seat)
    seats = tuple(Sitting() if seat is None else table.seats[seat] for seat in order)
    return _seated_entry(table, who.visitor, message.id, "arrange", seats)


def _as_it_began(table: Table) -> None:
    """A game that goes on from another's position has its number of seats and its options."""
    if table.inherited is not None:
        raise Refusal("table.continued")


def place_bot(table: Table, message: m.PlaceBot, who: Who) -> AnyEntry:
    as_host(table, who)
    if sitting_at(table, message.seat).kind == "person":
        raise Refusal("table.taken", seat=message.seat)
    seats = put(table.seats, message.seat, _bot(table.game, message.bot))
    return _seated_entry(table, who.visitor, message.id, "place_bot", seats)


def vacate(table: Table, message: m.Vacate, who: Who) -> AnyEntry:
    as_host(table, who)
    sitting_at(table, message.seat)
    seats = put(table.seats, message.seat, Sitting())
    return _seated_entry(table, who.visitor, message.id, "vacate", seats)


def set_options(table: Table, message: m.SetOptions, who: Who) -> AnyEntry:
    as_host(table, who)
    _as_it_began(table)
    options = table.game.settled(max(len(table.seats), table.game.players[0]), message.options)
    return OptionsSet(visitor=who.visitor, id=message.id, options=options)


def leave(table: Table, message: m.Leave, who: Who) -> AnyEntry:
    sitting = own(table, message.seat, who.visitor)
    if table.phase == "lobby":
        gone = Sitting()
    elif table.phase == "playing" and not sitting.left:
        gone = replace(sitting, left=True)
    else:
        raise Refusal("table.phase", phase=table.phase)
    return _seated_entry(table, who.visitor, message.id, "leave", put(table.seats, message.seat, gone))


def take_over(table: Table, message: m.TakeOver, who: Who) -> AnyEntry:
    in_phase(table, "playing")
    seats_of(table, who.visitor)
    sitting = sitting_at(table, message.seat)
    if sitting.kind != "person" or sitting.visitor == who.visitor:
        raise Refusal("table.here")
    if not sitting.left:
        absent(table, sitting.visitor, who.now)
    stood_in = replace(sitting, stand_in=_bot(table.game, message.bot).bot)
    return _seated_entry(table, who.visitor, message.id, "take_over", put(table.seats, message.seat, stood_in))


def time_out(table: Table, seat: int, bot: str, now: float) -> Seated:
    """Let a bot play for the person to act, whose time is over, until they are back."""
    left = table.clock.left(now)
    if table.clock.seat != seat or left is None or left > 0 or not table.attended:
        raise Refusal("table.stale", on=table.on)
    stood_in = replace(table.seats[seat], stand_in=_bot(table.game, bot).bot)
    return _seated_entry(table, "", "", "clock", put(table.seats, seat, stood_in))


def come_back(table: Table, message: m.Return, who: Who) -> AnyEntry:
    in_phase(table, "playing")
    sitting = own(table, message.seat, who.visitor)
    if sitting.playing:
        raise Refusal("table.not_stood_in", seat=message.seat)
    if table.clock.out(message.seat, len(table.written), who.now):
        raise Refusal("table.time")  # else whoever lets it run out and returns would have it anew, for ever
    back = replace(sitting, left=False, stand_in="")
    return _seated_entry(table, who.visitor, message.id, "return", put(table.seats, message.seat, back))


def take_host(table: Table, message: m.TakeHost, who: Who) -> AnyEntry:
    seats_of(table, who.visitor)
    if table.host == who.visitor:
        raise Refusal("table.here")
    absent(table, table.host, who.now)
    return Seated(visitor=who.visitor, id=message.id, why="take_host", seats=table.seats, host=who.visitor)


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
