"""Steps per second of environments on one core, and what copies cost, beside OpenSpiel's own games in Python.

By the time of the core, so that other work on the machine disturbs it less.
"""

from __future__ import annotations

import copy
import itertools
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pyspiel
from open_spiel.python.games import kuhn_poker, tic_tac_toe

from serai.envs import openspiel, pettingzoo

STEPS = 300
ROUNDS = 9
COPIES = 200
REGISTERED = (kuhn_poker, tic_tac_toe, openspiel)
"""By being imported."""
_seeds = itertools.count(1)
"""No two play the same games: encodings remember parts of positions that they have seen."""
Portion = Callable[[], None]


def agents(make: Callable[..., Any], name: str) -> tuple[Any, Portion]:
    """PettingZoo: every seat plays at random, with observation and mask."""
    env, rng = make(name, 4), random.Random(next(_seeds))
    env.reset(seed=next(_seeds))

    def portion() -> None:
        for _ in range(STEPS):
            if not env.agents:
                env.reset()
            seen, _, over, _, _ = env.last()
            env.step(None if over else rng.choice(seen["action_mask"].nonzero()[0].tolist()))

    return env, portion


def learner(name: str, opponent: str) -> tuple[Any, Portion]:
    """Gymnasium: the learner plays at random against three bots."""
    env = gymnasium.make(f"serai/{name}-v0", opponents=[opponent] * 3)
    rng = random.Random(next(_seeds))
    _, info = env.reset(seed=next(_seeds))

    def portion() -> None:
        nonlocal info
        for _ in range(STEPS):
            *_, over, _, info = env.step(np.int64(rng.choice(info["action_mask"].nonzero()[0].tolist())))
            if over:
                _, info = env.reset()

    return env, portion


def spiel(name: str) -> tuple[Any, Portion]:
    """OpenSpiel: players and chance at random, without observations."""
    game, rng = pyspiel.load_game(name), random.Random(next(_seeds))
    state = game.new_initial_state()

    def portion() -> None:
        nonlocal state
        for _ in range(STEPS):
            if state.is_terminal():
                state = game.new_initial_state()
            legal = (
                [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            )
            state.apply_action(rng.choice(legal))

    return game.new_initial_state(), portion


def seconds(work: Portion) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    makers: dict[str, Callable[[], tuple[Any, Portion]]] = {
        "OpenSpiel's own tic-tac-toe in Python": lambda: spiel("python_tic_tac_toe"),
        "OpenSpiel's own Kuhn poker in Python": lambda: spiel("python_kuhn_poker"),
        "OpenSpiel, Camel Up": lambda: spiel("python_serai_camelup"),
        "OpenSpiel, pyramid": lambda: spiel("python_serai_pharaoh"),
        "PettingZoo raw_env, Camel Up": lambda: agents(pettingzoo.raw_env, "camelup"),
        "PettingZoo env, Camel Up": lambda: agents(pettingzoo.env, "camelup"),
        "PettingZoo raw_env, pyramid": lambda: agents(pettingzoo.raw_env, "pharaoh"),
        "Gymnasium, Camel Up, three random": lambda: learner("CamelUp", "random"),
        "Gymnasium, Camel Up, three quick": lambda: learner("CamelUp", "quick"),
        "Gymnasium, pyramid, three random": lambda: learner("Pharaoh", "random"),
    }
    made = {name: make() for name, make in makers.items()}
    taken: dict[str, list[float]] = {name: [] for name in made}
    for _, portion in made.values():
        portion()
    for _ in range(ROUNDS):
        for name, (_, portion) in made.items():
            taken[name].append(seconds(portion))
    for name, (thing, _) in made.items():
        rate = STEPS / statistics.median(taken[name])
        copied = seconds(partial(copy_often, thing)) / COPIES
        print(f"{name:42}{rate:10,.0f} steps/s    a copy takes {copied * 1e6:6.0f} µs")


def copy_often(thing: Any) -> None:
    """In the way that is meant for it."""
    for _ in range(COPIES):
        if isinstance(thing, pyspiel.State):
            thing.clone()
        else:
            copy.deepcopy(thing)


if __name__ == "__main__":
    main()
