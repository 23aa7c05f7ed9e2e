"""Rates of ours beside OpenSpiel's backgammon, played at random and driven from Python, turn about in one run.

Rates are per second of one core's time, so that other work on the machine disturbs them less.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping

import pyspiel

ROUNDS = 7
SECONDS_PER_ROUND = 0.5

Portion = Callable[[], int]
"""Plays some games and tells how many decisions that took; a portion should last well under a round."""


def backgammon(rng: random.Random) -> Portion:
    """One random game; its decisions."""
    game = pyspiel.load_game("backgammon")

    def portion() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return portion


def compare(ours: Mapping[str, Portion]) -> Mapping[str, float]:
    """Decisions per second of each of ours, printed beside backgammon's; ratios are medians over rounds."""
    theirs = backgammon(random.Random(1))
    for portion in (theirs, *ours.values()):
        portion()
    rounds = [(_rate(theirs), {name: _rate(portion) for name, portion in ours.items()}) for _ in range(ROUNDS)]
    base = statistics.median(rate for rate, _ in rounds)
    print(f"OpenSpiel backgammon, random, from Python: {base:,.0f} decisions/s")
    medians = {}
    for name in ours:
        ratio = statistics.median(rates[name] / rate for rate, rates in rounds)
        medians[name] = statistics.median(rates[name] for _, rates in rounds)
        print(f"{name}: {medians[name]:,.0f} decisions/s; ratio {ratio:.4g}")
    return medians


def _rate(portion: Portion) -> float:
    began = time.process_time()
    decisions = 0
    while time.process_time() < began + SECONDS_PER_ROUND:
        decisions += portion()
    return decisions / (time.process_time() - began)
