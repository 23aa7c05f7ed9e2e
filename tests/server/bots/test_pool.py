"""The pool's processes: what makes bots faster is loaded beside the tables, and again when a process was lost."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.server.bots import pool
from serai.server.bots.pool import BotPool, SeatedBot
from serai.server.bots.worker import BotAnswer, BotWorker
from tests.server.support import run

BOTS = '''
import os
from serai.camelup.rules.actions import Roll, Leg


class Runner:
    """Takes a tile while it is cold and rolls once it is warm."""

    warm = False

    def warm_up(self):
        self.warm = True

    def decide(self, view, rng):
        return Roll() if self.warm else Leg(0)


class Broken(Runner):
    """Cannot be warmed up, and plays all the same."""

    def warm_up(self):
        raise RuntimeError("too cold")


def dying(view, rng):
    if view.players > 2:
        os._exit(3)
    return Roll()
'''
KINDS = [("camelup", bot) for bot in ("runner", "broken", "dying")]


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that only the processes of this test find, and no waiting."""
    (tmp_path / "pool_test_bots.py").write_text(BOTS)
    info = tmp_path / "pool_test_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pool-test-bots\nVersion: 1\n")
    names = {"runner": "Runner", "broken": "Broken", "dying": "dying"}
    lines = "\n".join(f"camelup.{name} = pool_test_bots:{made}" for name, made in names.items())
    (info / "entry_points.txt").write_text(f"[serai.bots]\n{lines}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(pool, "WARM_AFTER", 0.0)


def view() -> bytes:
    """What seat 0 of three sees when the race begins."""
    rng = random.Random(1)
    state: Any = serai.game("camelup").new(players=3)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(rng))
    return msgspec.json.encode(state.seen_by(0))


async def decided(bots: BotPool, bot: str, seat: int = 0) -> Any:
    def nothing_happened(seen: int) -> Sequence[bytes]:
        return ()

    answer = await bots.decide(SeatedBot("table", seat, "camelup", bot), view(), nothing_happened)
    return None if answer is None else json.loads(answer)["type"]


async def until_warm(workers: Iterable[BotWorker]) -> None:
    while any(worker.cold for worker in workers):
        await asyncio.sleep(0.02)


def test_a_bot_of_a_host_is_warmed_up_beside_its_game_and_again_after_its_process_was_lost() -> None:
    async def play() -> None:
        bots = BotPool(1, 20.0)
        try:
            bots.warm(KINDS)
            assert await decided(bots, "runner") == "leg", "it does not wait until it is warm"
            worker = bots._third_party._processes["table", 0].worker
            await until_warm([worker])
            assert await decided(bots, "runner") == "roll"
            assert worker._process is not None
            os.kill(worker._process.pid, signal.SIGKILL)
            assert await decided(bots, "runner") is None
            assert await decided(bots, "runner") == "leg", "a new process"
            await until_warm([worker])
            assert await decided(bots, "runner") == "roll"
            assert await decided(bots, "broken", 1) == "leg", "as it would have played anyway"
        finally:
            await bots.stop()

    run(play())


def test_workers_are_made_ready_again_after_their_process_was_lost() -> None:
    async def play() -> None:
        bots = BotPool(1, 20.0)
        worker = bots._workers[0]
        try:
            bots.warm([("pharaoh", "explorer")])
            await until_warm([worker])
            assert worker._process is not None
            os.kill(worker._process.pid, signal.SIGKILL)
            assert await decided(bots, "random") is None
            assert worker.cold
            await until_warm([worker])
            assert await decided(bots, "random") is not None
        finally:
            await bots.stop()

    run(play())


def test_a_bot_plays_on_while_its_process_is_made_ready() -> None:
    async def play() -> None:
        worker = BotWorker(20.0)

        async def decides() -> Any:
            answer = await worker.decide("0", "camelup", "runner", view(), lambda seen: ())
            return answer and json.loads(answer)["type"]

        try:
            assert await decides() == "leg"
            await worker.renew(KINDS, 60.0)
            assert await decides() == "roll", "seated anew where it is warm"
        finally:
            await worker.stop()

    run(play())


@pytest.mark.skipif(sys.platform != "linux", reason="reads from /proc which processes there are")
def test_stopping_while_bots_are_tried_leaves_no_process_behind() -> None:
    async def play() -> None:
        bots = BotPool(1, 20.0)
        before = _children()
        bots.warm([("camelup", "runner"), ("pharaoh", "explorer")])
        await asyncio.sleep(0)
        while len(_children() - before) < 2:
            await asyncio.sleep(0)
        await bots.stop()
        assert _children() == before

    run(play())


@pytest.mark.skipif(sys.platform != "linux", reason="reads from /proc which processes there are")
def test_who_still_asks_while_the_pool_stops_is_answered_and_starts_no_process() -> None:
    async def play() -> None:
        bots, before, names = BotPool(1, 20.0), _children(), ("random", "runner")
        asking = [asyncio.create_task(decided(bots, name)) for name in names]
        while len(_children() - before) < len(names):
            await asyncio.sleep(0)
        await bots.stop()
        await asyncio.gather(*asking)  # an answer may have come just before
        assert [await decided(bots, name) for name in names] == [None, None]
        assert _children() == before

    run(play())


def _children() -> set[str]:
    here = Path("/proc/self/task")
    return {pid for task in here.iterdir() for pid in (task / "children").read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="reads what a process has loaded from /proc")
def test_a_workers_bots_really_run_compiled_code() -> None:
    async def play() -> None:
        bots = BotPool(1, 20.0)
        try:
            bots.warm([("camelup", "greedy"), ("camelup", "quick")])
            assert not bots.offers("camelup", "greedy")
            await bots.tried()
            assert bots.offers("camelup", "greedy")
            await until_warm(bots._workers)
            process = bots._workers[0]._process
            assert process is not None
            assert "llvmlite" in Path(f"/proc/{process.pid}/maps").read_text()
            for bot in ("greedy", "quick"):
                assert await decided(bots, bot) is not None
        finally:
            await bots.stop()

    run(play())


def test_those_that_need_least_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first start the others compile for a while: nobody who wants to play shall wait for that."""
    tried: list[str] = []

    async def attempt(self: BotWorker, game: str, bot: str, seconds: float) -> BotAnswer:
        tried.append(bot)
        return BotAnswer()

    monkeypatch.setattr(BotWorker, "attempt", attempt)
    monkeypatch.setattr(type(serai.game("pharaoh")), "bot_packages", {"a": ("numpy", "numba"), "b": ("numpy",)})

    async def play() -> None:
        bots = BotPool(1, 10.0)
        monkeypatch.setattr(pool, "_ours", lambda kind: True)
        bots.warm([("pharaoh", bot) for bot in ("a", "b", "c")])
        await bots.tried("pharaoh")
        await bots.stop()

    run(play())
    assert tried == ["c", "b", "a"]


def test_the_company_of_a_level_is_known_before_it_was_tried_and_has_nobody_unfit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camelup = serai.game("camelup")
    monkeypatch.setattr(pool, "UNTRIED", frozenset())

    async def attempt(self: BotWorker, game: str, bot: str, seconds: float) -> BotAnswer:
        return BotAnswer(fault="unfit" if bot == "hoopoe" else "")

    monkeypatch.setattr(BotWorker, "attempt", attempt)

    async def play() -> None:
        bots = BotPool(1, 10.0)
        bots.warm([("camelup", bot) for bot in camelup.company["fennec"]])
        assert bots.company(camelup) == camelup.company
        await bots.tried()
        assert bots.company(camelup)["fennec"] == tuple(bot for bot in camelup.company["fennec"] if bot != "hoopoe")
        await bots.stop()

    run(play())


def test_those_that_are_not_ready_are_told_with_the_seconds_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    go = asyncio.Event()
    pharaoh = serai.game("pharaoh")
    kinds = [("pharaoh", bot) for bot in ("scarab", "explorer", "lynx", "sphinx")]
    monkeypatch.setattr(pool, "UNTRIED", frozenset())

    async def attempt(self: BotWorker, game: str, bot: str, seconds: float) -> BotAnswer:
        if bot == "lynx":
            await go.wait()
        return BotAnswer(fault="unfit" if bot == "sphinx" else "")

    monkeypatch.setattr(BotWorker, "attempt", attempt)

    async def play() -> None:
        bots = BotPool(1, 10.0)
        bots.warm(kinds)
        assert list(bots.warming(pharaoh)) == ["scarab", "explorer", "lynx", "sphinx"]
        assert bots.warming(serai.game("camelup")) == {}
        await bots._over([("pharaoh", "scarab")])
        lynx, sphinx = bots.warming(pharaoh).values()
        assert 1 < lynx <= sphinx <= 17
        go.set()
        await bots.tried()
        assert bots.warming(pharaoh) == {}
        assert "lynx" in bots.ready(pharaoh)
        assert "sphinx" not in bots.ready(pharaoh)
        await bots.stop()

    run(play())
