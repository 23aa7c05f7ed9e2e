"""Compiled whole games: each is a lawful game, the same in every portion, and counted as the referee would count it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import serai
from serai.core import Record
from serai.core.parts import compiled
from serai.core.record import replay, verify
from serai.errors import BadOptions
from serai.lab.rows import measures, row_of, row_type
from serai.lab.simulator import Simulator
from serai.lab.tally import Tally, seating
from tests.support import amount

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "camelup": [{"hide_money": False}, {"hide_money": True}],
    "pharaoh": [{"max_rounds": 200, "ring": "rook"}, {"restless": 3, "entrance": "f3", "frightened_drop": False}],
}
BOTS = {"camelup": ["random", "quick", "greedy"], "pharaoh": ["random", "jackal", "gecko", "scarab"]}
"""Some that have compiled twins."""
SIZES = [(name, players) for name in BOTS for players in serai.game(name).players]
GAMES = pytest.mark.parametrize("name", BOTS)


@pytest.mark.parametrize(("name", "players"), SIZES)
@pytest.mark.parametrize("rotate", [False, True])
def test_every_game_is_lawful_and_counted_as_the_referee_would(name: str, players: int, rotate: bool) -> None:
    game, games = serai.game(name), amount(8, 200)
    options = game.settled(players, {"first": players // 2, **OPTIONS[name][rotate]})
    bots = (BOTS[name] * 3)[:players]
    simulator = new_simulator(name, bots, rotate=rotate, **options)
    counted = Tally.empty(players)
    rows = np.empty(games, row_type(game, players))
    tally = simulator.play(5, games, rows)
    for number in range(5, 5 + games):
        record = Record.read(simulator.record(number).write())
        assert dict(record.options) == options
        assert [seat.bot for seat in record.seats] == [bots[bot] for bot in seating(players, number, rotate=rotate)]
        verdict = verify(record)
        assert verdict.finished
        plies = list(replay(record))
        decisions = [ply for ply in plies if ply.before.actor is not serai.CHANCE]
        acted = [(ply.before.actor, ply.action.kind) for ply in decisions]
        seats = seating(players, number, rotate=rotate)
        row = row_of(game, number, seats, decisions[0].before, plies[-1].after, acted)
        for column, value in row.items():
            assert np.allclose(rows[number - 5][column], value), column
        counted.add(
            seats,
            verdict.scores,
            verdict.winners,
            plies=len(plies),
            decisions=len(decisions),
            measures=measures(game, row),
        )
    assert_equal(tally, counted)


@GAMES
def test_portions_and_threads_change_nothing(name: str) -> None:
    bots = BOTS[name][:2]
    simulator = new_simulator(name, bots, rotate=True)
    whole = simulator.play(0, 400)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda first: simulator.play(first, 50), range(0, 400, 50)))
    together = Tally.empty(2)
    for part in parts:
        together.merge(part)
    assert_equal(whole, together)
    assert_equal(whole, new_simulator(name, bots, rotate=True).play(0, 400))


@GAMES
def test_another_seed_gives_other_games(name: str) -> None:
    one, other = (new_simulator(name, ["random"] * 3, seed=seed) for seed in ("1", "2"))
    assert one.record(0).actions != other.record(0).actions
    assert one.record(0).actions != one.record(1).actions
    assert one.record(0) == new_simulator(name, ["random"] * 3, seed="1").record(0)


@GAMES
def test_paired_games_draw_alike_as_long_as_the_bots_do(name: str) -> None:
    simulator = new_simulator(name, ["random"] * 2, paired=True)
    drawn = [
        [str(ply.action) for ply in replay(simulator.record(number)) if ply.before.actor is serai.CHANCE]
        for number in range(6)
    ]
    assert drawn[0][0] == drawn[1][0]
    assert len({actions[0] for actions in drawn[::2]} | {actions[1] for actions in drawn[::2]}) > 1
    assert simulator.record(0).actions != simulator.record(1).actions
    groups = simulator.play(0, 6).groups
    assert groups is not None
    assert groups.count == 3


@GAMES
def test_rotation_moves_every_bot_through_every_seat(name: str) -> None:
    tally = new_simulator(name, ["random"] * 4, rotate=True).play(0, 8)
    assert [[sum(scores.values()) for scores in seats] for seats in tally.scores] == [[2] * 4] * 4


@GAMES
def test_without_a_compiled_twin_there_is_no_simulator(name: str) -> None:
    assert compiled(serai.game(name)).simulator(["random", "my_bot.py:decide"], seed="1") is None


@GAMES
def test_a_wrong_set_up_is_refused(name: str) -> None:
    game = serai.game(name)
    with pytest.raises(BadOptions):
        compiled(game).simulator(["random"], seed="1")
    with pytest.raises(BadOptions):
        compiled(game).simulator(["random"] * 2, seed="1", first=2)


def new_simulator(name: str, bots: list[str], *, seed: str = "7", **settings: Any) -> Simulator:
    simulator: Simulator | None = compiled(serai.game(name)).simulator(bots, seed=seed, **settings)
    assert simulator is not None
    return simulator


def assert_equal(one: Tally, other: Tally) -> None:
    assert (one.games, one.decisions, one.ties) == (other.games, other.decisions, other.ties)
    assert one.lengths == other.lengths
    assert one.scores == other.scores
    assert one.measures == other.measures
    for got, wanted in zip(one.wins, other.wins, strict=True):
        assert got == pytest.approx(wanted)
