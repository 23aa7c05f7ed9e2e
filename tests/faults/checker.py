"""Proves of a recorded history that each table was one sequence, and that nobody saw more of it than they may.

What the store has in the end is the sequence. Everything that clients were answered and told has to agree with it:

* no server failed by itself;
* every acknowledged message is there once, as the entry of its number, and says what was asked; a refused one is not
  there; one of which nobody knows is there at most once; and nothing is there that nobody asked for;
* the order agrees with real time: whatever anybody was answered or shown before a message was first sent comes before;
* every line told the same sequence, without a gap and never going back behind what its client knew;
* what was read by REST was so at some time, and pages of frames fit together, wherever each came from;
* it can be played by the rules, and its record verifies;
* what bots and clocks did was written by whoever held the table then: never by one that others had taken it from;
* each seat was shown what the game's own ``seen_by`` allows and nothing else; the secret only once the game had ended;
  tokens, and the names that tables have for visitors, never.
"""

from __future__ import annotations

import bisect
import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from serai.core.record import Record, verify
from serai.core.registry import game as find_game
from serai.errors import SeraiError
from serai.table.entries import (
    Acted,
    Agreed,
    AnyEntry,
    Created,
    Ended,
    Followed,
    Muted,
    Said,
    Seated,
    Started,
    Undone,
)
from serai.table.records import record
from serai.table.table import Table
from tests.faults.history import FAILED, History, Line, Try
from tests.faults.views import Views, difference, plain

Kind = Literal[
    "error",
    "gap",
    "rules",
    "behind",
    "lost",
    "doubled",
    "refused",
    "invented",
    "altered",
    "order",
    "stale",
    "forked",
    "hidden",
    "secret",
]
Stored = Sequence[tuple[int, AnyEntry]]
"""A table's entries with their numbers, as the store has them in the end."""

STALE = "table.stale"
OK, NOT_FOUND, AWAY = 200, 404, 503
NOT_THERE, NOT_YOURS = 4404, 4409
"""Codes with which a line is closed: no such table, no such seat."""


class Violation(msgspec.Struct, frozen=True):
    """Something that must not be."""

    kind: Kind
    table: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}, table {self.table}: {self.text}"


def check(history: History, stored: Mapping[str, Stored]) -> list[Violation]:
    """Everything that is wrong with this history; an empty list if all is well."""
    found: list[Violation] = []
    for table in history.tables():
        of_table = _OfTable(table, history, stored.get(table, ()))
        found += [Violation(kind, table, text) for kind, text in of_table.check()]
    return found


Found = Iterator[tuple[Kind, str]]


class _OfTable:
    """What was written down about one table."""

    def __init__(self, table: str, history: History, stored: Stored) -> None:
        self.id = table
        self.lines = [line for line in history.lines if line.table == table]
        self.stored = stored
        self.tokens = history.tokens
        self.writers = history.writers.get(table, {})
        self.holders = history.holders.get(table, [])
        self.asked: dict[tuple[str, str], list[Try]] = {}
        for one in history.tries:
            if one.table == table:
                self.asked.setdefault((one.visitor, one.id), []).append(one)
        self.reads = [read for read in history.reads if read.table == table]
        self.infos: list[Any] = []
        """How the table presented itself, as it was played."""
        self.records: set[str] = set()
        """Its record, likewise."""
        self.entries = dict(stored)
        self.where: dict[tuple[str, str], list[int]] = {}
        """The numbers of the entries that each message became."""
        for n, entry in stored:
            if entry.id:
                self.where.setdefault((entry.visitor, entry.id), []).append(n)

    def check(self) -> Found:
        yield from self._whole()
        yield from self._leases()
        yield from self._answers()
        yield from self._order()
        yield from self._turned_away()
        table = yield from self._replayed()
        yield from self._reads()
        if table is not None:
            yield from self._told(table)

    # -- the sequence itself -------------------------------------------------------------------------------------------

    def _whole(self) -> Found:
        numbers = [n for n, _ in self.stored]
        for at, n in enumerate(numbers):
            if n != at:
                yield "gap", f"the store has entry {n} where {at} should be"
                return
        for (_, message), became in self.where.items():
            if len(became) > 1:
                yield "doubled", f"message {message} became the entries {_listed(became)}"

    def _replayed(self) -> Generator[tuple[Kind, str], None, Table | None]:
        """Play the entries by the rules: the table that they add up to, if they can be played."""
        table: Table | None = None
        try:
            for n, entry in self.stored:
                if n == 0 and isinstance(entry, Created):
                    table = Table(self.id, entry, 0.0)
                    self._present(table)
                    continue
                if table is None or n != table.n + 1:
                    return None
                actor = table.actor
                if isinstance(entry, Acted) and entry.seat != actor:
                    yield "rules", f"entry {n} is by seat {entry.seat}, and seat {actor} was to act"
                    return None
                if isinstance(entry, Acted) and not entry.visitor and not table.seats[entry.seat].player:
                    yield "invented", f"entry {n} is by nobody, and seat {actor} is played by a person"
                table.absorb(entry)
                self._present(table)
            if table is not None and table.phase == "over":
                verify(Record.read(record(table).write()))
        except (SeraiError, ValueError, LookupError) as error:
            yield "rules", f"entry {table.n + 1 if table else 0} cannot be played, or the record not verified: {error}"
            return None
        return table

    def _present(self, table: Table) -> None:
        """Keep how the table would be told of by REST, if anybody asked."""
        asked = {read.what for read in self.reads}
        if "table" in asked:
            self.infos.append(plain(table.info()))
        if "record" in asked:
            self.records.add(_unchained(record(table).write()))

    def _reads(self) -> Found:
        """What was told by REST is what was so at some time, and nothing more."""
        for read in self.reads:
            if read.status == NOT_FOUND:
                yield "lost", f"{read.client} was told that there is no such table"
            elif read.status == AWAY:
                continue
            elif read.status != OK:
                yield "error", f"{read.client} was answered with {read.status}: {read.text[:100]}"
            elif read.what == "record" and self.records and _unchained(read.text) not in self.records:
                yield "forked", f"{read.client} was given a record that the table never had: {read.text[-200:]!r}"
            elif read.what == "table" and self.infos and json.loads(read.text)["table"] not in self.infos:
                yield "forked", f"{read.client} was told of the table what it never was: {read.text[:200]}"

    def _leases(self) -> Found:
        """Follow the lease from server to server, along with the bots' actions."""
        at = 0
        for n, entry in self.stored:
            writer = self.writers.get(n)
            if writer is None or entry.visitor or not isinstance(entry, Acted | Seated):
                continue
            while at < len(self.holders) and self.holders[at] != writer:
                at += 1
            if at == len(self.holders):
                yield (
                    "behind",
                    f"entry {n} is a bot's or a clock's, and written by {writer}, from whom others had taken the table",
                )
                return

    # -- what was asked ------------------------------------------------------------------------------------------------

    def _answers(self) -> Found:
        for key, tries in self.asked.items():
            name, at = f"message {key[1]} of {tries[0].client}", self.where.get(key, [])
            for one in tries:
                if one.key == FAILED:
                    yield "error", f"{name} was answered with an error of the server's own"
                if one.answer == "done" and one.n not in at and not self._others_rematch(one):
                    there = f"; it is there as {_listed(at)}" if at else ""
                    yield "lost", f"{name} was acknowledged as entry {one.n}, and the store has it not{there}"
            if at and _refused(tries):
                yield "refused", f"{name} was refused, and is there as entry {_listed(at)}"
            for n in at:
                wrong = self._altered(tries[0].message, self.entries[n])
                if wrong:
                    yield "altered", f"{name} became entry {n}, which says {wrong}"
        for key, at in self.where.items():
            if key not in self.asked and at != [0]:
                yield "invented", f"entry {_listed(at)} answers to message {key[1]}, which nobody sent"

    def _order(self) -> Found:
        """Whatever was known before a message was first sent has a lower number than what it became."""
        known = [
            (one.ended, one.n, f"acknowledged to {one.client}")
            for tries in self.asked.values()
            for one in tries
            if one.answer == "done" and one.ended is not None
        ]
        for line in self.lines:
            known += [(at, n, f"shown to {line.client}") for at, n in _numbers(line)]
        known.sort(key=lambda one: one[0])
        times = [at for at, _, _ in known]
        newest: list[int] = []
        """For each of these moments, which one had told of the highest number."""
        for at, (_, n, _) in enumerate(known):
            newest.append(at if not newest or n > known[newest[-1]][1] else newest[-1])
        for key, tries in self.asked.items():
            begun = min(one.begun for one in tries)
            before = bisect.bisect_left(times, begun)
            for n in self.where.get(key, []) if before else []:
                when, told, how = known[newest[before - 1]]
                if told >= n:
                    since = f"{begun - when:.3f} seconds after entry {told} had been {how}"
                    yield "order", f"message {key[1]} of {tries[0].client} became entry {n}, though sent {since}"

    def _altered(self, message: Mapping[str, Any], entry: AnyEntry) -> str:
        """What the entry says, if that is not what was asked."""
        match message["type"], entry:
            case "act", Acted():
                asked = self._notation(message["action"])
                return "" if entry.actions[0] == asked else f"{entry.actions[0]!r} instead of {asked!r}"
            case "say", Said():
                return "" if entry.text == message["text"] else repr(entry.text)
            case ("undo", Undone()) | ("start", Started()) | ("agree", Agreed() | Ended()):
                return ""
            case ("join" | "return" | "take_over") as why, Seated() if entry.why == why:
                return ""
            case "rematch", Followed():
                return ""
        return f"{type(entry).__name__.lower()} instead of {message['type']}"

    def _others_rematch(self, one: Try) -> bool:
        """Whether somebody else had asked for a rematch, so that this one answers with that."""
        return one.message["type"] == "rematch" and isinstance(self.entries.get(one.n), Followed)

    def _notation(self, action: Any) -> str:
        created = self.entries[0]
        assert isinstance(created, Created)
        return str(find_game(created.game).action_decoder.decode(json.dumps(action)))

    # -- what was told -------------------------------------------------------------------------------------------------

    def _turned_away(self) -> Found:
        for line in self.lines:
            if line.code == NOT_THERE:
                yield "lost", f"{line.client} was told that there is no such table"
            if line.code == NOT_YOURS:
                yield "stale", f"{line.client} was told that seat {line.seat} is not theirs"

    def _told(self, table: Table) -> Found:
        views = Views(table)
        private = {*self.tokens, *(line.visitor for line in self.lines if line.visitor)}
        private |= {entry.visitor for entry in self.entries.values() if entry.visitor}
        secret = _parts(self.entries[0])
        clients: dict[str, _Client] = {}
        for line in self.lines:
            client = clients.setdefault(line.client, _Client(line.client, table, views))
            client.connect(line)
            for told in line.told:
                yield from client.hear(line, told.text)
                leaked = next((word for word in private if word in told.text), "")
                if leaked:
                    yield "secret", f"{line.client} was told what is known to one person only: {leaked[:6]}…"
                if not client.ended and any(word in told.text for word in secret):
                    yield "secret", f"{line.client} was told the dealer's secret before the game had ended"


class _Client:
    """What a client knows of a table, over all its lines."""

    def __init__(self, name: str, table: Table, views: Views) -> None:
        self._name = name
        self._table = table
        self._views = views
        self._knows = -1
        """The highest number it was shown or answered."""
        self._at: int | None = None
        """The last number of the present line."""
        self._view: dict[str, Any] | None = None
        """The game as this client has it, patched frame by frame."""

    @property
    def ended(self) -> bool:
        """Whether it knows that the game has ended."""
        return 0 <= self._views.end <= self._knows

    def connect(self, line: Line) -> None:
        self._at = line.seen

    def hear(self, line: Line, text: str) -> Found:
        told = json.loads(text)
        kind, n = told["type"], told.get("n")
        if n is None:
            return
        if n > self._table.n:
            yield "lost", f"{self._name} was told of entry {n}, and the store ends with {self._table.n}"
            return
        if kind == "done":
            if self._at is None or n > self._at:
                yield "stale", f"{self._name} was answered with entry {n} while it had been shown {self._at}"
            self._knows = max(self._knows, n)
            return
        if kind == "welcome":
            if n < self._knows:
                yield "stale", f"{self._name} knew of entry {self._knows} and was welcomed with {n}"
        elif self._at is None:
            yield "gap", f"{self._name} was told entry {n} before it was welcomed"
        elif n <= self._at:
            yield "stale", f"{self._name} was told entry {n} after {self._at}"
        else:
            missing = [one for one in range(self._at + 1, n) if self._concerns(one, line.visitor)]
            if missing:
                yield "gap", f"{self._name} was told entry {n} after {self._at}, without {_listed(missing)}"
        self._at, self._knows = n, max(self._knows, n)
        yield from self._compare(line, told, n)

    def _concerns(self, n: int, visitor: str) -> bool:
        effect = self._table.effects[n]
        if isinstance(effect.entry, Muted):
            return effect.entry.visitor == visitor
        return visitor not in effect.unheard

    def _compare(self, line: Line, told: dict[str, Any], n: int) -> Found:
        """Hold what was told against what the true history allows this seat to see."""
        allowed = self._views.allowed(told["type"], n, line.seat)
        if told["type"] == "welcome":
            self._view = told.get("view")
        elif told["type"] == "frame":
            self._view = {**(self._view or {}), **told.get("patch", {})}
        shown = {**told, "view": self._view} if told["type"] in ("welcome", "frame") else told
        shown = {key: value for key, value in shown.items() if key not in _UNCHECKED and value not in (None, [])}
        if told["type"] == "table" and "actions" not in shown:
            allowed = {key: value for key, value in allowed.items() if key != "actions"}  # told only when they change
        wrong = difference(allowed, shown)
        if wrong is not None:
            seat = "an onlooker" if line.seat is None else f"seat {line.seat}"
            if wrong.reveals:
                yield "hidden", f"{self._name}, {seat}, was told of entry {n} what it may not see: {wrong}"
            else:
                yield "forked", f"{self._name}, {seat}, was told of entry {n} something else than is stored: {wrong}"


_UNCHECKED = {"patch", "chat", "muted", "undo", "build", "yours"}
"""Of what is told: the patch, since the view that it makes is looked at; and what shows nothing of the game."""


def _numbers(line: Line) -> Iterator[tuple[float, int]]:
    for told in line.told:
        one = json.loads(told.text)
        if "n" in one and one["type"] != "done":
            yield told.at, one["n"]


def _unchained(text: str) -> str:
    """A record without the link of the entry that ended its game, which entries alone do not tell."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("chain: "))


def _refused(tries: list[Try]) -> bool:
    """Whether it is certain that the message changed nothing.

    A try that was never answered may still be on its way when the next one is refused, unless the game has gone on
    since: it never comes back to where the message was made.
    """
    if any(one.answer == "refused" and one.key == STALE for one in tries):
        return True
    return all(one.answer == "refused" for one in tries)


def _parts(created: AnyEntry) -> set[str]:
    """The dealer's secret, and enough of it to be known again."""
    secret = created.secret if isinstance(created, Created) else ""
    return {secret[:16], secret[-16:]} if secret else set()


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:5])) + (" …" if len(numbers) > 5 else "")
