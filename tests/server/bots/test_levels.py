"""Levels in a real worker, as a server that is not under test asks them: each passes its trial, and plays."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

import serai
from serai.core import CHANCE
from serai.server.bots.worker import BotWorker

_SECONDS = 300.0
"""Where nothing is compiled yet, that comes first."""


@pytest.mark.parametrize("name", serai.games())
def test_levels_decide_in_a_worker(name: str) -> None:
    game, rng = serai.game(name), random.Random(1)
    state: Any = game.new(players=game.players[0])
    happened: list[Any] = []
    while len(happened) < 12 or state.actor is CHANCE:
        state, events = state.step(state.sample(rng) if state.actor is CHANCE else rng.choice(state.actions()))
        happened += events
    told = [msgspec.json.encode(event.seen_by(state.actor)) for event in happened]
    view = msgspec.json.encode(state.seen_by(state.actor))

    async def ask() -> None:
        worker = BotWorker(_SECONDS)
        try:
            for level in game.levels:
                assert (await worker.attempt(name, level, _SECONDS)).fault == "", level
                decided = await worker.decide(level, name, level, view, lambda seen: told[seen:])
                assert decided is not None, level
                assert game.action_decoder.decode(decided) in state.actions(), level
        finally:
            await worker.stop()

    asyncio.run(ask())
