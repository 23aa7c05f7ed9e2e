"""Compiled whole games: each is a lawful game, the same in every portion, and counted as the referee would count it."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from statistics import mean, variance
from typing import Any

import pytest

import serai
from serai.bots import Bot, find_bot
from serai.camelup import GAME
from serai.core import BadOptions, Record, Tally
from serai.core.record import replay, verify
from serai.core.simulation import seating
from tests.support import amount, random_play


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("rotate", [False, True])
def test_every_game_is_lawful_and_counted_as_the_referee_would(players: int, rotate: bool) -> None:
    games = amount(8, 200)
    options: dict[str, Any] = {"first": players // 2, "hide_money": rotate}
    bots = (["random", "quick", "greedy"] * 3)[:players]
    simulator = _simulator(bots, rotate=rotate, **options)
    counted = Tally.empty(players)
    for number in range(5, 5 + games):
        record = Record.read(simulator.record(number).write())
        assert dict(record.options) == options
        assert [seat.bot for seat in record.seats] == [bots[bot] for bot in seating(players, number, rotate=rotate)]
        verdict = verify(record)
        assert verdict.finished
        plies = list(replay(record))
        decisions = [ply for ply in plies if ply.before.actor is not serai.CHANCE]
        counted.add(
            seating(players, number, rotate=rotate),
            verdict.scores,
            verdict.winners,
            plies=len(plies),
            decisions=len(decisions),
            measures=GAME.measures(decisions[0].before, plies[-1].after),
        )
    _assert_equal(simulator.play(5, games), counted)


def test_compiled_bots_decide_in_their_games_as_their_readable_twins_do() -> None:
    names = ("quick", "greedy", "jerboa", "donkey", "fennec")
    twins: dict[str | None, Bot] = {name: find_bot(GAME, name)() for name in names}
    simulator = _simulator(["random", *names], rotate=True)
    rng, compared = random.Random(0), 0
    for number in range(amount(6, 60)):
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
    for ours, theirs in zip(zip(*read, strict=True), zip(*compiled, strict=True), strict=True):
        error = ((variance(ours) + variance(theirs)) / games) ** 0.5
        assert abs(mean(ours) - mean(theirs)) < 5 * error


def test_portions_and_threads_change_nothing() -> None:
    simulator = _simulator(["random"] * 4, rotate=True)
    whole = simulator.play(0, 1000)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda first: simulator.play(first, 125), range(0, 1000, 125)))
    together = Tally.empty(4)
    for part in parts:
        together.merge(part)
    _assert_equal(whole, together)
    _assert_equal(whole, _simulator(["random"] * 4, rotate=True).play(0, 1000))


def test_another_seed_gives_other_games() -> None:
    one, other = (_simulator(["random"] * 3, seed=seed) for seed in ("1", "2"))
    assert one.record(0).actions != other.record(0).actions
    assert one.record(0).actions != one.record(1).actions
    assert one.record(0) == _simulator(["random"] * 3, seed="1").record(0)


def test_rotation_moves_every_bot_through_every_seat() -> None:
    tally = _simulator(["random"] * 4, rotate=True).play(0, 8)
    assert [[sum(scores.values()) for scores in seats] for seats in tally.scores] == [[2] * 4] * 4


def test_without_a_compiled_twin_there_is_no_simulator() -> None:
    assert GAME.simulator(["random", "my_bot.py:decide"], seed="1") is None


def test_a_wrong_set_up_is_refused() -> None:
    with pytest.raises(BadOptions):
        GAME.simulator(["random"], seed="1")
    with pytest.raises(BadOptions):
        GAME.simulator(["random"] * 2, seed="1", first=2)


def _simulator(bots: list[str], *, seed: str = "7", rotate: bool = False, **options: Any) -> Any:
    simulator = GAME.simulator(bots, seed=seed, rotate=rotate, **options)
    assert simulator is not None
    return simulator


def _assert_equal(one: Tally, other: Tally) -> None:
    assert (one.games, one.decisions, one.ties) == (other.games, other.decisions, other.ties)
    assert one.lengths == other.lengths
    assert one.scores == other.scores
    assert one.measures == other.measures
    for got, wanted in zip(one.wins, other.wins, strict=True):
        assert got == pytest.approx(wanted)
