"""Bots that are not of the house at a server's tables: a process for each seat, bounded in number and in patience."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.bots.specs import is_ours
from serai.core import registry
from serai.server.bots import pool as pools
from serai.server.bots.fair_queue import Place
from serai.server.bots.pool import BotPool, SeatedBot, ThirdPartyBots
from serai.server.bots.worker import MOST_EVENTS
from serai.table.errors import Refusal
from tests.server.support import run

BOTS = """
import os
from serai.camelup.rules.actions import Leg, Roll

class Counting:
    "Rolls at first, then takes the tile that counts how often it was asked; what is kept anywhere in its process."
    asked = 0

    def watch(self, event):
        pass

    def decide(self, view, rng):
        Counting.asked += 1
        return Roll() if Counting.asked == 1 else Leg(min(Counting.asked - 2, 4))

class Remembering:
    "Rolls once it has seen all of a long story, from its beginning and in order; else takes a tile."
    def __init__(self):
        self.seen = []

    def watch(self, event):
        self.seen.append(event.camel)

    def decide(self, view, rng):
        return Roll() if self.seen == STORY else Leg(0)

STORY = [number % 5 for number in range(1007)]

def dying(view, rng):
    os._exit(3)
"""


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package of a host's, with two bots."""
    (tmp_path / "guests_test_bots.py").write_text(BOTS)
    info = tmp_path / "guests_test_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guests-test-bots\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[serai.bots]\ncounting = guests_test_bots:Counting\n"
        "remembering = guests_test_bots:Remembering\ncamelup.dying = guests_test_bots:dying\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._found.cache_clear()
    yield
    registry._found.cache_clear()


def view(seat: int = 0) -> bytes:
    rng = random.Random(1)
    state: Any = serai.game("camelup").new(players=3)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(rng))
    return msgspec.json.encode(state.seen_by(seat))


def nothing_happened(seen: int) -> Sequence[bytes]:
    return ()


async def decided(pool: BotPool, sitter: SeatedBot) -> bytes | None:
    return await pool.decide(sitter, view(), nothing_happened)


def test_only_bots_that_are_part_of_serai_are_ours() -> None:
    camelup = serai.game("camelup")
    assert all(is_ours(camelup, bot) for bot in ("random", "quick", "greedy"))
    assert not any(is_ours(camelup, bot) for bot in ("counting", "dying", "nobody", "bot.py:Bot", "serai.bots:Bot"))


def test_each_seat_of_a_bot_that_is_not_ours_has_a_process_to_itself() -> None:
    async def play() -> None:
        pool = BotPool(1, 20.0)
        try:
            for seat in (0, 1):
                answer = await decided(pool, SeatedBot("table", seat, "camelup", "counting"))
                assert answer == b'{"type":"roll"}', "nothing of the other seat is there"
            again = await decided(pool, SeatedBot("table", 0, "camelup", "counting"))
            assert b"leg" in (again or b""), "it remembers what it did itself"
            after_undo = await decided(pool, SeatedBot("table", 0, "camelup", "counting", 1))
            assert after_undo == b'{"type":"roll"}', "and forgets it all when it has to"
            assert pool._workers[0]._process is None, "the workers of the house never load it"
        finally:
            await pool.stop()

    run(play())


def test_a_long_story_is_told_in_parts_and_never_again() -> None:
    story = [msgspec.json.encode({"type": "die_drawn", "seat": 0, "camel": n % 5, "pips": 1}) for n in range(1007)]
    asked: list[int] = []

    def events_from(known: int) -> Sequence[bytes]:
        asked.append(known)
        return story[known : known + MOST_EVENTS]

    async def play() -> None:
        pool = BotPool(1, 20.0)
        try:
            for undone in (0, 0, 1):
                sitter = SeatedBot("table", 0, "camelup", "remembering", undone)
                assert await pool.decide(sitter, view(), events_from) == b'{"type":"roll"}'
        finally:
            await pool.stop()

    run(play())
    parts = [0, 200, 400, 600, 800, 1000]
    assert asked == [*parts, 1007, *parts], "only a bot that must forget is told again"


def test_a_seat_that_loses_its_process_again_and_again_is_played_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        pool, began = BotPool(1, 20.0), []
        start = ThirdPartyBots._start

        async def counted(self: ThirdPartyBots, bot: str) -> Any:
            began.append(bot)
            return await start(self, bot)

        monkeypatch.setattr(ThirdPartyBots, "_start", counted)
        try:
            for life in range(pools.MAX_LOSSES + 3):
                assert await decided(pool, SeatedBot("table", 0, "camelup", "dying", life)) is None
            assert len(began) == pools.MAX_LOSSES
            await decided(pool, SeatedBot("table", 1, "camelup", "dying"))
            assert len(began) == pools.MAX_LOSSES + 1, "another seat has its own chances"
            await pool.remove([SeatedBot("table", 0, "camelup", "dying")])
            assert not pool._third_party._losses
        finally:
            await pool.stop()

    run(play())


def test_processes_make_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        monkeypatch.setattr(pools, "MAX_PROCESSES", 2)
        pool = BotPool(1, 20.0)
        try:
            for seat in range(3):
                await decided(pool, SeatedBot("table", seat, "camelup", "counting"))
            assert [seat for _, seat in pool._third_party._processes] == [1, 2]
            assert await decided(pool, SeatedBot("table", 0, "camelup", "counting")) == b'{"type":"roll"}', "made anew"
            assert len(pool._third_party._processes) == 2
        finally:
            await pool.stop()

    run(play())


def test_a_bot_that_cannot_be_shut_in_is_refused_by_name_unless_the_host_trusts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database lies where bots must be able to read."""
    monkeypatch.setattr(pools, "TRIED_WITHIN", 60.0)

    async def play() -> None:
        for trusted in (False, True):
            pool = BotPool(1, 20.0, private=[tmp_path / "tables.db"], sandboxed=not trusted)
            try:
                pool.warm([("camelup", "counting")])
                if trusted:
                    await pool.admit("camelup", ["counting"])
                else:
                    with pytest.raises(Refusal, match="cannot be sandboxed") as refused:
                        await pool.admit("camelup", ["counting"])
                    assert refused.value.key == "server.bot_exposed"
                    assert not pool.offers("camelup", "counting")
                    assert await decided(pool, SeatedBot("table", 0, "camelup", "counting")) is None
            finally:
                await pool.stop()

    run(play())


def test_a_slow_bot_that_nobody_watches_leaves_a_turn_to_those_who_are_watched() -> None:
    async def play() -> None:
        visitors = ThirdPartyBots(2, 20.0)
        try:
            async with visitors._queue.turn(Place("flood", lambda: False)):
                sitter = SeatedBot("table", 0, "camelup", "counting")
                answer = await visitors.decide(sitter, view(), nothing_happened, Place("home"))
                assert answer == b'{"type":"roll"}'
        finally:
            await visitors.stop()

    run(play())
