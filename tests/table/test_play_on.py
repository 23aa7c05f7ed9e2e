"""A table whose game goes on from another's position: a table like any other, but for its past."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec import structs

from serai.core.chance import any_kind
from serai.core.record import Record, check_origin, first_state, inherited, plays, replay, verify
from serai.errors import BadRecord
from serai.server.http.replays import draws_of
from serai.server.tables.damage import differences
from serai.table import frames, proposals, records
from serai.table.chain import Stored, first_link
from serai.table.entries import Inherited, write_entry
from serai.table.errors import Refusal
from serai.table.records import replay_frames
from serai.table.table import Table
from serai.wire import messages as m
from serai.wire.frames import Frame, TableFrame
from tests.core.test_play_on import record_of
from tests.table.test_table import GRACE, Kept

FILES = {"camelup": "camelup/all-cards-laid", "pharaoh": "pharaoh/plain-09"}


class Continued(Kept):
    """A table that goes on from a golden game, with a person on seat 1."""

    def __init__(self, game: str, turn: int, seed: int = 4) -> None:
        self.source = record_of(FILES[game])
        taken_over = inherited(self.source, turn, 1, random.Random(seed))
        created = proposals.create_continued(
            first_state(self.source)[0],
            "ann",
            options=dict(self.source.options),
            players=len(self.source.seats),
            inherited=Inherited(*taken_over),
            bot="random",
            secret=b"s" * 32,
            at="2026-01-01",
        )
        entry = write_entry(created)
        self.stored = [Stored(0, entry, first_link("t", created.secret, entry))]
        self.table = Table("t", created, 0.0, GRACE, self.stored[0].link)
        self.join("ann", "Ann")

    def play(self, actions: int, rng: random.Random) -> None:
        for number in range(actions):
            snapshot, actor = self.table.snapshot, self.table.actor
            if snapshot is None or actor is None:
                return
            action = msgspec.json.encode(any_kind(snapshot.actions(), rng))
            if actor == 1:
                self.tell(m.Act(f"a{number}", self.table.on, msgspec.Raw(action)), "ann", 1)
            else:
                self.keep(proposals.bot_acts(self.table, actor, self.table.on, action, rng))


@pytest.mark.parametrize("game", FILES)
def test_a_game_goes_on_from_where_it_was(game: str) -> None:
    kept = Continued(game, turn=11)
    table = kept.table
    assert table.seats[1].kind == "person"
    assert {sitting.bot for seat, sitting in enumerate(table.seats) if seat != 1} == {"random"}
    for message in (m.Arrange("o", [1, 0]), m.SetOptions("p", {})):
        with pytest.raises(Refusal, match="goes on from another"):
            kept.tell(message, "ann")
    kept.tell(m.Start("s"), "ann")
    before = [ply for ply in replay(kept.source) if not ply.drawn][11].before
    assert table.snapshot is not None
    assert table.snapshot.view(1) == before.seen_by(1)
    assert table.undoable is None, "what was taken over stays"
    started = frames.frame(table.effects, table.effects[-1], "ann", 1)
    assert isinstance(started, Frame)
    assert started.events == ()
    assert (started.by, started.action) == (None, None)
    assert started.patch == structs.asdict(before.seen_by(1))
    assert started.table is not msgspec.UNSET
    assert started.table.continued
    kept.play(25, random.Random(7))
    assert kept.again().info() == table.info()
    assert kept.again().snapshot.state == table.snapshot.state  # type: ignore[union-attr]
    assert kept.again().drawn == table.drawn
    if table.phase == "playing":
        kept.tell(m.Agree("e"), "ann")
    told = records.record(table)
    assert table.length == len(told.actions)
    read = Record.read(told.write())
    verdict = verify(read)
    drawn = [ply.drawn for ply in replay(read)]
    assert read.origin is not None
    assert verdict.draws_checked
    assert verdict.inherited == sum(drawn[: read.origin.step])
    assert verdict.draws == sum(drawn) > verdict.inherited
    check_origin(read, kept.source)
    assert draws_of(read, plays(read)).inherited == verdict.inherited
    assert draws_of(told, table.plays()) == draws_of(read, plays(read))
    shown = replay_frames(read, tuple(plays(read)), None)
    assert isinstance(shown[0], Frame | TableFrame)
    last = shown[-1]
    assert isinstance(last, Frame)
    assert last.table is not msgspec.UNSET
    assert last.table.continued
    assert differences(read, table) == []
    assert differences(structs.replace(read, origin=None, hints=(1, 0)), table) == ["from", "hints"]
    # the last draw of its own, forged
    at = len(drawn) - 1 - drawn[::-1].index(True)
    other = next(str(one) for one in tuple(replay(read))[at].before.actions() if str(one) != read.actions[at])
    with pytest.raises(BadRecord):
        verify(structs.replace(read, actions=(*read.actions[:at], other, *read.actions[at + 1 :])))


def test_a_rematch_of_such_a_game_is_a_game_of_its_own() -> None:
    kept = Continued("camelup", turn=3)
    kept.tell(m.Start("s"), "ann")
    kept.tell(m.Agree("e"), "ann")
    again = proposals.create_rematch(kept.table, "ann", secret=b"t" * 32, at="2026-01-02")
    assert again.inherited is None


def test_while_it_is_played_nobody_reads_in_its_record_what_was_drawn_anew() -> None:
    kept = Continued("camelup", turn=60)
    kept.tell(m.Start("s"), "ann")
    assert kept.table.inherited is not None
    told = records.record(kept.table)
    laid = [text for text in told.actions if text.split()[0] in ("winner", "loser")]
    assert laid
    assert {text.split()[1] for text in laid} == {"?"}
    assert not told.secret
