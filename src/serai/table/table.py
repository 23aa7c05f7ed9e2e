"""A table in memory: what its entries add up to. It changes only by :meth:`Table.absorb`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from serai.core.dealer import Dealer, commitment
from serai.core.game import Action, Game, State
from serai.core.option import FIRST
from serai.core.parts import works
from serai.core.play import Play, retrace
from serai.core.registry import game as find_game
from serai.table import chain
from serai.table.chain import Stored
from serai.table.clock import DAY, GRACE_SECONDS, Attendance, TurnClock
from serai.table.entries import (
    Acted,
    Agreed,
    AnyEntry,
    Created,
    Ended,
    Followed,
    Hinted,
    Muted,
    OptionsSet,
    Paused,
    Result,
    Said,
    Seated,
    Sitting,
    Started,
    Undone,
    phase_after,
)
from serai.table.names import clean_name
from serai.table.quotas import Usage
from serai.wire.frames import Phase, SeatInfo, TableInfo

_T = TypeVar("_T")


class Snapshot:
    """A state of the game with a cache of its views.

    ``shown``: nothing is hidden any more. ``shared``: all look at one screen.
    """

    __slots__ = ("_actions", "_views", "shared", "shown", "state")

    def __init__(self, state: State, shown: bool = False, shared: bool = False) -> None:
        self.state = state
        self.shown = shown
        self.shared = shared
        self._views: dict[int | None, Any] = {}
        self._actions: tuple[Any, ...] | None = None

    def view(self, seat: int | None) -> State:
        if self.shown:
            return self.state
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self.state.seen_by(seat)
        return view

    def eyes(self, seat: int | None) -> int | None:
        """The seat whose view this seat gets: its own, or on a shared screen an onlooker's, which everybody may see."""
        return None if self.shared else seat

    def actions(self) -> tuple[Action, ...]:
        if self._actions is None:
            self._actions = self.state.actions()
        return self._actions

    def forget(self) -> None:
        self._views.clear()
        self._actions = None


class Effect(msgspec.Struct, frozen=True):
    """What one entry did to the table: all that a frame for any viewer is made from."""

    n: int
    on: int
    entry: AnyEntry
    before: Snapshot | None
    after: Snapshot | None
    play: Play | None
    info: TableInfo | None
    """The table after the entry, if that changed."""
    offers: int | None
    """The seat whose person is to act now."""
    undo: int | None
    """The seat that may undo its last action now."""
    unheard: frozenset[str]
    """For chat: visitors who do not hear it."""
    muted: tuple[int, ...]
    """For a mute: the seats that its visitor does not hear from now on."""
    holders: tuple[str, ...]
    """The visitor behind each seat."""


class Table:
    """One table: its id, and what follows from its entries."""

    def __init__(
        self, table_id: str, created: Created, now: float, grace: float = GRACE_SECONDS, link: bytes = b""
    ) -> None:
        self.id = table_id
        self.game: Game = find_game(created.game)
        self.rules = created.rules
        agreed = created.table_rules
        self.table_rules = replace(
            agreed,
            odds=agreed.odds and works(self.game.odds),
            hints=agreed.hints and works(self.game.coach),
            advice=agreed.advice and works(self.game.advice),
        )
        self.options = self.game.options_under(created.rules, created.options)
        self.seats: tuple[Sitting, ...] = created.seats
        self.host = created.visitor
        self.phase: Phase = "lobby"
        self.other_rules = not self.game.plays(created.rules)
        """Whether it was made under rules that are not played here: then its entries are read, but never played out."""
        self.result: Result | None = None
        self.mix = ""
        self.date = ""
        self.paused = False
        self.agreeing: frozenset[str] = frozenset()
        self.ended_by_agreement = False
        self.next = ""
        self.on = 0
        self.drawn = 0
        self.length = 0
        """How many actions its record has, those of another game that it goes on from among them."""
        self.snapshot: Snapshot | None = None
        self.inherited = created.inherited
        self._past: tuple[dict[str, Any], Play] | None = None
        """What comes before the first draw, once it was traced, with the options it was traced for."""
        self.opening: Play | None = None
        self.undone = 0
        """How many actions were undone so far."""
        self.turns: list[tuple[Snapshot, Play]] = []
        """The game since its start, without undone actions: each play with the snapshot before it."""
        self.written: list[tuple[int | None, tuple[str, ...]]] = []
        """The same in notation, with the start: the seat that acted, and the actions."""
        self.moves_of: Counter[int | None] = Counter()
        """By seat: how many of these are its own."""
        self.muted: dict[str, frozenset[str]] = {}
        self.hinted: defaultdict[int, set[int]] = defaultdict(set)
        """By seat: the positions for which it was given hints, by their ``on``."""
        self.attendance = Attendance(now, grace)
        self.usage = Usage()
        self.guests: set[str] = set()
        """Every visitor who ever acted here or had a seat; all others see the same frames."""
        self.clock = TurnClock(agreed.clock or 0)
        self._values: dict[Any, Any] = {}
        """Equal values are stored once: a lobby's history repeats the same few sittings."""
        self.effects: list[Effect] = []
        self.said: list[tuple[Effect, Said]] = []
        """Those of them that are talk."""
        self.n = -1
        """The number of the last entry."""
        self.link = link
        """The link of the last entry; empty at a table that was never stored."""
        self.head = b""
        """The link of the entry that ended the game; empty before."""
        self._secret = bytes.fromhex(created.secret)
        self.commit = commitment(self._secret)
        self._dealer: Dealer | None = None
        """That of the game, once it has begun."""
        self._seen_ids: dict[tuple[str, str], int] = {}
        self._remember(created, None, None, self.info())

    # -- how it stands -------------------------------------------------------------------------------------------------

    @property
    def actor(self) -> int | None:
        """The seat to act; ``None`` unless a game is going on."""
        if self.phase != "playing" or self.snapshot is None:
            return None
        actor = self.snapshot.state.actor
        return actor if isinstance(actor, int) else None

    @property
    def bot_to_act(self) -> str:
        actor = self.actor
        return "" if actor is None or self.paused or self.deserted else self.seats[actor].player

    @property
    def undoable(self) -> int | None:
        """The seat that may undo its last action: nobody has acted since, and nothing was drawn."""
        if self.phase != "playing" or not self.turns:
            return None
        last = self.turns[-1][1]
        return None if last.plies[-1].drawn else last.actor

    @property
    def attended(self) -> bool:
        """Whether anybody who has a seat is connected."""
        return any(sitting.visitor and self.attendance.here(sitting.visitor) for sitting in self.seats)

    @property
    def deserted(self) -> bool:
        """Whether the game waits: bots stand in for every person who has not left, and none of them is connected."""
        people = [sitting for sitting in self.seats if sitting.kind == "person" and not sitting.left]
        return bool(people) and all(sitting.stand_in for sitting in people) and not self.attended

    @property
    def people(self) -> int:
        """How many seats have their person connected."""
        return sum(sitting.kind == "person" and self.attendance.here(sitting.visitor) for sitting in self.seats)

    def held_by(self, visitor: str) -> tuple[int, ...]:
        return tuple(seat for seat, sitting in enumerate(self.seats) if visitor and sitting.visitor == visitor)

    def muted_by(self, visitor: str) -> tuple[int, ...]:
        whom = self.muted.get(visitor, frozenset())
        return tuple(seat for seat, sitting in enumerate(self.seats) if sitting.visitor in whom)

    def hints_of(self, seat: int) -> AbstractSet[int]:
        """The positions for which this seat was given hints."""
        return self.hinted[seat]

    def plays(self) -> Iterator[Play]:
        """The game from its start on, without undone actions."""
        if self.opening is not None:
            yield self.opening
        for _, play in self.turns:
            yield play

    def forget_views(self, effects: Iterable[Effect]) -> None:
        """Empty the caches of earlier snapshots, after frames were made from these effects."""
        for effect in effects:
            for snapshot in (effect.before, effect.after):
                if snapshot is not None and snapshot is not self.snapshot:
                    snapshot.forget()

    def known(self, visitor: str, message_id: str) -> int | None:
        """The number of the entry that this message became, if it is a repeat."""
        return self._seen_ids.get((visitor, message_id))

    def dealer(self) -> Dealer:
        """A dealer for the next draws. The table does not change before their entry is absorbed."""
        if not self.mix:
            return Dealer(self._secret, None, self.drawn)
        if self._dealer is None:
            self._dealer = Dealer(self._secret, bytes.fromhex(self.mix))
        self._dealer.drawn = self.drawn  # whatever a move drew that was never stored
        return self._dealer

    def secret(self) -> str:
        """The dealer's secret in hex once the game is over or closed; empty before."""
        return self._secret.hex() if self.phase in ("over", "closed") else ""

    def next_link(self, entry: bytes) -> bytes:
        """The link of the next entry, given as it will be stored."""
        return chain.link_of(self._secret, self.link, self.n + 1, entry)

    def read(self, stored: Stored) -> AnyEntry:
        """The next entry, read from the store; ``Damaged`` if it does not fit the chain."""
        return chain.read(self.id, self._secret, self.link, self.n + 1, stored)

    def info(self) -> TableInfo:
        """The table as everybody sees it."""
        host = self.held_by(self.host)
        result = self.result or Result((), ())
        return TableInfo(
            id=self.id,
            game=self.game.name,
            rules=self.rules,
            phase=self.phase,
            table_rules=self.table_rules,
            options=self.options,
            seats=self._same(tuple(self._same(self._seat_info(seat)) for seat in range(len(self.seats)))),
            host=host[0] if host else None,
            commit=self.commit,
            mix=self.mix,
            secret=self.secret(),
            paused=self.paused,
            agreed=self.ended_by_agreement,
            scores=result.scores,
            winners=result.winners,
            next=self.next,
            notice="table.rules" if self.phase == "closed" else "",
            hides=self.game.hides,
            continued=self.inherited is not None,
        )

    @property
    def size(self) -> int:
        """How much it holds in memory: its entries, and the actions of another game that it goes on from."""
        return self.n + (0 if self.inherited is None else len(self.inherited.actions))

    # -- how it moves --------------------------------------------------------------------------------------------------

    def absorb(self, entry: AnyEntry, play: Play | None = None, link: bytes = b"") -> Effect:
        """Take in a stored entry and its link; ``play``, if known already, saves replaying its actions."""
        before, phase = self.snapshot, self.phase
        self.usage.count(entry, phase)
        if isinstance(entry, Seated):
            entry = replace(entry, seats=tuple(map(self._same, entry.seats)))
        self.phase, self.seats = self.standing_after(entry)
        self.link = link
        if phase != self.phase and self.phase in ("over", "closed"):
            self.head = link
        changed = True
        match entry:
            case Seated():
                self.host = entry.host
            case OptionsSet():
                self.options = entry.options
            case Started() | Acted():
                play = self._absorb_play(entry, play)
                changed = isinstance(entry, Started) or entry.result is not None
            case Undone():
                self.on += 1
                self.undone += 1
                seat, actions = self.written.pop()
                self.moves_of[seat] -= 1
                self.length -= len(actions)
                if not self.other_rules:
                    self.snapshot, _ = self.turns.pop()
                changed = False
            case Ended():
                self.on += 1
                self.result, self.ended_by_agreement = entry.result, True
                if before is not None:
                    self.snapshot = Snapshot(before.state, shown=True)
            case Muted():
                others = self.muted.get(entry.visitor, frozenset()) - {entry.whom}
                self.muted[entry.visitor] = others | {entry.whom} if entry.on else others
                changed = False
            case Hinted():
                self.hinted[entry.seat].add(entry.on)
            case Said():
                changed = False
            case Paused():
                self.paused = entry.on
            case Agreed():
                self.agreeing = self.agreeing | {entry.visitor} if entry.on else self.agreeing - {entry.visitor}
            case Followed():
                self.next = entry.table
        return self._remember(entry, before, play, self.info() if changed else None)

    def standing_after(self, entry: AnyEntry) -> tuple[Phase, tuple[Sitting, ...]]:
        """The phase and the seats after this entry, whether it is absorbed yet or not."""
        return phase_after(self.phase, entry), entry.seats if isinstance(entry, Seated) else self.seats

    def time(self, now: float, *, attended: bool | None = None) -> None:
        """Bring the turn clock up to date: whose turn it is, and whether time counts."""
        there = self.attended if attended is None else attended
        actor, rests = self.actor, self.clock.seconds < DAY and not there
        self.clock.follow(
            actor,
            len(self.written),
            timed=actor is not None and self.seats[actor].own,
            stands=self.paused or self.phase != "playing" or rests,
            now=now,
        )

    def past(self, first: int | None = None) -> Play:
        """What comes before this table's first draw: nothing, or the actions inherited from another game.

        ``first``: the seat that was drawn to begin, if it was drawn.
        """
        options = self.options if first is None else {**self.options, FIRST: first}
        if self._past is None or self._past[0] != options:
            self.remember_past(options, self.tracing(options)())
        assert self._past is not None
        return self._past[1]

    def tracing(
        self, options: dict[str, Any], pace: Callable[[Iterable[Action]], Iterable[Action]] = iter
    ) -> Callable[[], Play]:
        """A function for any thread that plays out what was inherited, which takes long after a long game."""
        inherited = self.inherited.actions if self.inherited is not None else ()
        new, parse = partial(self.game.new, players=len(self.seats), **options), self.game.parse
        return lambda: retrace(new(), pace(map(parse, inherited)))

    def remember_past(self, options: dict[str, Any], past: Play) -> None:
        """Keep what :meth:`tracing` found for these options until the game has begun."""
        self._past = (options, past)

    # -- details -------------------------------------------------------------------------------------------------------

    def _absorb_play(self, entry: Started | Acted, play: Play | None) -> Play | None:
        self.on += 1
        actor = None
        if isinstance(entry, Started):
            self.mix, self.date = entry.mix, entry.at
            if entry.first is not None:
                self.options = {**self.options, FIRST: entry.first}
        else:
            actor, self.result = entry.seat, entry.result
        actions = entry.actions
        if self.inherited is not None and actor is None:
            actions = self.inherited.actions + actions
        self.written.append((actor, actions))
        self.moves_of[actor] += 1
        self.length += len(actions)
        self.drawn += len(entry.actions) - (actor is not None)
        if self.other_rules:
            return None
        before = self.snapshot
        if before is None:
            past = self.past()
            play = play or self._retraced(past.after, entry)
            self.drawn += len(past.draws)
            self.opening = Play(None, past.before, past.plies + play.plies, play.after)
            self._past = None
        else:
            play = play or self._retraced(before.state, entry)
            if self.turns:
                self.turns[-1][0].forget()
            self.turns.append((before, play))
        self.snapshot = Snapshot(play.after, shared=self.table_rules.one_device)
        return play

    def _retraced(self, state: State, entry: Started | Acted) -> Play:
        return retrace(state, map(self.game.parse, entry.actions))

    def _remember(self, entry: AnyEntry, before: Snapshot | None, play: Play | None, info: TableInfo | None) -> Effect:
        unheard: frozenset[str] = frozenset()
        if isinstance(entry, Said):
            unheard = frozenset(who for who, whom in self.muted.items() if entry.visitor in whom)
        actor = self.actor
        offers = None if actor is None or self.paused or not self.seats[actor].playing else actor
        if isinstance(entry, Created | Seated):
            holders = self._same(tuple(sitting.visitor for sitting in self.seats))
            self.guests.update(holders)
        else:
            holders = self.effects[-1].holders
        self.guests.add(entry.visitor)
        self.n += 1
        effect = Effect(
            n=self.n,
            on=self.on,
            entry=entry,
            before=before,
            after=self.snapshot,
            play=play,
            info=info,
            offers=offers,
            undo=self.undoable,
            unheard=unheard,
            muted=self.muted_by(entry.visitor) if isinstance(entry, Muted) else (),
            holders=holders,
        )
        self.effects.append(effect)
        if isinstance(entry, Said):
            self.said.append((effect, entry))
        if entry.id:
            self._seen_ids[entry.visitor, entry.id] = effect.n
        return effect

    def _same(self, value: _T) -> _T:
        """The first equal value that was given."""
        same: _T = self._values.setdefault(value, value)
        return same

    def _seat_info(self, seat: int) -> SeatInfo:
        sitting = self.seats[seat]
        person = sitting.kind == "person"
        return SeatInfo(
            kind=sitting.kind,
            name=clean_name(sitting.name),
            bot=sitting.player,
            joined=not person or bool(sitting.value),
            left=sitting.left,
            agrees=person and self.phase == "playing" and sitting.visitor in self.agreeing,
            value=sitting.value if self.mix else "",
            hints=len(self.hints_of(seat)),
        )


def load(table_id: str, stored: Sequence[Stored], now: float, grace: float = GRACE_SECONDS, wall: float = 0.0) -> Table:
    """The table of these entries; ``Damaged`` if one is missing or was changed.

    ``wall`` is the wall-clock time at ``now``; with it, the turn clock stands where it was.
    """
    entries = chain.history(table_id, stored)
    created = next(entries)
    assert isinstance(created, Created)
    table = Table(table_id, created, now, grace, stored[0].chained)
    for row, entry in zip(stored[1:], entries, strict=True):
        table.absorb(entry, link=row.chained)
        if wall and entry.when:
            table.time(now - max(wall - entry.when, 0.0), attended=True)
    table.time(now)
    return table
