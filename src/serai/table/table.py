"""The table in memory: what the entries so far add up to. It only ever moves by :meth:`Table.absorb`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from serai.core.dealer import Dealer, commitment
from serai.core.game import Game
from serai.core.option import FIRST
from serai.core.play import Play, retrace
from serai.core.registry import game as find_game
from serai.table import chain
from serai.table.bounds import Tally
from serai.table.chain import Stored
from serai.table.clock import DAY, TurnClock
from serai.table.effects import Effect, Snapshot
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
)
from serai.table.messages import Phase, SeatInfo, TableInfo
from serai.table.names import clean_name
from serai.table.phases import phase_after
from serai.table.presence import GRACE_SECONDS, Presence

_T = TypeVar("_T")


class Table:
    """One table. ``id`` is public; everything else follows from the entries."""

    def __init__(
        self, table_id: str, created: Created, now: float, grace: float = GRACE_SECONDS, link: bytes = b""
    ) -> None:
        self.id = table_id
        self.game: Game = find_game(created.game)
        self.rules = created.rules
        agreed = created.table_rules
        self.table_rules = replace(
            agreed,
            odds=agreed.odds and self.game.tells_odds,
            hints=agreed.hints and self.game.has_coach,
            advice=agreed.advice and self.game.has_advice,
        )
        self.options = created.options
        self.seats: tuple[Sitting, ...] = created.seats
        self.host = created.visitor
        self.phase: Phase = "lobby"
        self.foreign = created.rules != self.game.version
        """Made under other rules: its entries are kept and read, but never played out."""
        self.result: Result | None = None
        self.mix = ""
        self.date = ""
        self.paused = False
        self.agreeing: frozenset[str] = frozenset()
        self.ended_by_agreement = False
        self.next = ""
        self.on = 0
        self.drawn = 0
        self.snapshot: Snapshot | None = None
        self.inherited = created.inherited
        self.opening: Play | None = None
        self.undone = 0
        """How many actions were taken back so far."""
        self.line: list[tuple[Snapshot, Play]] = []
        """The game since its start, undone actions left out: each play with the snapshot before it."""
        self.written: list[tuple[int | None, tuple[str, ...]]] = []
        """The same in notation, the start included: who acted, and the actions."""
        self.muted: dict[str, frozenset[str]] = {}
        self.hinted: dict[int, frozenset[int]] = {}
        """By seat: the positions in which it was told what the coach would do, by their ``on``."""
        self.presence = Presence(now, grace)
        self.tally = Tally()
        self.guests: set[str] = set()
        """Every visitor who ever did something here or had a seat: nobody else sees anything of their own."""
        self.clock = TurnClock(agreed.clock or 0)
        self._values: dict[Any, Any] = {}
        """Values that come again and again, by themselves: a lobby's history is made of few sittings."""
        self.effects: list[Effect] = []
        self.n = -1
        """The number of the last entry."""
        self.link = link
        """Its link; empty at a table that was never kept."""
        self.head = b""
        """The link of the entry that brought the end; empty before."""
        self._secret = bytes.fromhex(created.secret)
        self.commit = commitment(self._secret)
        self._seen_ids: dict[tuple[str, str], int] = {}
        self._remember(created, None, None, None, self.info())

    # -- what it is ----------------------------------------------------------------------------------------------------

    @property
    def actor(self) -> int | None:
        """The seat to act in a game that is going on."""
        if self.phase != "playing" or self.snapshot is None:
            return None
        actor = self.snapshot.state.actor
        return actor if isinstance(actor, int) else None

    @property
    def bot_to_act(self) -> str:
        """The bot that is to act now, or an empty text."""
        actor = self.actor
        return "" if actor is None or self.paused or self.deserted else self.seats[actor].player

    @property
    def undoable(self) -> int | None:
        """The seat that may take its last action back: nobody acted since, and chance had no part in it."""
        if self.phase != "playing" or not self.line:
            return None
        last = self.line[-1][1]
        return None if last.plies[-1].drawn else last.actor

    @property
    def attended(self) -> bool:
        """Whether anybody who has a seat is there."""
        return any(sitting.visitor and self.presence.here(sitting.visitor) for sitting in self.seats)

    @property
    def deserted(self) -> bool:
        """Whether bots stand in for everybody who has not left, and nobody is there: the game waits for one of them."""
        people = [sitting for sitting in self.seats if sitting.kind == "person" and not sitting.left]
        return bool(people) and all(sitting.stand_in for sitting in people) and not self.attended

    @property
    def people(self) -> int:
        """How many people who sit here are here."""
        return sum(sitting.kind == "person" and self.presence.here(sitting.visitor) for sitting in self.seats)

    def held_by(self, visitor: str) -> tuple[int, ...]:
        """The seats of this visitor."""
        return tuple(seat for seat, sitting in enumerate(self.seats) if visitor and sitting.visitor == visitor)

    def muted_by(self, visitor: str) -> tuple[int, ...]:
        """The seats whose persons this visitor does not hear."""
        whom = self.muted.get(visitor, frozenset())
        return tuple(seat for seat, sitting in enumerate(self.seats) if sitting.visitor in whom)

    def hints_of(self, seat: int) -> frozenset[int]:
        """The positions in which this seat was told what the coach would do."""
        return self.hinted.get(seat, frozenset())

    def plays(self) -> Iterator[Play]:
        """The game as it stands, from the start on, undone actions left out."""
        if self.opening is not None:
            yield self.opening
        for _, play in self.line:
            yield play

    def forget_views(self) -> None:
        """Drop the views of earlier snapshots, which a look back has brought up again."""
        for snapshot, _ in self.line:
            if snapshot is not self.snapshot:
                snapshot.forget()

    def known(self, visitor: str, message_id: str) -> int | None:
        """The number of the entry that this message became, if it was heard before."""
        return self._seen_ids.get((visitor, message_id))

    def dealer(self) -> Dealer:
        """A dealer for the next draws; the table itself moves only when they are absorbed."""
        return Dealer(self._secret, bytes.fromhex(self.mix) if self.mix else None, self.drawn)

    def secret(self) -> str:
        """The dealer's secret in hex, once the game can go on no more; empty before."""
        return self._secret.hex() if self.phase in ("over", "closed") else ""

    def next_link(self, entry: bytes) -> bytes:
        """The link of the entry that comes next, as it is stored."""
        return chain.link_of(self._secret, self.link, self.n + 1, entry)

    def read(self, stored: Stored) -> AnyEntry:
        """The entry that comes next, from the store; ``Damaged`` if it is not what was kept."""
        return chain.read(self.id, self._secret, self.link, self.n + 1, stored)

    def info(self) -> TableInfo:
        """The table as everybody may see it."""
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

    # -- how it moves --------------------------------------------------------------------------------------------------

    def absorb(self, entry: AnyEntry, play: Play | None = None, link: bytes = b"") -> Effect:
        """Take in an entry that has been stored with that link; ``play`` spares working it out again."""
        before, phase = self.snapshot, self.phase
        self.tally.count(entry, phase)
        self.phase = phase_after(phase, entry)
        self.link = link
        if phase != self.phase and self.phase in ("over", "closed"):
            self.head = link
        changed = True
        match entry:
            case Seated():
                entry = replace(entry, seats=tuple(map(self._same, entry.seats)))
                self.seats, self.host = entry.seats, entry.host
            case OptionsSet():
                self.options = entry.options
            case Started() | Acted():
                play = self._absorb_play(entry, play)
                changed = isinstance(entry, Started) or entry.result is not None
            case Undone():
                self.on += 1
                self.undone += 1
                self.written.pop()
                if not self.foreign:
                    self.snapshot, _ = self.line.pop()
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
                self.hinted[entry.seat] = self.hints_of(entry.seat) | {entry.on}
            case Said():
                changed = False
            case Paused():
                self.paused = entry.on
            case Agreed():
                self.agreeing = self.agreeing | {entry.visitor} if entry.on else self.agreeing - {entry.visitor}
            case Followed():
                self.next = entry.table
        return self._remember(entry, before, self.snapshot, play, self.info() if changed else None)

    def time(self, now: float, *, attended: bool | None = None) -> None:
        """Let the clock follow how the table stands: whose turn it is, and whether time counts."""
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
        """What comes before the first draw of this table: nothing, or all that was taken over from another game.

        ``first`` if it was drawn who begins.
        """
        options = self.options if first is None else {**self.options, FIRST: first}
        taken_over = self.inherited.actions if self.inherited is not None else ()
        return retrace(self.game.new(players=len(self.seats), **options), map(self.game.parse, taken_over))

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
        self.written.append((actor, entry.actions))
        self.drawn += len(entry.actions) - (actor is not None)
        if self.inherited is not None and actor is None:
            self.written = [(None, self.inherited.actions + entry.actions)]
        if self.foreign:
            return None
        before = self.snapshot
        if before is None:
            past = self.past()
            play = play or self._retraced(past.after, entry)
            self.drawn += len(past.draws)
            self.opening = Play(None, past.before, past.plies + play.plies, play.after)
        else:
            play = play or self._retraced(before.state, entry)
            if self.line:
                self.line[-1][0].forget()
            self.line.append((before, play))
        self.snapshot = Snapshot(play.after, shared=self.table_rules.one_device)
        return play

    def _retraced(self, state: Any, entry: Started | Acted) -> Play:
        return retrace(state, map(self.game.parse, entry.actions))

    def _remember(
        self,
        entry: AnyEntry,
        before: Snapshot | None,
        after: Snapshot | None,
        play: Play | None,
        info: TableInfo | None,
    ) -> Effect:
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
            after=after,
            play=play,
            info=info,
            offers=offers,
            undo=self.undoable,
            unheard=unheard,
            muted=self.muted_by(entry.visitor) if isinstance(entry, Muted) else (),
            holders=holders,
        )
        self.effects.append(effect)
        if entry.id:
            self._seen_ids[entry.visitor, entry.id] = effect.n
        return effect

    def _same(self, value: _T) -> _T:
        """An equal value that is in use already, or this one."""
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
    """The table that these entries add up to; ``Damaged`` if they are not what was kept.

    ``wall`` is what a clock on the wall shows ``now``; with it, the table's own clock is what it was.
    """
    entries = chain.history(table_id, stored)
    created = next(entries)
    assert isinstance(created, Created)
    table = Table(table_id, created, now, grace, stored[0].link)
    for one, entry in zip(stored[1:], entries, strict=True):
        table.absorb(entry, link=one.link)
        if wall and entry.when:
            table.time(now - max(wall - entry.when, 0.0), attended=True)
    table.time(now)
    return table
