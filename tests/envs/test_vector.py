"""Many games at once for Gymnasium: the same numbers as elsewhere, the end of a game reported, copies that go on."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import serai
import serai.envs
from serai.errors import BadOptions, IllegalAction
from tests.support import SOAK, amount

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "camelup": ("serai/CamelUp-v0", {}),
    "pharaoh": ("serai/Pharaoh-v0", {"max_rounds": 4}),
}
SOME = list(GAMES) if SOAK else ["camelup"]
"""Compiling opponents takes its time, and nothing here knows one game from another."""
LANES = 4


def make(name: str, lanes: int = LANES, **settings: Any) -> Any:
    registered, options = GAMES[name]
    return gymnasium.make_vec(registered, num_envs=lanes, opponents=["random"] * 2, **options, **settings)


def chosen(info: dict[str, Any], rng: np.random.Generator) -> Any:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])


def played(env: Any, info: dict[str, Any], steps: int) -> list[Any]:
    """What happens in some steps."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(steps):
        seen, rewards, over, _, info = env.step(chosen(info, rng))
        found.append((seen.tolist(), rewards.tolist(), over.tolist(), info["action_mask"].tolist()))
    return found


@pytest.mark.parametrize("name", SOME)
def test_every_lane_shows_its_learner_what_the_rules_do(name: str) -> None:
    encoding: Any = serai.game(name).encoding
    score = serai.game(name).score_name
    env = make(name, seat="rotate", reward=score)
    rng = np.random.default_rng(2)
    seen, info = env.reset(seed=2)
    batch = env.unwrapped._batch
    assert info["seat"].tolist() == [0, 1, 2, 0]
    earned, ended = np.zeros(LANES), 0
    begun = [batch.state(lane).scores() for lane in range(LANES)]
    for _ in range(amount(150, 2_000)):
        assert env.observation_space.contains(seen)
        for lane in range(LANES):
            state = batch.state(lane)
            assert state.actor == info["seat"][lane]
            assert seen[lane].tolist() == encoding.observation(state).tolist()
            assert info["action_mask"][lane].tolist() == encoding.mask(state).tolist()
        seats = info["seat"]
        seen, rewards, over, cut, info = env.step(chosen(info, rng))
        earned += rewards
        assert not cut.any()
        for lane in np.flatnonzero(over).tolist():
            ended += 1
            last, seat = batch.state(lane, last=True), int(seats[lane])
            assert last.over
            assert info["final_obs"][lane].tolist() == encoding.observation(last, seat).tolist()
            assert info["final_info"]["scores"][lane, :3].tolist() == list(last.scores())
            assert earned[lane] == last.scores()[seat] - begun[lane][seat]
            earned[lane], begun[lane] = 0, batch.state(lane).scores()
        if over.any():
            assert (info["_final_obs"] == over).all()
            assert all(seen is None for seen in info["final_obs"][~over])
        else:
            assert "final_obs" not in info
    assert ended > 3


def test_rewards_of_the_end_and_features_are_those_of_a_single_environment() -> None:
    for reward in ("win", "rank"):
        env = make("camelup", reward=reward, observe="features")
        seen, info = env.reset(seed=1)
        assert seen.shape == (LANES, 1327)
        rng = np.random.default_rng(1)
        paid = []
        for _ in range(80):
            seen, rewards, over, _, info = env.step(chosen(info, rng))
            assert not rewards[~over].any()
            paid += [(rewards[lane], info["final_info"]["shares"][lane, 0]) for lane in np.flatnonzero(over)]
        assert paid
        assert all(got == share if reward == "win" else (got == 1) <= (share == 1) for got, share in paid)


def test_a_seed_means_its_games_and_without_one_others_follow() -> None:
    env = make("camelup")
    first = played(env, env.reset(seed=5)[1], 10)
    second = played(env, env.reset()[1], 10)
    assert first != second
    other = make("camelup")
    assert played(other, other.reset(seed=5)[1], 10) == first
    assert played(other, other.reset()[1], 10) == second


@pytest.mark.parametrize("name", SOME)
def test_a_copy_goes_on_by_itself_and_a_moment_can_be_gone_back_to(name: str) -> None:
    env = make(name, seat="rotate")
    _, info = env.reset(seed=7)
    rng = np.random.default_rng(3)
    for _ in range(20):
        *_, info = env.step(chosen(info, rng))
    saved = env.unwrapped.save()
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), make(name, seat="rotate")]
    others[2].unwrapped.restore(pickle.loads(pickle.dumps(saved)))
    rest = played(env, info, 30)
    following = env.reset()[0].tolist()
    env.unwrapped.restore(saved)
    for other in (*others, env):
        assert played(other, info, 30) == rest
        assert other.reset()[0].tolist() == following


def test_what_is_returned_is_not_written_to_again() -> None:
    env = make("camelup")
    seen, info = env.reset(seed=1)
    before = seen.copy(), info["action_mask"].copy(), info["seat"].copy()
    played(env, info, 5)
    assert (seen == before[0]).all()
    assert (info["action_mask"] == before[1]).all()
    assert (info["seat"] == before[2]).all()


def test_what_cannot_be_is_refused() -> None:
    env = make("camelup")
    _, info = env.reset(seed=1)
    actions = chosen(info, np.random.default_rng(1))
    actions[2] = np.flatnonzero(info["action_mask"][2] == 0)[0] if not info["action_mask"][2].all() else -1
    with pytest.raises(IllegalAction, match="in lane 2 is not legal"):
        env.step(actions)
    with pytest.raises(BadOptions, match="no compiled bot"):
        gymnasium.make_vec("serai/CamelUp-v0", num_envs=2, opponents=["cobra"])
    with pytest.raises(BadOptions, match="a reward is one of"):
        make("camelup", reward="fame")


def test_wrappers_of_theirs_count_its_games() -> None:
    env = RecordEpisodeStatistics(make("camelup", reward="win"))
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(1)
    lengths = []
    for _ in range(80):
        *_, over, _, info = env.step(chosen(info, rng))
        if over.any():
            lengths += info["episode"]["l"][over].tolist()
    assert lengths
    assert all(length > 5 for length in lengths)
