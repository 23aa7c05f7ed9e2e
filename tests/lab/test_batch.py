"""What holds for a batch of any game: the same games whatever the number of lanes, nothing illegal, nothing unfit."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import serai
from serai.core.parts import compiled
from serai.errors import BadArgument, BadOptions, IllegalAction
from serai.lab.batch import Batch
from serai.lab.driver import NOBODY, Buffers
from tests.support import SOAK


class Kind:
    """The batches of one game."""

    def __init__(self, name: str, **settings: Any) -> None:
        self.game = serai.game(name)
        self.settings = settings

    def __call__(self, *args: Any, **settings: Any) -> Batch:
        batch: Batch = compiled(self.game).batch(*args, **{**self.settings, **settings})
        return batch

    def empty(self, lanes: int) -> Buffers:
        kernel: Any = self.game.compiled
        return kernel.buffers(lanes)  # type: ignore[no-any-return]


CAMELUP = Kind("camelup")
PHARAOH = Kind("pharaoh", max_rounds=4)
"""Without an end by rounds, players without a plan would never come to one."""


@pytest.fixture(params=[CAMELUP, PHARAOH])
def kind(request: pytest.FixtureRequest) -> Kind:
    """Every game's batch."""
    made: Kind = request.param
    return made


def settled(seen: Buffers, lane: int, ply: int) -> int:
    """An action that depends on the observation and the ply alone; any, where nobody is to act."""
    legal = np.flatnonzero(seen.mask[lane])
    return int(legal[crc32(seen.observations[lane].tobytes(), ply) % len(legal)]) if len(legal) else -1


def settled_actions(batch: Batch, ply: int = 0) -> Any:
    return np.array([settled(batch.buffers, lane, ply) for lane in range(len(batch.buffers.games))])


def same(one: Batch, other: Batch) -> bool:
    arrays = other.buffers._asdict()
    return all(np.array_equal(array, arrays[name]) for name, array in one.buffers._asdict().items())


def test_games_are_the_same_whatever_the_number_of_lanes(kind: Kind) -> None:
    histories = [_histories(kind, lanes, games=20) for lanes in (1, 7, 20)]
    assert histories[0] == histories[1] == histories[2]
    assert len(set(histories[0].values())) > 10


def _histories(kind: Kind, lanes: int, games: int) -> dict[int, tuple[Any, ...]]:
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


def test_two_batches_can_share_the_games_of_one_seed(kind: Kind) -> None:
    whole = kind(4, 2, seed=5)
    halves = [kind(2, 2, seed=5, first_game=first, stride=4) for first in (0, 2)]
    for ply in range(500):
        for batch in (whole, *halves):
            batch.step(settled_actions(batch, ply))
        assert whole.buffers.rows.tolist() == [row for half in halves for row in half.buffers.rows.tolist()]
    assert whole.buffers.games.max() >= 4


def test_without_restart_a_finished_game_stays_and_its_lane_is_skipped(kind: Kind) -> None:
    batch = kind(4, 2, seed=3, restart=False)
    seen = batch.buffers
    ends = 0
    for ply in range(1_000):
        batch.step(settled_actions(batch, ply))
        ends += int(seen.finished.sum())
        if (seen.actors == NOBODY).all() and not seen.finished.any():
            break
    assert ends == 4
    assert (seen.actors == NOBODY).all()
    assert not seen.mask.any()
    assert not seen.rewards.any()
    assert seen.results.any()
    assert seen.shares.sum(axis=1).tolist() == [1.0] * 4


@pytest.mark.parametrize("wrong", [-1, "not in the mask", "chance", 2**40])
def test_an_illegal_action_is_told_with_its_lane_and_changes_nothing(kind: Kind, wrong: int | str) -> None:
    batch = kind(3, 3, seed=1)
    before = [array.tobytes() for array in batch.buffers]
    actions = settled_actions(batch)
    unmasked = int(np.flatnonzero(batch.buffers.mask[1] == 0)[0])
    actions[1] = {"not in the mask": unmasked, "chance": batch.driver.PLAYER_ACTIONS}.get(str(wrong), wrong)
    with pytest.raises(IllegalAction, match="in lane 1 is not legal"):
        batch.step(actions)
    assert [array.tobytes() for array in batch.buffers] == before


def test_the_caller_owns_the_buffers(kind: Kind) -> None:
    mine = kind.empty(2)
    batch = kind(2, 2, seed=1, buffers=mine)
    before = [array.copy() for array in mine]
    for _ in range(5):
        batch.step(settled_actions(batch))
    assert batch.buffers is mine
    assert (mine.rows != before[0]).any()
    batch.reset()
    assert all((now == then).all() for now, then in zip(mine, before, strict=True))


def test_a_batch_that_cannot_be_is_refused(kind: Kind) -> None:
    with pytest.raises(BadOptions, match="players"):
        kind(1, 9)
    with pytest.raises(BadOptions, match="option first"):
        kind(1, 2, first=2)
    with pytest.raises(BadOptions, match="'mask' must be"):
        kind(2, 2, buffers=kind.empty(2)._replace(mask=np.zeros((2, 3), np.uint8)))
    with pytest.raises(BadOptions, match="'lanes' must be a whole number from 1"):
        kind(0, 2)
    batch = kind(2, 2)
    out = np.empty((2, batch.driver.SEEN_SIZE), np.int16)
    with pytest.raises(BadOptions, match="0 to 1 at most"):
        batch.observe(np.array([0, 2]), out)
    with pytest.raises(BadOptions, match="'out' must be"):
        batch.observe(np.array([0, 1]), out[:1])
    with pytest.raises(BadOptions, match="'words' must be"):
        batch.random_actions(np.zeros(1, np.uint64), np.zeros(2, np.int64))
    with pytest.raises(BadOptions, match="one action per lane"):
        batch.step(np.array([0]))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"lanes": 2.5}, "'lanes' must be a whole number from 1, not 2.5"),
        ({"seed": 0.5}, "a seed is a whole number or a text, not 0.5"),
        ({"stride": 0}, "'stride' must be"),
        ({"first_game": -1}, "'first_game' must be"),
        ({"threads": 0}, "'threads' must be"),
        ({"players": ()}, "players"),
        ({"opponents": "nobody"}, "no compiled bot nobody; those that may be opponents: random"),
        ({"opponents": ("random",)}, "name 2 opponents, or one for all of them, not 1"),
        ({"seat": 0}, "leave 'seat' out"),
        ({"opponents": "random", "seat": 3}, "the learner's seat is 0 to 2 or 'rotate', not 3"),
        ({"reward": "glory"}, "a reward is one of"),
        ({"reward": {"win": "much"}}, "a reward is one of"),
        ({"device": "abacus"}, "a device is one of cpu, gpu, not 'abacus'"),
    ],
)
def test_what_makes_no_sense_is_told(settings: dict[str, Any], told: str) -> None:
    for name in ("camelup", "pharaoh"):
        with pytest.raises((BadArgument, BadOptions), match=told):
            compiled(serai.game(name)).batch(**{"lanes": 2, "players": 3, **settings})


@pytest.mark.parametrize("actions", [[0.0, 1.0, 2.0], [[0, 1, 2]], ["a", "b", "c"], [True, False, True]])
def test_only_whole_numbers_are_actions(kind: Kind, actions: Any) -> None:
    with pytest.raises(BadOptions, match="3 whole numbers, not"):
        kind(3, 2).step(actions)


def test_numbers_of_players_are_mixed_by_the_number_of_the_game(kind: Kind) -> None:
    batch = kind(6, (2, 4, 3), seed=4)
    assert batch.buffers.rows[:, 0].tolist() == [2, 4, 3, 2, 4, 3]
    for ply in range(400):
        batch.step(settled_actions(batch, ply))
        assert batch.buffers.rows[:, 0].tolist() == [(2, 4, 3)[game % 3] for game in batch.buffers.games]
    assert batch.buffers.games.max() > 6


def test_threads_change_nothing(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serai.lab.batch.LEAST_PART", 50)
    one, three = kind(200, 3, seed=2), kind(200, 3, seed=2, threads=3)
    for ply in range(20):
        actions = settled_actions(one, ply)
        one.step(actions)
        three.step(actions)
    assert same(one, three)


def test_rewards_add_up_and_the_last_sight_of_a_game_is_kept(kind: Kind) -> None:
    """By the results and by an account of one's own; weights of all kinds of reward at once."""
    weights = {kind.game.score_name: 1.0, "lead": 10.0, "win": 1_000.0, "rank": 10_000.0}
    batch = kind(5, (3, 4), seed=9, reward=weights)
    seen = batch.buffers
    encoding = kind.game.encoding
    assert encoding is not None
    gathered = np.zeros(seen.gathered.shape)
    ended = 0
    for ply in range(600):
        actors, before = seen.actors.copy(), [batch.state(lane).scores() for lane in range(5)]
        gathered[seen.finished == 1] = 0
        gathered[range(5), actors] = 0
        batch.step(settled_actions(batch, ply))
        assert seen.acted.tolist() == actors.tolist()
        for lane in range(5):
            over = bool(seen.finished[lane])
            ended += over
            after = batch.state(lane, last=over)
            wanted = _rewarded(before[lane], after, weights.values())
            assert seen.rewards[lane, : len(wanted)].tolist() == pytest.approx(wanted)
            if over:
                assert after.over
                observed = encoding.observation(after.seen_by(int(actors[lane])), int(actors[lane]))
                assert seen.last_observations[lane].tolist() == observed.tolist()
                assert seen.results[lane, : len(wanted)].tolist() == list(after.scores())
        gathered += seen.rewards
        assert seen.gathered == pytest.approx(gathered)
    assert ended > 5


def _rewarded(before: tuple[int, ...], after: Any, weights: Iterable[float]) -> list[float]:
    """What each seat gets for a step between these scores."""
    score, lead, win, rank = weights
    changes = np.array(after.scores()) - np.array(before)
    rewards = score * changes + lead * (changes - changes.mean())
    if after.over:
        for seat in after.winners():
            rewards[seat] += win / len(after.winners())
        rewards += rank * _ranks(after)
    return [float(reward) for reward in rewards]


def _ranks(after: Any) -> Any:
    """From 1 to -1, by what each game says of two that are left alone at the table."""
    if after.winners() and hasattr(after, "changed"):
        whole = [min(pair) >= 0 for pair in zip(after.archaeologists, after.helpers, strict=True)]
        standing = list(zip(after.scores(), whole, [-changed for changed in after.changed], strict=True))
    else:
        standing = list(after.scores())
    better = np.array([sum(other > mine for other in standing) for mine in standing])
    equal = np.array([standing.count(mine) for mine in standing])
    return 1 - (2 * better + equal - 1) / (len(standing) - 1)


def test_a_lane_can_be_set_and_read(kind: Kind) -> None:
    batch = kind(3, 3, seed=6)
    for ply in range(30):
        batch.step(settled_actions(batch, ply))
    state = batch.state(0)
    batch.put(2, state)
    assert batch.state(2) == state
    assert batch.buffers.mask[2].tolist() == batch.buffers.mask[0].tolist()
    assert batch.buffers.observations[2].tolist() == batch.buffers.observations[0].tolist()
    assert not batch.buffers.gathered[2].any()
    with pytest.raises(BadOptions, match="in which a player is to act"):
        batch.put(0, batch.state(0, last=True) if batch.buffers.last_rows[0].any() else "c4")  # type: ignore[arg-type]
    with pytest.raises(BadOptions, match="a state of 2 players does not fit"):
        batch.put(0, kind(1, 2).state(0))
    for wrong in (3, -1, 0.5):
        with pytest.raises(BadOptions, match="lane"):
            batch.state(wrong)  # type: ignore[arg-type]


def test_a_view_with_blanks_is_no_state_for_a_lane() -> None:
    batch = CAMELUP(1, 2)
    with pytest.raises(BadOptions, match="a full state"):
        batch.put(0, batch.state(0).seen_by(0))


def test_a_copy_and_a_file_go_on_where_a_batch_stands(kind: Kind, tmp_path: Path) -> None:
    batch = kind(3, 2, seed=8)
    for ply in range(50):
        batch.step(settled_actions(batch, ply))
    copy, read = batch.copy(), kind(3, 2, seed=8)
    batch.save(tmp_path / "batch.npz")
    read.load(tmp_path / "batch.npz")
    for ply in range(200):
        actions = settled_actions(batch, ply)
        for other in (batch, copy, read):
            other.step(actions)
    assert same(batch, copy)
    assert same(batch, read)
    with pytest.raises(BadOptions, match="made differently: seed"):
        kind(3, 2, seed=9).load(tmp_path / "batch.npz")
    (tmp_path / "no.npz").write_bytes(b"nothing")
    with pytest.raises(BadOptions, match="no batch can be loaded"):
        read.load(tmp_path / "no.npz")


@pytest.mark.skipif(not SOAK, reason="compiles everything once more")
def test_packed_observations_say_the_same(kind: Kind) -> None:
    wide, packed = kind(5, 3, seed=4), kind(5, 3, seed=4, packed=True)
    for ply in range(300):
        actions = settled_actions(wide, ply)
        wide.step(actions)
        packed.step(actions)
        assert packed.buffers.observations.dtype == np.int8
        assert (wide.buffers.observations == packed.buffers.observations).all()
        assert (wide.buffers.last_observations == packed.buffers.last_observations).all()


@pytest.mark.parametrize("name", serai.games())
def test_a_game_makes_its_batch(name: str) -> None:
    batch = compiled(serai.game(name)).batch(3, 2, seed=5, first=1)
    if batch is not None:
        assert (batch.buffers.actors == 1).all()
        assert len(batch.buffers.games) == 3
    assert (batch is not None) == (name in ("camelup", "pharaoh"))


def test_random_actions_are_legal(kind: Kind) -> None:
    batch = kind(50, 4, seed=8)
    words, actions = np.arange(50, dtype=np.uint64), np.empty(50, np.int64)
    for _ in range(100):
        batch.random_actions(words, actions)
        batch.step(actions)
