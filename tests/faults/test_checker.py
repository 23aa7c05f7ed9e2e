"""The checker of histories finds each kind of violation in an otherwise good history, and names it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai import game as find_game
from serai.core.chance import any_kind
from serai.server.tables.hall import device_of
from serai.table import frames, proposals
from serai.table.entries import Acted, AnyEntry, Created
from serai.table.proposals import Who
from serai.table.records import record
from serai.table.table import Table
from serai.wire import messages
from serai.wire.frames import Done, TableRules
from tests.faults.checker import Kind, Violation, check
from tests.faults.history import History, Line, Read, Told, Try

TABLE = "table0"
SECRET = bytes(range(100, 132))
TOKENS = tuple(f"{f'token-of-{name}-':-<30}" for name in ("ann", "bob", "eve"))
VIEWERS = (("ann", 0), ("bob", 1), ("eve", None))


class Played(msgspec.Struct):
    """A game as it was played, with what everybody was told."""

    history: History
    stored: dict[str, list[tuple[int, AnyEntry]]]
    table: Table

    def check(self) -> list[Violation]:
        return check(self.history, self.stored)

    def line(self, client: str, number: int = -1) -> Line:
        return [line for line in self.history.lines if line.client == client][number]

    def done(self, kind: str = "act") -> list[Try]:
        return [one for one in self.history.tries if one.answer == "done" and one.message["type"] == kind]


class _Scribe:
    """Plays a table without any server, and writes down what a faultless one would have answered and told."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.game: Any = find_game("camelup")
        self.visitors = dict(zip(("ann", "bob", "eve"), map(device_of, TOKENS), strict=True))
        created = proposals.create(
            self.game,
            self.visitors["ann"],
            seats=3,
            options={},
            table_rules=TableRules(),
            bots={2: "random"},
            secret=SECRET,
            at="2026-01-01",
        )
        self.table = Table(TABLE, created, 0.0)
        self.history = History(tokens=list(TOKENS))
        self.stored: list[tuple[int, AnyEntry]] = [(0, created)]
        self.now = 100.0
        self.ids = 0

    def tick(self) -> float:
        self.now += 0.01
        return self.now

    def ask(self, client: str, message: dict[str, Any], change: Any) -> Try:
        one = Try(
            client=client,
            visitor=self.visitors[client],
            table=TABLE,
            id=message["id"],
            message=message,
            begun=self.tick(),
        )
        self.history.tries.append(one)
        self.keep(change)
        one.ended, one.answer, one.n = self.tick(), "done", self.table.n
        for line in [line for line in self.history.lines if line.client == client][-1:]:
            line.told.append(Told(self.now, _text(Done(one.id, one.n))))
        return one

    def keep(self, change: Any) -> None:
        effect = self.table.absorb(change.entry, change.play)
        self.stored.append((effect.n, change.entry))
        open_lines = {line.client: line for line in self.history.lines}
        for line in open_lines.values():
            told = frames.frame(self.table.effects, effect, line.visitor, line.seat)
            if told is not None:
                line.told.append(Told(self.tick(), _text(told)))

    def connect(self, client: str, seat: int | None, seen: int | None = None) -> None:
        visitor = self.visitors[client]
        line = Line(client=client, visitor=visitor, table=TABLE, seat=seat, seen=seen, opened=self.tick())
        if seen is None:
            line.told.append(Told(self.tick(), _text(frames.welcome(self.table, visitor, seat))))
        else:
            for told in frames.history(self.table, visitor, seat, seen):
                line.told.append(Told(self.tick(), _text(told)))
        self.history.lines.append(line)

    def new_id(self) -> str:
        self.ids += 1
        return f"m{self.ids}"

    def join(self, client: str) -> None:
        message = {"type": "join", "id": self.new_id(), "name": client}
        visitor = self.visitors[client]
        joined = proposals.join(self.table, visitor, message_id=message["id"], name=client, value="ab" * 32, seat=None)
        self.ask(client, message, proposals.Change(joined))

    def propose(self, client: str, seat: int, kind: Any, **fields: Any) -> Try:
        asked = {"id": self.new_id(), **fields}
        message = kind(**{**asked, **({"action": msgspec.Raw(asked["action"])} if "action" in asked else {})})
        change = proposals.propose(self.table, message, Who(self.visitors[client], seat, 0.0), "2026-01-01")
        plain = {"type": kind.__struct_config__.tag, **asked}
        if "action" in plain:
            plain["action"] = json.loads(plain["action"])
        return self.ask(client, plain, change)

    def refuse(self, client: str, key: str = "table.stale") -> None:
        message: dict[str, Any] = {"type": "act", "id": self.new_id(), "on": 0, "action": {"type": "roll"}}
        one = Try(
            client=client,
            visitor=self.visitors[client],
            table=TABLE,
            id=message["id"],
            message=message,
            begun=self.tick(),
            ended=self.tick(),
            answer="refused",
            key=key,
        )
        self.history.tries.append(one)

    def play(self) -> Played:
        for client in ("ann", "bob"):
            self.join(client)
        for client, seat in VIEWERS:
            self.connect(client, seat)
        self.propose("ann", 0, messages.Start)
        while self.table.phase == "playing":
            self.turn()
        middle = self.table.n // 2
        self.history.holders[TABLE] = ["server0", "server1"]
        self.history.writers[TABLE] = {n: "server0" if n < middle else "server1" for n, _ in self.stored}
        return Played(self.history, {TABLE: self.stored}, self.table)

    def turn(self) -> None:
        table = self.table
        seat = table.actor
        assert seat is not None
        assert table.snapshot is not None
        action = any_kind(table.snapshot.actions(), self.rng)
        if table.bot_to_act:
            self.keep(proposals.bot_acts(table, seat, table.on, msgspec.json.encode(action), self.rng))
            return
        client = VIEWERS[seat][0]
        self.propose(client, seat, messages.Act, on=table.on, action=msgspec.json.encode(action))
        if table.n % 7 == 0:
            self.refuse(client)
        if table.n % 11 == 0:
            self.propose("bob", 1, messages.Say, text=f"at {table.n}")
        if table.n % 13 == 0:
            self.connect("eve", None, seen=table.n)
        if table.n % 17 == 0:
            self.connect("bob", 1)


def _text(reply: Any) -> str:
    return msgspec.json.encode(reply).decode()


@pytest.fixture(scope="module")
def played() -> Played:
    """A whole game of Camel Up with race cards laid by everybody, and nothing wrong with it."""
    return _Scribe(16).play()


@pytest.fixture
def good(played: Played) -> Played:
    """The same, for a test to spoil."""
    history = msgspec.json.decode(msgspec.json.encode(played.history), type=History)
    return Played(history, {TABLE: list(played.stored[TABLE])}, played.table)


def test_a_good_history_has_nothing_wrong_with_it(good: Played, tmp_path: Path) -> None:
    assert good.check() == []
    assert good.table.phase == "over"
    laid = [entry for _, entry in good.stored[TABLE] if isinstance(entry, Acted) and "er " in entry.actions[0]]
    assert {entry.seat for entry in laid} == {0, 1, 2}, "hidden cards are among what was played"
    good.history.write(tmp_path / "history.json")
    assert check(History.read(tmp_path / "history.json"), good.stored) == []


# -- plants: each does one thing wrong, and names what the checker has to say ------------------------------------------


def lost(good: Played) -> str:
    """An acknowledged action is not in the store: what came after it has moved up."""
    one = good.done()[5]
    entries = [entry for n, entry in good.stored[TABLE] if n != one.n]
    good.stored[TABLE] = list(enumerate(entries))
    return f"message {one.id} of {one.client} was acknowledged as entry {one.n}, and the store has it not"


def lost_at_the_end(good: Played) -> str:
    """The store has forgotten the last entry, which everybody has seen."""
    last, _ = good.stored[TABLE].pop()
    return f"was told of entry {last}, and the store ends with {last - 1}"


def table_gone(good: Played) -> str:
    """A process does not know the table any more."""
    good.line("bob").code = 4404
    return "bob was told that there is no such table"


def doubled(good: Played) -> str:
    """The repeat of a message was kept as a second entry."""
    said = good.done("say")[-1]
    entry = dict(good.stored[TABLE])[said.n]
    good.stored[TABLE].append((len(good.stored[TABLE]), entry))
    return f"message {said.id} became the entries {said.n}, {good.stored[TABLE][-1][0]}"


def doubled_when_nobody_knew(good: Played) -> str:
    """The same with a message that was never answered."""
    said = good.done("say")[-1]
    said.answer, said.n, said.ended = "unknown", -1, None
    entry = dict(good.stored[TABLE])
    at = next(n for n, one in entry.items() if one.id == said.id)
    good.stored[TABLE].append((len(entry), entry[at]))
    return f"message {said.id} became the entries {at}, {len(entry)}"


def reordered(good: Played) -> str:
    """A message that was sent after another one had been answered comes before it."""
    first, second = good.done()[7:9]
    first.begun, first.ended = second.ended or 0, (second.ended or 0) + 0.001
    return f"message {first.id} of {first.client} became entry {first.n}, though sent"


def reordered_when_nobody_knew(good: Played) -> str:
    """The same with one that was never answered."""
    first, second = good.done()[7:9]
    first.begun, first.answer, n, first.n = (second.ended or 0), "unknown", first.n, -1
    return f"message {first.id} of {first.client} became entry {n}, though sent"


def sent_after_it_was_seen(good: Played) -> str:
    """An entry was shown to somebody before its message was sent."""
    one = good.done()[9]
    shown = min(
        told.at
        for line in good.history.lines
        for told in line.told
        if f'"n":{one.n},' in told.text and "frame" in told.text
    )
    one.begun = shown + 0.0001
    return f"message {one.id} of {one.client} became entry {one.n}, though sent"


def stale(good: Played) -> str:
    """A client that had seen more is welcomed with an earlier state of the table."""
    line, earlier = good.line("bob"), good.line("bob", 0)
    welcome = next(told.text for told in good.line("bob").told)
    assert json.loads(welcome)["type"] == "welcome"
    line.told[0] = earlier.told[0]
    return "and was welcomed with"


def stale_answer(good: Played) -> str:
    """A frame comes again that the client had seen on the same line."""
    told = good.line("ann").told
    at = next(at for at, one in enumerate(told) if '"type":"frame"' in one.text)
    told.insert(at + 3, told[at])
    return "ann was told entry"


def seat_forgotten(good: Played) -> str:
    """A process has not heard that the seat was taken, though its person has."""
    good.line("ann").code = 4409
    return "ann was told that seat 0 is not theirs"


def refused(good: Played) -> str:
    """A message that was refused is there all the same."""
    one = good.done()[4]
    n, one.n, one.answer, one.key = one.n, -1, "refused", "table.not_your_turn"
    return f"message {one.id} of {one.client} was refused, and is there as entry {n}"


def refused_at_another_try(good: Played) -> str:
    """It went unanswered, and when it was asked again the game had gone on: then it must not have been kept."""
    one = good.done()[4]
    again = msgspec.structs.replace(one, answer="refused", key="table.stale", n=-1)
    n, one.n, one.answer, one.ended = one.n, -1, "unknown", None
    good.history.tries.append(again)
    return f"message {one.id} of {one.client} was refused, and is there as entry {n}"


def invented(good: Played) -> str:
    """There is an entry of a message that nobody sent."""
    one = good.done()[3]
    good.history.tries.remove(one)
    return f"entry {one.n} answers to message {one.id}, which nobody sent"


def altered(good: Played) -> str:
    """Another action was kept than the one that was asked for."""
    one = next(one for one in good.done() if one.message["action"]["type"] == "roll")
    one.message = {**one.message, "action": {"type": "leg", "camel": 2}}
    return "'roll' instead of 'leg"


def forked(good: Played) -> str:
    """Two clients were told different entries of the same number."""
    told, n = _a_frame(good, "bob", lambda frame: frame.get("action", {}).get("type") == "roll")
    other = {**json.loads(told.text), "action": {"type": "leg", "camel": 1}}
    _replace(good, "bob", told, other)
    return f"bob, seat 1, was told of entry {n} something else than is stored"


def forked_board(good: Played) -> str:
    """The action is the same, and the board is another: the die fell differently."""
    told, n = _a_frame(good, "eve", lambda frame: "track" in frame["patch"])
    frame = json.loads(told.text)
    _replace(good, "eve", told, {**frame, "patch": {**frame["patch"], "track": frame["patch"]["track"][::-1]}})
    return f"eve, an onlooker, was told of entry {n} something else than is stored"


def _lays(by: int) -> Callable[[Any], bool]:
    return lambda frame: frame.get("by") == by and frame["action"]["type"] in ("winner", "loser")


def hidden_action(good: Played) -> str:
    """Another seat learns which race card was laid."""
    told, n = _a_frame(good, "bob", _lays(0))
    truth = next(one for one in good.done() if one.n == n).message["action"]
    _replace(good, "bob", told, {**json.loads(told.text), "action": truth})
    return f"bob, seat 1, was told of entry {n} what it may not see: it.action.camel is {truth['camel']}"


def hidden_hand(good: Played) -> str:
    """An onlooker learns of a card in a hand."""
    told, n = _a_frame(good, "eve", lambda frame: "hands" in frame["patch"] and "table" not in frame)
    frame = json.loads(told.text)
    hands = [[0, *hand[1:]] if hand else hand for hand in frame["patch"]["hands"]]
    _replace(good, "eve", told, {**frame, "patch": {**frame["patch"], "hands": hands}})
    return f"eve, an onlooker, was told of entry {n} what it may not see: it.view.hands[0][0] is 0 instead of None"


def hidden_offer(good: Played) -> str:
    """A seat is told what another one may do."""
    told, n = _a_frame(
        good, "ann", lambda frame: frame.get("actions") and any(a.get("camel") for a in frame["actions"])
    )
    other = next(one for one in good.line("bob", 0).told if f'"n":{n},' in one.text)
    _replace(good, "bob", other, {**json.loads(other.text), "actions": json.loads(told.text)["actions"]})
    return f"bob, seat 1, was told of entry {n} what it may not see: it.actions"


def secret(good: Played) -> str:
    """The dealer's secret, or half of it, is told while the game runs."""
    told, _ = _a_frame(good, "ann", lambda frame: "table" not in frame)
    _replace(good, "ann", told, {**json.loads(told.text), "note": SECRET.hex()[:40]})
    return "ann was told the dealer's secret before the game had ended"


def token(good: Played) -> str:
    """Somebody's token is told to another."""
    good.line("bob", 0).told.append(Told(0.0, json.dumps({"type": "trouble", "key": TOKENS[0]})))
    return "bob was told what is known to one person only"


def visitor(good: Played) -> str:
    """What the table knows a person by is told to another."""
    good.line("bob", 0).told.append(Told(0.0, json.dumps({"type": "trouble", "key": device_of(TOKENS[0])})))
    return "bob was told what is known to one person only"


def gap_in_the_store(good: Played) -> str:
    """An entry in the middle is missing."""
    n = good.done()[6].n
    good.stored[TABLE] = [one for one in good.stored[TABLE] if one[0] != n]
    return f"the store has entry {n + 1} where {n} should be"


def gap_in_what_was_told(good: Played) -> str:
    """A line leaves an entry out."""
    line = good.line("eve", 0)
    at = len(line.told) // 2
    n = json.loads(line.told.pop(at).text)["n"]
    return f"eve was told entry {n + 1} after {n - 1}, without {n}"


def gap_after_a_reconnect(good: Played) -> str:
    """Somebody came back and was not told all that had happened since what they had seen."""
    line = next(line for line in good.history.lines if line.seen and line.told and '"frame"' in line.told[0].text)
    n = line.seen or 0
    line.seen = n - 1
    return f"eve was told entry {n + 1} after {n - 1}, without {n}"


def not_by_the_rules(good: Played) -> str:
    """The store has an action of a seat that was not to act."""
    n, entry = next(one for one in good.stored[TABLE] if isinstance(one[1], Acted) and not one[1].visitor)
    assert isinstance(entry, Acted)
    good.stored[TABLE][n] = (n, msgspec.structs.replace(entry, seat=0))
    return f"entry {n} is by seat 0, and seat 2 was to act"


def failed(good: Played) -> str:
    """A server answered that something went wrong in it."""
    one = good.done()[2]
    good.history.tries.append(msgspec.structs.replace(one, answer="unknown", n=-1, key="server.error"))
    return f"message {one.id} of {one.client} was answered with an error of the server's own"


def behind(good: Played) -> str:
    """A server lets a bot play at a table that another one has taken from it."""
    n = [n for n, entry in good.stored[TABLE] if isinstance(entry, Acted) and not entry.visitor][-1]
    good.history.writers[TABLE][n] = "server0"
    return f"entry {n} is a bot's or a clock's, and written by server0"


def _read(good: Played, what: Any, text: str, status: int = 200) -> None:
    good.history.reads.append(Read(client="eve", table=TABLE, what=what, status=status, text=text))


def record_of_another_course(good: Played) -> str:
    """Somebody is given a record in which the last action is another one."""
    text = record(good.table).write()
    lines = text.splitlines()
    _read(good, "record", "\n".join([*lines[:3], f"chain: {'ab' * 32}", *lines[3:]]) + "\n")
    assert good.check() == []
    _read(good, "record", text.replace(" roll ", " roll roll ", 1) if " roll " in text else text + "; roll")
    return "eve was given a record that the table never had"


def table_of_another_course(good: Played) -> str:
    """Somebody is told of a table with the secret in it before the game has ended."""
    told = msgspec.to_builtins(good.table.info())
    _read(good, "table", json.dumps({"table": told}))
    _read(good, "table", json.dumps({"table": {**told, "phase": "playing"}}))
    return "eve was told of the table what it never was"


def no_table_by_rest(good: Played) -> str:
    """Somebody who asks for a table is told that there is none."""
    _read(good, "table", "{}", 404)
    return "eve was told that there is no such table"


def failed_read(good: Played) -> str:
    """A server fails by itself when it is asked for a record."""
    _read(good, "record", "", 503)
    _read(good, "record", "oh", 500)
    return "eve was answered with 500: oh"


def rematch_that_is_not_there(good: Played) -> str:
    """A rematch is acknowledged, and the store has none."""
    one = good.done()[-1]
    again = Try(client="ann", visitor=one.visitor, table=TABLE, id="again", message={"type": "rematch"}, begun=999.0)
    again.ended, again.answer, again.n = 999.5, "done", good.table.n
    good.history.tries.append(again)
    return f"was acknowledged as entry {good.table.n}, and the store has it not"


def another_draw(good: Played) -> str:
    """A die is stored that the committed secret does not give."""
    created = good.stored[TABLE][0][1]
    assert isinstance(created, Created)
    good.stored[TABLE][0] = (0, msgspec.structs.replace(created, secret=bytes(32).hex()))
    return "the record not verified"


PLANTS: dict[Callable[[Played], str], Kind] = {
    lost: "lost",
    lost_at_the_end: "lost",
    table_gone: "lost",
    doubled: "doubled",
    doubled_when_nobody_knew: "doubled",
    reordered: "order",
    reordered_when_nobody_knew: "order",
    sent_after_it_was_seen: "order",
    stale: "stale",
    stale_answer: "stale",
    seat_forgotten: "stale",
    refused: "refused",
    refused_at_another_try: "refused",
    invented: "invented",
    altered: "altered",
    forked: "forked",
    forked_board: "forked",
    hidden_action: "hidden",
    hidden_hand: "hidden",
    hidden_offer: "hidden",
    secret: "secret",
    token: "secret",
    visitor: "secret",
    gap_in_the_store: "gap",
    gap_in_what_was_told: "gap",
    gap_after_a_reconnect: "gap",
    not_by_the_rules: "rules",
    another_draw: "rules",
    behind: "behind",
    failed: "error",
    record_of_another_course: "forked",
    table_of_another_course: "forked",
    no_table_by_rest: "lost",
    failed_read: "error",
    rematch_that_is_not_there: "lost",
}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_violation_is_found_and_named(plant: Callable[[Played], str], good: Played) -> None:
    says = plant(good)
    found = good.check()
    assert any(one.kind == PLANTS[plant] and says in one.text for one in found), "\n".join(map(str, found))


def test_what_was_never_answered_may_be_there_or_not(good: Played) -> None:
    for one in good.done()[::3]:
        one.answer, one.n, one.ended = "unknown", -1, None
    never = msgspec.structs.replace(good.done()[0], id="never", answer="unknown", n=-1, ended=None)
    good.history.tries.append(never)
    assert good.check() == []


def test_a_repeat_that_is_answered_with_the_same_number_is_one_message(good: Played) -> None:
    for one in good.done()[::4]:
        good.history.tries.append(msgspec.structs.replace(one, begun=one.begun + 50, ended=(one.ended or 0) + 50))
    assert good.check() == []


def test_a_try_that_was_refused_while_an_earlier_one_was_on_its_way_says_nothing(good: Played) -> None:
    one = good.done()[3]
    early = msgspec.structs.replace(one, begun=one.begun - 0.002, answer="unknown", n=-1, ended=None)
    good.history.tries.append(early)
    one.answer, one.n, one.key = "refused", -1, "table.paused"
    assert good.check() == []


def _a_frame(good: Played, client: str, fits: Callable[[Any], Any]) -> tuple[Told, int]:
    for line in good.history.lines:
        for told in line.told if line.client == client else ():
            frame = json.loads(told.text)
            if frame["type"] == "frame" and frame.get("by") is not None and "table" not in frame and fits(frame):
                return told, frame["n"]
    raise AssertionError("no such frame")


def _replace(good: Played, client: str, told: Told, frame: dict[str, Any]) -> None:
    for line in good.history.lines:
        for at, one in enumerate(line.told):
            if one is told and line.client == client:
                line.told[at] = Told(told.at, json.dumps(frame))
