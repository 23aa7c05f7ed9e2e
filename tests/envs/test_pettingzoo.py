"""PettingZoo's own checks hold for every game and number of players; rewards add up, copies go on by themselves."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import serai
from serai.envs import pettingzoo
from serai.errors import BadOptions, IllegalAction, UnknownName
from tests.support import amount

GAMES: dict[str, dict[str, Any]] = {"camelup": {}, "pharaoh": {"max_rounds": 12}}
"""With options under which players without a plan come to an end."""
EVERY = [(name, players) for name in GAMES for players in serai.game(name).players]
DICTIONARIES = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]
"""Observations with a mask beside them are no arrays, as in PettingZoo's own board games."""


def choose(seen: Any, rng: random.Random) -> int:
    return int(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))


def play_on(env: Any, rng: random.Random, most: int = 10_000) -> Iterator[tuple[Any, ...]]:
    """Play to the end of the game, and tell every moment."""
    for _ in range(most):
        if not env.agents:
            return
        seen, reward, over, _, _ = env.last()
        action = None if over else choose(seen, rng)
        yield env.agent_selection, seen["observation"].tolist(), reward, over, action
        env.step(action)


@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
@pytest.mark.parametrize(("name", "players"), EVERY)
@pytest.mark.filterwarnings(*[mark.args[0] for mark in DICTIONARIES])
def test_its_own_checks_pass(make: Callable[..., Any], name: str, players: int) -> None:
    api_test(make(name, players, **GAMES[name]), num_cycles=amount(8, 1_000))
    seed_test(lambda: make(name, players, **GAMES[name]), num_cycles=amount(2, 300))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("observe", ["numbers", "features"])
def test_agents_see_what_their_view_tells_and_what_they_may_do(name: str, observe: str) -> None:
    game = serai.game(name)
    assert game.encoding is not None
    env = pettingzoo.raw_env(name, 3, observe=observe, **GAMES[name])
    env.reset(seed=5)
    rng = random.Random(5)
    for _ in range(60):
        state = env._episode.state
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            view = state.seen_by(seat)
            encode = game.encoding.features if observe == "features" else game.encoding.observation
            assert (seen["observation"] == encode(view, seat)).all()
            assert env.observation_space(agent).contains(seen)
            legal = view.actions() if state.actor == seat else ()
            assert np.flatnonzero(seen["action_mask"]).tolist() == [game.encoding.number(action) for action in legal]
        env.step(choose(env.observe(env.agent_selection), rng))


@pytest.mark.parametrize("name", GAMES)
def test_rewards_add_up_to_what_was_played_for(name: str) -> None:
    totals: dict[str, list[float]] = {}
    score = {"camelup": "money", "pharaoh": "points"}[name]
    for reward in (score, "win", "rank"):
        env = pettingzoo.raw_env(name, 4, reward=reward, **GAMES[name])
        env.reset(seed=8)
        start = env._episode.state.scores()
        got = dict.fromkeys(env.agents, 0.0)
        for agent, _, earned, *_ in play_on(env, random.Random(8)):
            got[agent] += earned
        totals[reward] = list(got.values())
        state = env._episode.state
        assert state.over
    scores, winners = state.scores(), state.winners()
    assert totals[score] == [now - then for now, then in zip(scores, start, strict=True)]
    assert totals["win"] == [(seat in winners) / len(winners) for seat in range(4)]
    assert sum(totals["rank"]) == pytest.approx(0)
    assert max(totals["rank"]) == totals["rank"][winners[0]]
    assert min(range(4), key=lambda seat: totals["rank"][seat]) == min(range(4), key=lambda seat: scores[seat])


def test_the_rank_of_a_tie_is_shared_and_a_tie_that_is_broken_counts() -> None:
    from serai.core.play import Play
    from serai.envs.episode import Episode

    class End:
        over = True

        def __init__(self, scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
            self.scores, self.leaders = lambda: scores, lambda: winners

    episode = Episode("camelup", 4, "rank", {})

    def ranks(*end: tuple[int, ...]) -> list[float]:
        return episode.rewards(Play(0, None, (), End(*end)))

    assert ranks((5, 3, 3, 1), (0,)) == [1, 0, 0, -1]
    assert ranks((5, 5, 3, 1), (0, 1)) == pytest.approx([2 / 3, 2 / 3, -1 / 3, -1])
    assert ranks((5, 5, 3, 1), (1,)) == pytest.approx([1 / 3, 1, -1 / 3, -1])


@pytest.mark.parametrize("name", GAMES)
def test_what_is_illegal_raises_in_the_raw_form_and_loses_in_the_usual_one(name: str) -> None:
    raw = pettingzoo.raw_env(name, 2)
    raw.reset(seed=1)
    before = raw.save()[0].__getstate__()
    illegal = int(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"] == 0)[0])
    for wrong in (illegal, -1, 10_000, None, 1.0):
        with pytest.raises(IllegalAction):
            raw.step(wrong)  # type: ignore[arg-type]
    assert raw.save()[0].__getstate__() == before
    usual = pettingzoo.env(name, 2)
    usual.reset(seed=1)
    culprit = usual.agent_selection
    usual.step(illegal)
    assert all(usual.terminations.values())
    assert usual.rewards[culprit] == -1


def test_what_cannot_be_is_refused_at_once() -> None:
    with pytest.raises(UnknownName, match="did you mean 'camelup'"):
        pettingzoo.env("camelop")
    with pytest.raises(BadOptions, match="2 to 8 players, not 9"):
        pettingzoo.env("camelup", 9)
    with pytest.raises(BadOptions, match="a reward is one of money, lead, win, rank, 'shaped'"):
        pettingzoo.env("camelup", reward="points")
    with pytest.raises(BadOptions, match="'observe' is one of numbers, features"):
        pettingzoo.env("camelup", observe="pixels")
    with pytest.raises(BadOptions, match="no option 'rounds'"):
        pettingzoo.env("pharaoh", rounds=3)


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_means_its_games_and_without_one_other_games_follow(name: str) -> None:
    def games(*seeds: int | None, plies: int = 40, **options: int) -> list[Any]:
        env = pettingzoo.raw_env(name, 2, **options)
        output = []
        for seed in seeds:
            env.reset(seed=seed)
            output.append(list(play_on(env, random.Random(1), plies)))
        return output

    assert games(4, None, **GAMES[name]) == games(4, None, **GAMES[name])
    first, second, again = games(4, None, 4, **GAMES[name])
    assert first == again
    assert first != second
    assert games(5, **GAMES[name])[0] != first
    unseeded = (None,) * 3  # in one game the first draws may well be the same
    assert games(*unseeded, plies=400) != games(*unseeded, plies=400)


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_a_copy_goes_on_by_itself_and_a_moment_can_be_gone_back_to(name: str, wrapped: bool) -> None:
    env: Any = (pettingzoo.env if wrapped else pettingzoo.raw_env)(name, 3, **GAMES[name])
    env.reset(seed=3)
    for _ in play_on(env, random.Random(3), 30):
        pass
    saved = env.unwrapped.save()
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    elsewhere: Any = pettingzoo.raw_env(name, 3, **GAMES[name])
    elsewhere.restore(pickle.loads(pickle.dumps(saved)))
    rest = list(play_on(env, random.Random(9)))
    env.reset()
    following = list(play_on(env, random.Random(9), 20))
    env.unwrapped.restore(saved)
    for other in (*others, elsewhere, env):
        assert list(play_on(other, random.Random(9))) == rest
        other.reset()
        assert list(play_on(other, random.Random(9), 20)) == following
    env.unwrapped.restore(saved)
    assert list(play_on(env, random.Random(9))) == rest


def test_a_copy_draws_actions_as_the_original_would() -> None:
    env = pettingzoo.raw_env("camelup", 2)
    env.reset(seed=1)
    env.action_space("player_0").seed(7)
    other = copy.deepcopy(env)
    drawn = [[each.action_space("player_0").sample() for _ in range(20)] for each in (env, other)]
    assert drawn[0] == drawn[1]


def test_it_is_drawn_as_text() -> None:
    env = pettingzoo.env("camelup", 2, render_mode="ansi")
    env.reset(seed=1)
    assert "pyramid" in env.render()


def test_it_needs_no_compiler() -> None:
    code = """
import sys
sys.modules["numba"] = None
import gymnasium, serai.envs, serai.envs.openspiel
from serai.envs import pettingzoo
for name in ("camelup", "pharaoh"):
    pettingzoo.env(name, 2).reset(seed=1)
print(gymnasium.make("serai/CamelUp-v0", opponents=["jerboa"]).reset(seed=1)[0].shape)
"""
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "(161,)"
