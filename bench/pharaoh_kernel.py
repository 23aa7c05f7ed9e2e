"""Plies per second of Das Gold des Pharao's kernel on one core, beside its readable rules in the same run.

A ply is an action of a player or of chance, decided and done. The readable rules play ``random`` and ``explorer``.
Rates are per second of one core's time; ratios are medians over rounds.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import serai
from serai.bots import find_bot

ROUNDS = 5
SECONDS_PER_ROUND = 0.5
PLAYERS = 3
LANES = 1024
GAMES_PER_PORTION = {"random": 100, "scarab": 20, "gecko": 20, "jackal": 20}

Portion = Callable[[], int]
"""Plays a little and tells how many plies that were."""


def compiled(bot: str) -> Portion:
    simulator = serai.game("pharaoh").compiled.simulator([bot] * PLAYERS, seed="1")
    assert simulator is not None
    played = 0

    def portion() -> int:
        nonlocal played
        tally = simulator.play(played, GAMES_PER_PORTION[bot])
        played += tally.games
        return int(tally.plies)

    return portion


def stepping() -> Portion:
    """A step in each lane by the compiled ``random``, with mask and observation; draws of chance are not counted."""
    batch = serai.game("pharaoh").compiled.batch(LANES, PLAYERS, seed=1)
    assert batch is not None
    words, actions = np.arange(LANES, dtype=np.uint64), np.empty(LANES, np.int64)

    def portion() -> int:
        batch.random_actions(words, actions)
        batch.step(actions)
        return LANES

    return portion


def readable(bot: str) -> Portion:
    game, rng = serai.game("pharaoh"), random.Random(1)

    def portion() -> int:
        state: Any = game.new(PLAYERS)
        bots = [find_bot(game, bot)() for _ in range(PLAYERS)]
        plies = 0
        while not state.over:
            chance = state.actor is serai.CHANCE
            state = state.apply(state.sample(rng) if chance else bots[state.actor].decide(state, rng))
            plies += 1
        return plies

    return portion


def rate(portion: Portion) -> float:
    began = time.process_time()
    plies = 0
    while time.process_time() < began + SECONDS_PER_ROUND:
        plies += portion()
    return plies / (time.process_time() - began)


def main() -> None:
    bases = {bot: readable(bot) for bot in ("random", "explorer")}
    ours = {f"three {bot}": (compiled(bot), "random" if bot == "random" else "explorer") for bot in GAMES_PER_PORTION}
    ours[f"random steps in {LANES} lanes"] = (stepping(), "random")
    for portion in (*bases.values(), *(portion for portion, _ in ours.values())):
        portion()
    rates: dict[str, list[float]] = {name: [] for name in (*bases, *ours)}
    for _ in range(ROUNDS):
        for name, portion in bases.items():
            rates[name].append(rate(portion))
        for name, (portion, _) in ours.items():
            rates[name].append(rate(portion))
    for name in bases:
        print(f"readable rules, three {name}: {statistics.median(rates[name]):,.0f} plies/s")
    for name, (_, base) in ours.items():
        ratio = statistics.median(our / their for our, their in zip(rates[name], rates[base], strict=True))
        print(f"kernel, {name}: {statistics.median(rates[name]):,.0f} plies/s; {ratio:,.0f} times the readable {base}")


if __name__ == "__main__":
    main()
