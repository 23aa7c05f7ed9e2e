"""Compiled whole games of Das Gold des Pharao: chance and ``random`` are those of the rules."""

from __future__ import annotations

import random
from typing import Any

from serai.core.record import replay
from serai.lab.rows import measures
from serai.pharaoh import GAME
from tests.support import amount, assert_alike, random_play


def test_random_games_by_rules_and_by_kernel_look_alike() -> None:
    rng = random.Random(12)
    games = amount(250, 2_500)
    read, compiled = [], []
    simulator = GAME.compiled.simulator(["random"] * 3, seed="7", max_rounds=20)
    assert simulator is not None
    for number in range(games):
        played = list(random_play(GAME, 3, rng, max_rounds=20))
        read.append(_quantities(played[-1][2], len(played)))
        replayed = list(replay(simulator.record(number)))
        compiled.append(_quantities(replayed[-1].after, len(replayed)))
    assert_alike(read, compiled)


def test_only_bots_are_simulated() -> None:
    assert GAME.compiled.simulator(["random", "seasoned"], seed="1") is None, "whom searchers imagine is no bot"


def _quantities(end: Any, plies: int) -> tuple[float, ...]:
    lamps = sum(map(len, end.lamps))
    return (
        plies,
        *end.points,
        lamps,
        sum(end.unseen),
        sum(end.stack),
        len(end.lying),
        *measures(GAME, GAME.row(end, end)).values(),
    )
