"""How long a decision takes through a real worker process, as at a live table: every level, and warmed up or not.

Counted by the clock from the question to the answer, so the pipe, the encoding of views and whoever else uses the
machine are in it. Of the levels' games forced moves are not counted.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from collections.abc import Sequence

import msgspec

import serai
from bench.odds_greedy import views
from serai.bots.contract import warm_up
from serai.bots.referee import dealer_for
from serai.bots.specs import find_bot
from serai.core.game import Game
from serai.core.play import advance, deal
from serai.server.bots.worker import BotWorker, EventsFrom

BOTS = ("greedy", "quick")
SEATS = (2, 4, 8)
SECONDS = 120.0
ENOUGH, PATIENCE = 200, 15.0
"""Decisions of a kind of bot at a size of table that are looked at, and seconds after which fewer will do."""


def main() -> None:
    for name in serai.games():
        asyncio.run(_levels(serai.game(name)))
    asyncio.run(_warm_and_cold())


# -- every level -------------------------------------------------------------------------------------------------------


async def _levels(game: Game) -> None:
    kinds = game.levels or game.bots
    for bot in kinds:
        warm_up(find_bot(game, bot)())  # whatever has to be compiled on this machine is, once
    worker = BotWorker(SECONDS)
    try:
        began = time.perf_counter()
        await worker.renew([(game.name, bot) for bot in kinds], SECONDS)
        print(f"{game.name}: a process made ready for all levels: {time.perf_counter() - began:.2f} s")
        for bot in kinds:
            for players in SEATS:
                if players in game.players:
                    print(
                        f"{game.name}, {players} {bot}: {_told(await _games(worker, game, bot, players))}", flush=True
                    )
    finally:
        await worker.stop()


async def _games(worker: BotWorker, game: Game, bot: str, players: int) -> list[float]:
    """Milliseconds of decisions in games among bots of this kind."""
    taken: list[float] = []
    end = time.perf_counter() + PATIENCE
    for number in itertools.count():
        keys = [f"{game.name} {bot} {players} {number} {seat}" for seat in range(players)]
        stories: list[list[bytes]] = [[] for _ in keys]
        dealer = dealer_for(f"worker {number}")
        made = deal(game.new(players=players), dealer)
        while True:
            for seat, story in enumerate(stories):
                story += [msgspec.json.encode(event.seen_by(seat)) for event in made.events]
            state = made.after
            if state.over or len(taken) >= ENOUGH or time.perf_counter() > end:
                break
            seat = state.actor
            view = state.seen_by(seat)
            began = time.perf_counter()
            answer = await worker.decide(keys[seat], game.name, bot, msgspec.json.encode(view), _from(stories[seat]))
            milliseconds = (time.perf_counter() - began) * 1000
            assert answer is not None
            if len(view.actions()) > 1:
                taken.append(milliseconds)
            made = advance(state, game.action_decoder.decode(answer), dealer)
        await worker.remove(keys)
        if not made.after.over:
            return taken
    raise AssertionError("games are played until there is enough")


def _from(story: list[bytes]) -> EventsFrom:
    return lambda seen: story[seen:]


def _told(times: Sequence[float]) -> str:
    most = sorted(times)[int(len(times) * 0.99)]
    return f"median {statistics.median(times):.2f} ms, 99 of 100 within {most:.1f} ms ({len(times)} decisions)"


# -- warmed up and not, turn about -------------------------------------------------------------------------------------


async def _warm_and_cold() -> None:
    cold, warm = BotWorker(SECONDS), BotWorker(SECONDS)
    try:
        began = time.perf_counter()
        await warm.renew([("camelup", bot) for bot in BOTS], SECONDS)
        print(f"a process made ready, compiled code loaded: {time.perf_counter() - began:.2f} s")
        seen = [msgspec.json.encode(view) for view in views()]
        ways = {(bot, way): worker for bot in BOTS for way, worker in (("compiled", warm), ("NumPy", cold))}
        taken: dict[tuple[str, str], list[float]] = {way: [] for way in ways}
        for (bot, _), worker in ways.items():
            await _milliseconds(worker, bot, seen[0])
        for view in seen:
            for (bot, way), worker in ways.items():
                taken[bot, way].append(await _milliseconds(worker, bot, view))
    finally:
        await cold.stop()
        await warm.stop()
    for (bot, way), times in taken.items():
        print(f"{bot}, {way}: {_told(times)}")
    for bot in BOTS:
        ratios = [slow / fast for slow, fast in zip(taken[bot, "NumPy"], taken[bot, "compiled"], strict=True)]
        print(f"{bot}: compiled {statistics.median(ratios):.1f} times as fast in the middle")


async def _milliseconds(worker: BotWorker, bot: str, view: bytes) -> float:
    began = time.perf_counter()
    answer = await worker.decide(bot, "camelup", bot, view, _nothing_happened)
    assert answer is not None
    return (time.perf_counter() - began) * 1000


def _nothing_happened(seen: int) -> Sequence[bytes]:
    return ()


if __name__ == "__main__":
    main()
