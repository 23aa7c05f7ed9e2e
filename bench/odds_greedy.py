"""How long ``greedy`` and ``quick`` think at a table, from a view: compiled and in NumPy, over whole games.

Times are those of one core, so that whoever else uses the machine does not count.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

import serai
from serai.bots.contract import warm_up
from serai.bots.specs import find_bot
from serai.camelup.rules.rules import CamelUpState

GAMES = 6


def views() -> list[CamelUpState]:
    """What players see when they are to act, in games of two greedy and two random players."""
    game: Any = serai.game("camelup")
    bots = [find_bot(game, name)() for name in ("greedy", "random", "greedy", "random")]
    rng = random.Random(1)
    seen = []
    for _ in range(GAMES):
        state = game.new(players=len(bots))
        while not state.over:
            if state.actor is serai.CHANCE:
                state = state.apply(state.sample(rng))
            else:
                seen.append(state.seen_by(state.actor))
                state = state.apply(bots[state.actor].decide(seen[-1], rng))
    return seen


def main() -> None:
    game = serai.game("camelup")
    rng = random.Random(0)
    bots = {}
    for name in ("greedy", "quick"):
        bots[f"{name}, compiled"], bots[f"{name}, NumPy"] = find_bot(game, name)(), find_bot(game, name)()
        warm_up(bots[f"{name}, compiled"])
    taken: dict[str, list[float]] = {name: [] for name in bots}
    for view in views():
        for name, bot in bots.items():
            began = time.thread_time()
            bot.decide(view, rng)
            taken[name].append((time.thread_time() - began) * 1000)
    for name, times in taken.items():
        most = sorted(times)[int(len(times) * 0.99)]
        print(f"{name}: median {statistics.median(times):.3f} ms, 99 of 100 within {most:.3f} ms")


if __name__ == "__main__":
    main()
