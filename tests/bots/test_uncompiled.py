"""Bots that people play against first decide without compiled code until it is there, and decide the same."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
from typing import Any

import pytest

import serai
from serai.bots.contract import warm_up
from serai.bots.specs import find_bot
from serai.core.chance import any_kind
from tests.support import amount

BOTS = [
    *(("camelup", bot) for bot in ("fennec", "hoopoe", "caracal")),
    *(("pharaoh", bot) for bot in ("scarab", "gecko", "jackal")),
]


def moments(name: str, games: int, share: float) -> list[Any]:
    """Views with a player to act, from random games."""
    game, rng, found = serai.game(name), random.Random(5), []
    for number in range(games):
        state: Any = game.new(players=game.players[number % len(game.players)])
        while not state.over:
            if isinstance(state.actor, int) and rng.random() < share:
                found.append(state.seen_by(state.actor))
            state = state.apply(state.sample(rng) if state.actor is serai.CHANCE else any_kind(state.actions(), rng))
    return found


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_a_bot_decides_the_same_with_and_without_compiled_code(name: str, bot: str) -> None:
    make = find_bot(serai.game(name), bot)
    cold, warm = make(), make()
    warm_up(warm)
    views = moments(name, amount(7, 70), {"camelup": 0.2, "pharaoh": 0.1}[name])
    assert len(views) > 50
    for number, view in enumerate(views):
        rng = random.Random(number)
        assert cold.decide(view, copy.deepcopy(rng)) == warm.decide(view, rng)


COLD = """
import random, sys
import serai
from numba.core import event
from serai.bots.specs import find_bot
compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(event.data["dispatcher"])
    def on_end(self, event): pass
event.register("numba:compile", Listener())
for name, bot in {bots}:
    game = serai.game(name)
    state = game.new(players=3)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(random.Random(1)))
    find_bot(game, bot)().decide(state.seen_by(state.actor), random.Random(1))
assert not compiled, compiled
"""


def test_their_first_decision_compiles_nothing(tmp_path: Any) -> None:
    subprocess.run(
        [sys.executable, "-c", COLD.format(bots=BOTS)],
        check=True,
        env={"NUMBA_CACHE_DIR": str(tmp_path), "SERAI_CACHE": str(tmp_path)},
        timeout=120,
    )
