"""Compiled whole games of Camel Up: bots play as their readable twins do, and chance is that of the rules."""

from __future__ import annotations

import random
from typing import Any

import serai
from serai.bots import Bot, find_bot
from serai.camelup import GAME
from serai.camelup.kernel.layout import LIGHT_POLICIES, POLICIES
from serai.core.record import replay
from tests.support import amount, assert_alike, random_play


def test_the_game_names_the_bots_that_compiled_code_plays() -> None:
    assert GAME.compiled is not None
    assert tuple(GAME.compiled.twins) == tuple(POLICIES)
    assert GAME.compiled.twins_on_gpu == LIGHT_POLICIES


def test_compiled_bots_decide_in_their_games_as_their_readable_twins_do() -> None:
    names = [name for name in POLICIES if name != "random"]
    twins: dict[str | None, Bot] = {name: find_bot(GAME, name)() for name in names}
    rng, compared = random.Random(0), 0
    for table in (names[:6], names[5:]):
        simulator = _simulator(["random", *table], rotate=True)
        for number in range(amount(3, 60)):
            record = simulator.record(number)
            for ply in replay(record):
                seat = ply.before.actor
                if seat is not serai.CHANCE and record.seats[seat].bot in twins:
                    assert twins[record.seats[seat].bot].decide(ply.before.seen_by(seat), rng) == ply.action
                    compared += 1
    assert compared > 200


def test_random_games_by_rules_and_by_kernel_look_alike() -> None:
    """Two independent samples of one distribution: their means differ by no more than five standard errors."""
    rng = random.Random(12)
    games = amount(600, 6_000)
    read: list[tuple[float, ...]] = []
    for _ in range(games):
        plies = list(random_play(GAME, 4, rng))
        end = plies[-1][2]
        read.append((*end.money, end.leg, len(plies), len(end.winner_deck), sum(map(abs, end.deserts))))
    compiled: list[tuple[float, ...]] = []
    simulator = _simulator(["random"] * 4)
    for number in range(games):
        replayed = list(replay(simulator.record(number)))
        end = replayed[-1].after
        compiled.append((*end.money, end.leg, len(replayed), len(end.winner_deck), sum(map(abs, end.deserts))))
    assert_alike(read, compiled)


def _simulator(bots: list[str], *, seed: str = "7", rotate: bool = False, **options: Any) -> Any:
    simulator = GAME.compiled.simulator(bots, seed=seed, rotate=rotate, **options)
    assert simulator is not None
    return simulator
