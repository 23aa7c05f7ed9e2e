"""Series of games: bots that can be made faster are, before they play; paired games share their dice."""

from __future__ import annotations

import gc
import itertools
import weakref
from pathlib import Path

import numpy as np
import pytest

import serai
from serai.arena.series import Player, Series, play_game
from serai.core.record import Record
from serai.lab.tally import Tally, seating

BOT = """
class Bot:
    warm = False

    def warm_up(self):
        self.warm = True

    def decide(self, view, rng):
        assert self.warm
        return rng.choice(view.actions())
"""


def test_every_bot_of_a_series_is_warmed_up(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    for jobs in (1, 2):
        assert len(serai.simulate("camelup", [f"{tmp_path / 'bot.py'}:Bot", "random"], games=2, jobs=jobs)) == 2


def dice(record: Record) -> list[str]:
    return [action for action in record.actions if action.startswith("die")]


def same_dice(one: Record, other: Record) -> bool:
    """Whether two games had the same dice, as long as both lasted."""
    return all(mine == theirs for mine, theirs in zip(dice(one), dice(other), strict=False))


@pytest.mark.parametrize("compiled", [False, True])
def test_paired_games_of_a_group_have_the_same_dice_and_other_bots_luck(compiled: bool) -> None:
    bots = ("random", "random", "random")
    if compiled:
        simulator = serai.game("camelup").compiled.simulator(bots, seed="1", paired=True)
        assert simulator is not None
        records = [simulator.record(number) for number in range(9)]
    else:
        series = Series("camelup", bots, {}, games=9, seed="1", paired=True, keep_records=True)
        game = serai.game("camelup")
        makers = Player(game, bots, rows=False).makers(range(3))
        kept = [play_game(game, makers, series, number).record for number in range(9)]
        records = [record for record in kept if record is not None]
    for one, other in itertools.combinations(range(9), 2):
        assert same_dice(records[one], records[other]) is (one // 3 == other // 3)
        assert records[one].actions != records[other].actions


def test_paired_games_seat_everybody_everywhere_in_every_group() -> None:
    series = Series("camelup", ("a", "b", "c"), {}, games=6, seed="1", paired=True)
    for group in (range(3), range(3, 6)):
        assert {series.seating(number) for number in group} == {(0, 1, 2), (2, 0, 1), (1, 2, 0)}


def test_compiled_and_refereed_groups_are_counted_alike() -> None:
    simulator = serai.game("camelup").compiled.simulator(["random", "quick", "random"], seed="1", paired=True)
    assert simulator is not None
    whole = simulator.play(0, 12)
    counted = Tally.empty(3, paired=True)
    for number in range(12):
        record = simulator.record(number)
        assert record.result is not None
        best = max(record.result)
        winners = tuple(seat for seat, score in enumerate(record.result) if score == best)
        seats = seating(3, number, rotate=True)
        counted.add(seats, record.result, winners, plies=len(record.actions), decisions=0, measures={})
    assert whole.groups is not None
    assert counted.groups is not None
    assert whole.groups.count == counted.groups.count == 4
    assert counted.groups.begun == []
    assert np.allclose(whole.groups.wins, counted.groups.wins)
    assert np.allclose(whole.groups.scores, counted.groups.scores)
    part = simulator.play(0, 6)
    part.merge(simulator.play(6, 6))
    assert part.groups is not None
    assert np.allclose(part.groups.scores, whole.groups.scores)


def test_only_a_few_simulators_are_cached() -> None:
    player = Player("camelup", ["random", "random"], rows=False)
    made = []
    for seed in range(64):
        simulator = player.simulator(Series("camelup", ("random", "random"), {}, games=1, seed=str(seed)), (0, 1))
        made.append(weakref.ref(simulator))
    del simulator
    gc.collect()
    assert sum(reference() is not None for reference in made) <= 16
