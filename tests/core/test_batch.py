"""What holds for a batch of any game: the same games whatever the number of lanes, nothing illegal, nothing unfit."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np
import pytest

import serai
from serai.camelup.kernel import batch as camelup
from serai.core import BadOptions, IllegalAction
from serai.core.batch import Batch
from serai.core.lanes import Buffers
from serai.pharaoh.kernel import batch as pharaoh

OVER = -2
"""``NOBODY_ACTS`` in every game."""


class CamelUpBatch(camelup.Batch):
    """As it is."""


class PharaohBatch(pharaoh.Batch):
    """Without an end by rounds, players without a plan would never come to one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"max_rounds": 4, **options})


@pytest.fixture(params=[CamelUpBatch, PharaohBatch])
def kind(request: pytest.FixtureRequest) -> type[Batch]:
    """Every game's batch."""
    made: type[Batch] = request.param
    return made


def settled(seen: Buffers, lane: int, ply: int) -> int:
    """An action that depends on the observation and the ply alone; any, where nobody is to act."""
    legal = np.flatnonzero(seen.mask[lane])
    return int(legal[crc32(seen.observations[lane].tobytes(), ply) % len(legal)]) if len(legal) else -1


def settled_actions(batch: Batch, ply: int = 0) -> Any:
    return np.array([settled(batch.buffers, lane, ply) for lane in range(len(batch.buffers.games))])


def test_games_are_the_same_whatever_the_number_of_lanes(kind: type[Batch]) -> None:
    histories = [_histories(kind, lanes, games=20) for lanes in (1, 7, 20)]
    assert histories[0] == histories[1] == histories[2]
    assert len(set(histories[0].values())) > 10


def _histories(kind: type[Batch], lanes: int, games: int) -> dict[int, tuple[Any, ...]]:
    """Game number to everything that happened in it."""
    batch = kind(lanes, 3, seed=11)
    seen = batch.buffers
    running: dict[int, list[Any]] = {}
    ended: dict[int, tuple[Any, ...]] = {}
    while any(game not in ended for game in range(games)):
        numbers = seen.games.copy()
        actions = np.empty(lanes, np.int64)
        for lane, game in enumerate(numbers.tolist()):
            history = running.setdefault(game, [])
            actions[lane] = settled(seen, lane, len(history))
            history.append((seen.observations[lane].tobytes(), int(actions[lane])))
        batch.step(actions)
        for lane in np.flatnonzero(seen.finished).tolist():
            game = int(numbers[lane])
            ended[game] = (*running.pop(game), tuple(seen.results[lane].tolist()))
            assert seen.games[lane] == game + lanes
    return {game: ended[game] for game in range(games)}


def test_two_batches_can_share_the_games_of_one_seed(kind: type[Batch]) -> None:
    whole = kind(4, 2, seed=5)
    halves = [kind(2, 2, seed=5, first_game=first, stride=4) for first in (0, 2)]
    for ply in range(500):
        for batch in (whole, *halves):
            batch.step(settled_actions(batch, ply))
        assert whole.buffers.rows.tolist() == [row for half in halves for row in half.buffers.rows.tolist()]
    assert whole.buffers.games.max() >= 4


def test_without_restart_a_finished_game_stays_and_its_lane_is_skipped(kind: type[Batch]) -> None:
    batch = kind(4, 2, seed=3, restart=False)
    seen = batch.buffers
    ends = 0
    for ply in range(1_000):
        batch.step(settled_actions(batch, ply))
        ends += int(seen.finished.sum())
        if (seen.actors == OVER).all() and not seen.finished.any():
            break
    assert ends == 4
    assert (seen.actors == OVER).all()
    assert not seen.mask.any()
    assert not seen.rewards.any()
    assert seen.results.any()
    assert seen.shares.sum(axis=1).tolist() == [1.0] * 4


@pytest.mark.parametrize("wrong", [-1, "not in the mask", "chance", 2**40])
def test_an_illegal_action_is_told_with_its_lane_and_changes_nothing(kind: type[Batch], wrong: int | str) -> None:
    batch = kind(3, 3, seed=1)
    before = [array.tobytes() for array in batch.buffers]
    actions = settled_actions(batch)
    unmasked = int(np.flatnonzero(batch.buffers.mask[1] == 0)[0])
    actions[1] = {"not in the mask": unmasked, "chance": batch.shape.actions}.get(str(wrong), wrong)
    with pytest.raises(IllegalAction, match="in lane 1 is not legal"):
        batch.step(actions)
    assert [array.tobytes() for array in batch.buffers] == before


def test_the_caller_owns_the_buffers(kind: type[Batch]) -> None:
    mine = kind.empty(2)
    batch = kind(2, 2, seed=1, buffers=mine)
    before = [array.copy() for array in mine]
    for _ in range(5):
        batch.step(settled_actions(batch))
    assert batch.buffers is mine
    assert (mine.rows != before[0]).any()
    batch.reset()
    assert all((now == then).all() for now, then in zip(mine, before, strict=True))


def test_a_batch_that_cannot_be_is_refused(kind: type[Batch]) -> None:
    with pytest.raises(BadOptions, match="players"):
        kind(1, 9)
    with pytest.raises(BadOptions, match="option first"):
        kind(1, 2, first=2)
    with pytest.raises(BadOptions, match="'mask' must be"):
        kind(2, 2, buffers=kind.empty(2)._replace(mask=np.zeros((2, 3), np.uint8)))
    with pytest.raises(BadOptions, match="'lanes' must be a whole number from 1"):
        kind(0, 2)
    batch = kind(2, 2)
    out = np.empty((2, batch.shape.seen_size), np.int16)
    with pytest.raises(BadOptions, match="0 to 1 at most"):
        batch.observe(np.array([0, 2]), out)
    with pytest.raises(BadOptions, match="'out' must be"):
        batch.observe(np.array([0, 1]), out[:1])
    with pytest.raises(BadOptions, match="'words' must be"):
        batch.random_actions(np.zeros(1, np.uint64), np.zeros(2, np.int64))
    with pytest.raises(BadOptions, match="one action per lane"):
        batch.step(np.array([0]))


@pytest.mark.parametrize("name", serai.games())
def test_a_game_makes_its_batch(name: str) -> None:
    batch = serai.game(name).batch(3, 2, seed=5, first=1)
    if batch is not None:
        assert (batch.buffers.actors == 1).all()
        assert len(batch.buffers.games) == 3
    assert (batch is not None) == (name in ("camelup", "pharaoh"))


def test_random_actions_are_legal(kind: type[Batch]) -> None:
    batch = kind(50, 4, seed=8)
    words, actions = np.arange(50, dtype=np.uint64), np.empty(50, np.int64)
    for _ in range(100):
        batch.random_actions(words, actions)
        batch.step(actions)
