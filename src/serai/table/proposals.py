"""Proposals: from a message to an entry, or to a :class:`Refusal`. Who may do what, and when; and new tables.

Nothing here changes a table: the caller stores the entry, then lets the table absorb it. Illegal actions raise the
game's own ``IllegalAction``.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from serai.core.dealer import mix_of
from serai.core.game import Game, State, put
from serai.core.option import FIRST
from serai.core.parts import works
from serai.core.play import Play, advance, deal
from serai.core.registry import bot_names, bots_called
from serai.errors import Hidden
from serai.table.entries import (
    Acted,
    Agreed,
    AnyEntry,
    Closed,
    Created,
    Ended,
    Followed,
    Hinted,
    Inherited,
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
from serai.table.names import alike, clean_name, clean_text, pretends, titled
from serai.table.table import Table
from serai.wire import messages as m
from serai.wire.bodies import GAME_ACTIONS
from serai.wire.frames import Clock, Phase, TableRules


class Who(msgspec.Struct, frozen=True):
    """Who sends a message: the visitor, the seat their connection looks through, and when (a steady clock)."""

    visitor: str
    seat: int | None
    now: float


class Change(msgspec.Struct, frozen=True):
    """An entry to store, and the play that it makes, if it makes one."""

    entry: AnyEntry
    play: Play | None = None


def propose(table: Table, message: Any, who: Who, at: str) -> Change:
    """The change that this message asks for; ``at`` is the wall clock, for the record's date only."""
    require_open(table)
    if isinstance(message, m.Act):
        change = _act(table, message, who)
    elif isinstance(message, m.Start):
        change = _start(table, message, who, at)
    else:
        entry = _ENTRY_FOR[type(message)](table, message, who)
        change = Change(replace(entry, visitor=who.visitor, id=message.id))
    _require_quota(table, change.entry)
    return change


# -- playing -----------------------------------------------------------------------------------------------------------


def _act(table: Table, message: m.Act, who: Who) -> Change:
    seat = _playing_seat(table, message.on, who)
    if table.actor != seat or table.snapshot is None:
        raise Refusal("table.not_your_turn")
    try:
        action = table.game.action_decoder.decode(message.action)
        play = advance(table.snapshot.state, action, table.dealer())
    except (msgspec.DecodeError, Hidden):
        raise Refusal("table.not_action", game=table.game.name) from None
    return Change(_acted(seat, play, visitor=who.visitor, message_id=message.id), play)


def bot_acts(table: Table, seat: int, on: int, answer: bytes | None, rng: random.Random) -> Change:
    """A bot's answer for its seat; a random action if there is no answer or it cannot be played.

    In a game that has become too long for one more action, the bot ends it.
    """
    if table.on != on or table.actor != seat or not table.bot_to_act or table.snapshot is None:
        raise Refusal("table.stale", on=table.on)
    state = table.snapshot.state
    if table.length >= GAME_ACTIONS:  # all that is left is to agree to the end
        return Change(_ended(state))
    if answer is not None:
        try:
            action = table.game.action_decoder.decode(answer)
            play = advance(state, action, table.dealer())
        except ValueError:
            answer = None
    if answer is None:
        play = advance(state, rng.choice(table.snapshot.actions()), table.dealer())
    return Change(_acted(seat, play), play)


def _acted(seat: int, play: Play, visitor: str = "", message_id: str = "") -> Acted:
    state = play.after
    result = Result(state.scores(), state.winners()) if state.over else None
    return Acted(visitor=visitor, id=message_id, seat=seat, actions=play.notation, result=result)


def _ended(state: State) -> Ended:
    """The game is scored as it stands."""
    return Ended(result=Result(state.scores(), state.leaders()))


def _undo(table: Table, message: m.Undo, who: Who) -> AnyEntry:
    seat = _playing_seat(table, message.on, who)
    if table.undoable != seat:
        raise Refusal("table.undo")
    if table.clock.out(seat, len(table.written) - 1, who.now):
        raise Refusal("table.time")
    return Undone(seat=seat)


def require_hints(table: Table, seat: int, on: int, visitor: str) -> None:
    """Refuse unless this seat may have hints for the present position."""
    if not table.table_rules.hints:
        raise Refusal("table.no_hints")
    _playing_seat(table, on, Who(visitor, seat, 0.0))
    if table.actor != seat:
        raise Refusal("table.not_your_turn")


def hint(table: Table, seat: int, on: int, visitor: str) -> Change:
    """Note that a seat is given hints; once for each position."""
    require_hints(table, seat, on, visitor)
    return Change(Hinted(visitor=visitor, seat=seat, on=on))


def _start(table: Table, message: m.Start, who: Who, at: str) -> Change:
    _require_host(table, who)
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


def _pause(table: Table, message: m.Pause | m.Resume, who: Who) -> AnyEntry:
    require_phase(table, "playing")
    seats_of(table, who.visitor)
    pause = isinstance(message, m.Pause)
    if pause == table.paused:
        raise Refusal("table.paused" if pause else "table.not_paused")
    return Paused(on=pause)


def _agree(table: Table, message: m.Agree, who: Who) -> AnyEntry:
    require_phase(table, "playing")
    seats_of(table, who.visitor)
    asked = {sitting.visitor for sitting in table.seats if sitting.kind == "person" and not sitting.left}
    agreeing = table.agreeing | {who.visitor}
    if message.on and asked <= agreeing and table.snapshot is not None:
        return _ended(table.snapshot.state)
    return Agreed(on=message.on)


def close(table: Table) -> Change | None:
    """Close a table that was made under other rules and is not over; ``None`` if it is not one."""
    if not table.other_rules or table.phase in ("over", "closed"):
        return None
    return Change(Closed(rules=table.game.version))


def follow(visitor: str, message_id: str, next_table: str) -> Change:
    return Change(Followed(visitor=visitor, id=message_id, table=next_table))


# -- seats -------------------------------------------------------------------------------------------------------------


def join(table: Table, visitor: str, *, message_id: str, name: str, value: str, seat: int | None) -> Seated:
    """Take a seat before the start: the one named, else one that waits for this visitor, else the first open one."""
    require_open(table)
    require_phase(table, "lobby")
    name = clean_name(name)
    if not name:
        raise Refusal("table.name")
    waiting = [at for at in table.held_by(visitor) if not table.seats[at].value]
    free = [at for at, sitting in enumerate(table.seats) if sitting.kind == "open"]
    if seat is None:
        if not waiting and not free:
            raise Refusal("table.full")
        seat = (waiting or free)[0]
    _sitting_at(table, seat)
    if seat not in waiting and seat not in free:
        raise Refusal("table.taken", seat=seat)
    others = [sitting.name for at, sitting in enumerate(table.seats) if at != seat and sitting.kind == "person"]
    if alike(name, others):
        raise Refusal("table.name_taken", name=name)
    if pretends(name, bots_called(table.game)):
        raise Refusal("table.name_bot", name=name)
    if titled(name):
        raise Refusal("table.name_title", name=name)
    person = Sitting(kind="person", name=name, visitor=visitor, value=value)
    entry = _seated(table, "join", put(table.seats, seat, person))
    entry = replace(entry, visitor=visitor, id=message_id, seat=seat)
    _require_quota(table, entry)
    return entry


def _arrange(table: Table, message: m.Arrange, who: Who) -> AnyEntry:
    _require_host(table, who)
    _require_not_continued(table)
    order = message.order
    old = [seat for seat in order if seat is not None]
    most = table.game.players[-1]
    if len(set(old)) < len(old) or len(order) > most:
        raise Refusal("table.order", most=most)
    for seat in old:
        _sitting_at(table, seat)
    seats = tuple(Sitting() if seat is None else table.seats[seat] for seat in order)
    return _seated(table, "arrange", seats)


def _place_bot(table: Table, message: m.PlaceBot, who: Who) -> AnyEntry:
    _require_host(table, who)
    if _sitting_at(table, message.seat).kind == "person":
        raise Refusal("table.taken", seat=message.seat)
    seats = put(table.seats, message.seat, bot_sitting(table.game, message.bot))
    return _seated(table, "place_bot", seats)


def _vacate(table: Table, message: m.Vacate, who: Who) -> AnyEntry:
    _require_host(table, who)
    _sitting_at(table, message.seat)
    return _seated(table, "vacate", put(table.seats, message.seat, Sitting()))


def _set_options(table: Table, message: m.SetOptions, who: Who) -> AnyEntry:
    _require_host(table, who)
    _require_not_continued(table)
    options = table.game.settled(max(len(table.seats), table.game.players[0]), message.options)
    return OptionsSet(visitor=who.visitor, id=message.id, options=options)


def _leave(table: Table, message: m.Leave, who: Who) -> AnyEntry:
    sitting = _own_sitting(table, message.seat, who.visitor)
    if table.phase == "lobby":
        gone = Sitting()
    elif table.phase == "playing" and not sitting.left:
        gone = replace(sitting, left=True)
    else:
        raise Refusal("table.phase", phase=table.phase)
    return _seated(table, "leave", put(table.seats, message.seat, gone))


def _take_over(table: Table, message: m.TakeOver, who: Who) -> AnyEntry:
    require_phase(table, "playing")
    seats_of(table, who.visitor)
    sitting = _sitting_at(table, message.seat)
    if sitting.kind != "person" or sitting.visitor == who.visitor:
        raise Refusal("table.here")
    if not sitting.left:
        _require_absent(table, sitting.visitor, who.now)
    stood_in = replace(sitting, stand_in=bot_sitting(table.game, message.bot).bot)
    return _seated(table, "take_over", put(table.seats, message.seat, stood_in))


def time_out(table: Table, seat: int, bot: str, now: float) -> Seated:
    """Let a bot play for the person to act, whose time is over, until they return."""
    left = table.clock.left(now)
    if table.clock.seat != seat or left is None or left > 0 or not table.attended:
        raise Refusal("table.stale", on=table.on)
    stood_in = replace(table.seats[seat], stand_in=bot_sitting(table.game, bot).bot)
    return _seated(table, "clock", put(table.seats, seat, stood_in))


def _return(table: Table, message: m.Return, who: Who) -> AnyEntry:
    require_phase(table, "playing")
    sitting = _own_sitting(table, message.seat, who.visitor)
    if sitting.playing:
        raise Refusal("table.not_stood_in", seat=message.seat)
    if table.clock.out(message.seat, len(table.written), who.now):
        raise Refusal("table.time")  # or letting the time run out and returning would give a new turn, for ever
    back = replace(sitting, left=False, stand_in="")
    return _seated(table, "return", put(table.seats, message.seat, back))


def _take_host(table: Table, message: m.TakeHost, who: Who) -> AnyEntry:
    seats_of(table, who.visitor)
    if table.host == who.visitor:
        raise Refusal("table.here")
    _require_absent(table, table.host, who.now)
    return Seated(why="take_host", seats=table.seats, host=who.visitor)


def bot_sitting(game: Game, name: str) -> Sitting:
    """A seat of this bot, which must be one of the game's."""
    known = bot_names(game)
    if name not in known:
        raise Refusal("table.no_bot", bot=name, game=game.name, known=", ".join(known))
    return Sitting(kind="bot", name=name, bot=name)


def _seated(table: Table, why: str, seats: tuple[Sitting, ...]) -> Seated:
    """The new seating; if the host had a seat and loses it, the next person becomes host."""
    host = table.host
    staying = [sitting.visitor for sitting in seats if sitting.kind == "person" and not sitting.left]
    if host not in staying and staying and table.held_by(host):
        host = staying[0]
    return Seated(why=why, seats=seats, host=host)


# -- chat --------------------------------------------------------------------------------------------------------------


def _say(table: Table, message: m.Say, who: Who) -> AnyEntry:
    seats = seats_of(table, who.visitor)
    seat = who.seat if who.seat in seats else seats[0]
    name = table.seats[seat].name if table.phase == "lobby" else ""
    if message.phrase is not UNSET and message.text is UNSET:
        return Said(seat=seat, phrase=message.phrase, name=name)
    if message.text is UNSET or message.phrase is not UNSET or table.table_rules.public:
        raise Refusal("table.say")
    text = clean_text(message.text)
    if not text:
        raise Refusal("table.unseen")
    return Said(seat=seat, text=text, name=name)


def _mute(table: Table, message: m.Mute, who: Who) -> AnyEntry:
    sitting = _sitting_at(table, message.seat)
    if not who.visitor:
        raise Refusal("table.not_seated")
    if sitting.kind != "person" or sitting.visitor == who.visitor:
        raise Refusal("table.no_seat", seat=message.seat)
    return Muted(whom=sitting.visitor, on=message.on)


_ENTRY_FOR: dict[type[Any], Callable[[Table, Any, Who], AnyEntry]] = {
    m.Undo: _undo,
    m.Say: _say,
    m.Mute: _mute,
    m.Arrange: _arrange,
    m.PlaceBot: _place_bot,
    m.Vacate: _vacate,
    m.SetOptions: _set_options,
    m.TakeHost: _take_host,
    m.Pause: _pause,
    m.Resume: _pause,
    m.TakeOver: _take_over,
    m.Return: _return,
    m.Leave: _leave,
    m.Agree: _agree,
}
"""All messages but those that draw (``act``, ``start``); :func:`propose` adds the sender and the id."""


# -- new tables --------------------------------------------------------------------------------------------------------

PUBLIC_CLOCK: Clock = 180
"""Seconds a turn at public tables: strangers should not have to wait for somebody who has left without a word."""


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
    settled, agreed = game.settled(count, options), settled_rules(table_rules, game)
    sittings = [Sitting()] * count
    for seat, bot in bots.items():
        if seat >= count:
            raise Refusal("table.no_seat", seat=seat)
        sittings[seat] = bot_sitting(game, bot)
    return _created(game, secret, visitor=visitor, options=settled, table_rules=agreed, seats=tuple(sittings), at=at)


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
    seats = tuple(Sitting() if seat == person else bot_sitting(game, bot) for seat in range(players))
    agreed = settled_rules(TableRules(hints=works(game.coach)), game)
    settled = game.settled(players, options)
    return _created(
        game,
        secret,
        visitor=visitor,
        options=settled,
        table_rules=agreed,
        seats=seats,
        at=at,
        inherited=inherited,
    )


def create_rematch(
    table: Table,
    visitor: str,
    *,
    secret: bytes,
    at: str,
    levels: Sequence[str] = (),
    company: Mapping[str, Sequence[str]] = {},
    step: int = 0,
) -> Created:
    """A new table with the same people and bots; persons' seats wait for them, since each brings a new value.

    With a ``step`` of 1 or -1 the bots' seats go to the next of these ``levels``, given weakest first: to its company,
    where the company of a level sits there.
    """
    require_open(table)
    require_phase(table, "over")
    seats_of(table, visitor)
    seats = tuple(
        replace(sitting, value="", left=False, stand_in="") if sitting.kind == "person" else sitting
        for sitting in table.seats
    )
    if step:
        places = [place for place, sitting in enumerate(seats) if sitting.kind == "bot"]
        before = [seats[place].bot for place in places]
        following = _stepped(before, levels if step > 0 else tuple(reversed(levels)), company)
        if following == before:
            raise Refusal("table.no_level")
        changed = {place: bot_sitting(table.game, bot) for place, bot in zip(places, following, strict=True)}
        seats = tuple(changed.get(place, sitting) for place, sitting in enumerate(seats))
    agreed, options = table.table_rules, table.options
    return _created(table.game, secret, visitor=visitor, options=options, table_rules=agreed, seats=seats, at=at)


def _stepped(bots: list[str], levels: Sequence[str], company: Mapping[str, Sequence[str]]) -> list[str]:
    """Who plays instead of these bots at the next level."""
    following = dict(itertools.pairwise(levels))
    together = [level for level in levels if len(bots) > 1 and bots == list(company.get(level, ())[: len(bots)])]
    if not together:
        return [following.get(bot, bot) for bot in bots]
    others = company.get(following.get(together[0], together[0]), ())
    return [*others[: len(bots)], *bots[len(others) :]]


def settled_rules(wanted: TableRules, game: Game) -> TableRules:
    """The rules of a new table of this game, with a clock; refuses what the game or the other rules do not allow."""
    if wanted.hints and not works(game.coach):
        raise Refusal("table.cannot", rule="hints", game=game.name)
    if wanted.hints and (wanted.public or wanted.one_device):
        raise Refusal("table.hints_private")
    if wanted.draw_first and FIRST not in {option.name for option in game.options}:
        raise Refusal("table.cannot", rule="draw_first", game=game.name)
    if wanted.clock is not None:
        return wanted
    return replace(wanted, clock=PUBLIC_CLOCK if wanted.public else 0)


def _created(game: Game, secret: bytes, **fields: Any) -> Created:
    return Created(game=game.name, rules=game.version, secret=secret.hex(), **fields)


# -- checks: each passes or refuses ------------------------------------------------------------------------------------


def require_open(table: Table) -> None:
    """The table is not closed, and not about to be."""
    if table.other_rules or table.phase == "closed":
        raise Refusal("table.closed")


def require_phase(table: Table, phase: Phase) -> None:
    if table.phase != phase:
        raise Refusal("table.phase", phase=table.phase)


def seats_of(table: Table, visitor: str) -> tuple[int, ...]:
    """The visitor's seats; there must be one."""
    seats = table.held_by(visitor)
    if not seats:
        raise Refusal("table.not_seated")
    return seats


def _playing_seat(table: Table, on: int, who: Who) -> int:
    """The sender's seat, which a person plays, in a game that goes on and has not changed since ``on``."""
    seat = who.seat
    if not who.visitor or seat is None or seat >= len(table.seats) or table.seats[seat].visitor != who.visitor:
        raise Refusal("table.not_seated")
    require_phase(table, "playing")
    if table.paused:
        raise Refusal("table.paused")
    if on != table.on:
        raise Refusal("table.stale", on=table.on)
    if not table.seats[seat].playing:
        raise Refusal("table.stood_in")
    return seat


def _require_host(table: Table, who: Who) -> None:
    """The host asks, before the start."""
    if not who.visitor or who.visitor != table.host:
        raise Refusal("table.not_host")
    require_phase(table, "lobby")


def _require_not_continued(table: Table) -> None:
    """A game that goes on from another's position keeps its number of seats and its options."""
    if table.inherited is not None:
        raise Refusal("table.continued")


def _require_quota(table: Table, entry: AnyEntry) -> None:
    """The table has room for one more entry of this kind."""
    standing = table.moves_of[entry.seat] if isinstance(entry, Undone) else 0
    table.usage.check(entry, table.phase, moves=len(table.written), standing=standing, actions=table.length)


def _require_absent(table: Table, visitor: str, now: float) -> None:
    """The visitor is away, and their grace is over."""
    if table.attendance.here(visitor):
        raise Refusal("table.here")
    grace = table.attendance.grace_left(visitor, now)
    if grace:
        raise Refusal("table.present", grace=grace)


def _sitting_at(table: Table, seat: int) -> Sitting:
    """The seat of that number, which must exist."""
    if seat >= len(table.seats):
        raise Refusal("table.no_seat", seat=seat)
    return table.seats[seat]


def _own_sitting(table: Table, seat: int, visitor: str) -> Sitting:
    """The seat of that number, which must be the visitor's own."""
    sitting = _sitting_at(table, seat)
    if not visitor or sitting.visitor != visitor:
        raise Refusal("table.not_yours", seat=seat)
    return sitting
