"""Random play in batches and in environments, beside the games that Pgx, PettingZoo and OpenSpiel bring themselves.

Every line is steps a second on this machine, in one run, portions in turn: a step is one action of a player, drawn
uniformly among the legal ones (for ours: as the bot ``random`` does), with mask and observation where the library makes
them, and with finished games begun anew. What differs is said in docs/performance.md: above all the games.
"""

from __future__ import annotations

import importlib
import os
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

import serai
from serai.core.parts import compiled

LANES = 4096
STEPS = 64
"""Of every lane in a portion."""
SINGLE = 400
"""Steps of a single environment in a portion."""
ROUNDS = 5
Portion = Callable[[], int]
"""Plays, and tells how many steps that were."""


def ours(name: str, threads: int) -> Portion:
    """Our batch, four players, with mask and packed observation."""
    batch = compiled(serai.game(name)).batch(LANES, 4, packed=True, threads=threads)
    assert batch is not None
    words, actions = np.arange(LANES, dtype=np.uint64), np.zeros(LANES, np.int64)

    def portion() -> int:
        for _ in range(STEPS):
            batch.random_actions(words, actions)
            batch.step(actions)
        return LANES * STEPS

    return portion


def of_pgx(name: str) -> Portion:
    """A game of Pgx, compiled by JAX for all lanes and steps at once: draw among the legal, step, begin anew."""
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    wrapped = importlib.import_module("pgx.experimental.wrappers").auto_reset
    env = pgx.make(name)
    step = jax.vmap(wrapped(env.step, env.init))

    def once(carried: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], Any]:
        state, key = carried
        key, choosing, chance = jax.random.split(key, 3)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(choosing, logits, axis=1)
        state = step(state, actions, jax.random.split(chance, LANES))
        return (state, key), state.observation.sum()  # so that nobody leaves the observation out

    played = jax.jit(lambda carried: jax.lax.scan(once, carried, None, length=STEPS))
    key = jax.random.PRNGKey(1)
    carried = (jax.jit(jax.vmap(env.init))(jax.random.split(key, LANES)), key)

    def portion() -> int:
        nonlocal carried
        carried, seen = played(carried)
        seen.block_until_ready()
        return LANES * STEPS

    return portion


def of_pettingzoo(make: Callable[[], Any]) -> Portion:
    """An environment of PettingZoo, without its wrappers, with mask and observation."""
    env, rng = make(), random.Random(1)
    env.reset(seed=1)

    def portion() -> int:
        for _ in range(SINGLE):
            if not env.agents:
                env.reset()
            seen, _, over, _, _ = env.last()
            env.step(None if over else rng.choice(seen["action_mask"].nonzero()[0].tolist()))
        return SINGLE

    return portion


def of_openspiel(name: str) -> Portion:
    """A game of OpenSpiel, chance drawn as well (but not counted), with the observation of whoever acts."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game, rng = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()

    def portion() -> int:
        nonlocal state
        steps = 0
        while steps < SINGLE:
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return SINGLE

    return portion


def contestants() -> dict[str, Callable[[], Portion]]:
    """Whoever can play with what is installed; the rest is named."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    made: dict[str, Callable[[], Portion]] = {
        "batch, Camel Up, one core": lambda: ours("camelup", 1),
        f"batch, Camel Up, {cores} threads": lambda: ours("camelup", cores),
        "batch, pyramid, one core": lambda: ours("pharaoh", 1),
        f"batch, pyramid, {cores} threads": lambda: ours("pharaoh", cores),
    }
    if find_spec("pgx") is None:
        print("Pgx is not installed: pip install pgx (which brings JAX) to have its games in this run")
    else:
        for name in ("backgammon", "connect_four"):
            made[f"Pgx, {name}, all cores"] = partial(of_pgx, name)
    if find_spec("pettingzoo") is None:
        print("PettingZoo is not installed: install Serai with its extra 'envs'")
    else:
        ours_there = importlib.import_module("serai.envs.pettingzoo")
        made["PettingZoo, our Camel Up"] = lambda: of_pettingzoo(lambda: ours_there.raw_env("camelup", 4))
        made["PettingZoo, our pyramid"] = lambda: of_pettingzoo(lambda: ours_there.raw_env("pharaoh", 4))
        if find_spec("pygame") is None:
            print("PettingZoo's own games need pygame: pip install pygame to have them in this run")
        else:
            for name in ("connect_four_v3", "tictactoe_v3"):
                made[f"PettingZoo's own {name}"] = partial(
                    of_pettingzoo, importlib.import_module(f"pettingzoo.classic.{name}").raw_env
                )
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: install Serai with its extra 'envs'")
    else:
        importlib.import_module("serai.envs.openspiel")
        importlib.import_module("open_spiel.python.games.tic_tac_toe")
        made["OpenSpiel, our Camel Up"] = lambda: of_openspiel("python_serai_camelup")
        made["OpenSpiel, our pyramid"] = lambda: of_openspiel("python_serai_pharaoh")
        for name in ("backgammon", "connect_four", "python_tic_tac_toe"):
            made[f"OpenSpiel's own {name}"] = partial(of_openspiel, name)
    return made


def main() -> None:
    portions = {}
    for name, make in contestants().items():
        portions[name] = make()
        portions[name]()  # whatever is compiled is compiled here
    rates: dict[str, list[float]] = {name: [] for name in portions}
    for _ in range(ROUNDS):
        for name, portion in portions.items():
            began = time.perf_counter()
            steps = portion()
            rates[name].append(steps / (time.perf_counter() - began))
    for name, found in rates.items():
        print(f"{name:40}{statistics.median(found):14,.0f} steps/s   (from {min(found):,.0f} to {max(found):,.0f})")


if __name__ == "__main__":
    main()
