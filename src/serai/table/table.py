"""The table in memory: what the entries so far add up to. It only ever moves by :meth:`Table.absorb`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from serai.core.dealer import Dealer, commitment
from serai.core.game import Game
from serai.core.play import Play, retrace
from serai.core.registry import game as find_game
from serai.table.effects import Effect, Snapshot
from serai.table.entries import (
    Acted,
    Agreed,
    AnyEntry,
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
from serai.table.messages import Phase, SeatInfo, TableInfo
from serai.table.names import clean_name
from serai.table.phases import phase_after
from serai.table.presence import GRACE_SECONDS, Presence


class Table:
    """One table. ``id`` is public; everything else follows from the entries."""

    def __init__(self, table_id: str, created: Created, now: float, grace: float = GRACE_SECONDS) -> None:
        self.id = table_id
        self.game: Game = find_game(created.game)
        self.rules = created.rules
        self.public = created.public
        self.odds = created.odds and self.game.has_odds
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
        self.opening: Play | None = None
        self.undone = 0
        """How many actions were taken back so far."""
        self.line: list[tuple[Snapshot, Play]] = []
        """The game since its start, undone actions left out: each play with the snapshot before it."""
        self.written: list[tuple[int | None, tuple[str, ...]]] = []
        """The same in notation, the start included: who acted, and the actions."""
        self.muted: dict[str, frozenset[str]] = {}
        self.presence = Presence(now, grace)
        self.effects: list[Effect] = []
        self.n = -1
        """The number of the last entry."""
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
        return "" if actor is None or self.paused else self.seats[actor].player

    @property
    def undoable(self) -> int | None:
        """The seat that may take its last action back: nobody acted since, and chance had no part in it."""
        if self.phase != "playing" or not self.line:
            return None
        last = self.line[-1][1]
        return None if last.plies[-1].drawn else last.actor

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

    def info(self) -> TableInfo:
        """The table as everybody may see it."""
        host = self.held_by(self.host)
        result = self.result or Result((), ())
        return TableInfo(
            id=self.id,
            game=self.game.name,
            rules=self.rules,
            phase=self.phase,
            public=self.public,
            odds=self.odds,
            options=self.options,
            seats=tuple(self._seat_info(sitting) for sitting in self.seats),
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
        )

    # -- how it moves --------------------------------------------------------------------------------------------------

    def absorb(self, entry: AnyEntry, play: Play | None = None) -> Effect:
        """Take in an entry that has been stored; ``play`` spares working it out again."""
        before = self.snapshot
        self.phase = phase_after(self.phase, entry)
        changed = True
        match entry:
            case Seated():
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
            case Said():
                changed = False
            case Paused():
                self.paused = entry.on
            case Agreed():
                self.agreeing = self.agreeing | {entry.visitor} if entry.on else self.agreeing - {entry.visitor}
            case Followed():
                self.next = entry.table
        return self._remember(entry, before, self.snapshot, play, self.info() if changed else None)

    def first_state(self) -> Any:
        """The state before the set-up's draws."""
        return self.game.new(players=len(self.seats), **self.options)

    # -- details -------------------------------------------------------------------------------------------------------

    def _absorb_play(self, entry: Started | Acted, play: Play | None) -> Play | None:
        self.on += 1
        actor = None
        if isinstance(entry, Started):
            self.mix, self.date = entry.mix, entry.at
        else:
            actor, self.result = entry.seat, entry.result
        self.written.append((actor, entry.actions))
        self.drawn += len(entry.actions) - (actor is not None)
        if self.foreign:
            return None
        before = self.snapshot
        if play is None:
            state = self.first_state() if before is None else before.state
            play = retrace(state, map(self.game.parse, entry.actions))
        if before is None:
            self.opening = play
        else:
            if self.line:
                self.line[-1][0].forget()
            self.line.append((before, play))
        self.snapshot = Snapshot(play.after)
        return play

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
            holders = tuple(sitting.visitor for sitting in self.seats)
        else:
            holders = self.effects[-1].holders
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

    def _seat_info(self, sitting: Sitting) -> SeatInfo:
        person = sitting.kind == "person"
        return SeatInfo(
            kind=sitting.kind,
            name=clean_name(sitting.name),
            bot=sitting.player,
            joined=not person or bool(sitting.value),
            left=sitting.left,
            agrees=person and self.phase == "playing" and sitting.visitor in self.agreeing,
            value=sitting.value if self.mix else "",
        )


def load(table_id: str, entries: list[AnyEntry], now: float, grace: float = GRACE_SECONDS) -> Table:
    """The table that these entries add up to."""
    created = entries[0]
    if not isinstance(created, Created):
        raise TypeError("a table's first entry says how it was created")
    table = Table(table_id, created, now, grace)
    for entry in entries[1:]:
        table.absorb(entry)
    return table
