"""Compile what most tests need, in four processes: workers that begin together would each compile all of it.

``make test`` runs this before its tests whenever sources have changed since.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import serai
from serai.bots import find_bot
from serai.coach import hints
from serai.core.parts import compiled


def games_and_bots(game: Any) -> None:
    """What plays whole games and decides in one."""
    view = game.new(players=2, first=0)
    while view.actor is serai.CHANCE:
        view = view.apply(view.sample(random.Random(1)))
    view = view.seen_by(0)
    game.rollouts(view, n=2, seed=1)
    hints(game, view, game.memory(0))
    for bot in game.bots:
        if compiled(game).simulator([bot, "random"], seed="1") is None:
            find_bot(game, bot)().decide(view, random.Random(1))
        else:
            serai.simulate(game, [bot, "random"], games=2, seed=1, limit=None)


def batches(game: Any) -> None:
    """What steps many games side by side."""
    for choices in ({}, {"packed": True}, {"opponents": game.bots[1]}, {"opponents": game.bots[1], "packed": True}):
        batch = compiled(game).batch(2, 2, seed=1, **choices)
        assert batch is not None
        batch.step(np.array([np.flatnonzero(mask)[0] for mask in batch.buffers.mask]))


PARTS = {part.__name__: part for part in (games_and_bots, batches)}

if __name__ == "__main__":
    if sys.argv[1:]:
        name, part = sys.argv[1:]
        PARTS[part](serai.game(name))
    else:
        os.environ.setdefault("SERAI_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "serai"))
        commands = [[sys.executable, "-m", __spec__.name, name, part] for part in PARTS for name in serai.games()]
        processes = [subprocess.Popen(command) for command in commands]
        sys.exit(sum(process.wait() != 0 for process in processes))
