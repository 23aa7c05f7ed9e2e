"""Gymnasium's own checks hold for every game and number of players; opponents play, copies go on by themselves."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import serai
import serai.envs
from serai.bots.referee import BotFailed
from serai.errors import BadOptions, IllegalAction, UnknownName

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "camelup": ("serai/CamelUp-v0", {}),
    "pharaoh": ("serai/Pharaoh-v0", {"max_rounds": 8}),
}
"""How they are registered, and options under which players without a plan come to an end."""
EVERY = [(name, players) for name in GAMES for players in serai.game(name).players]


def make(name: str, opponents: Any = ("random", "random"), **settings: Any) -> Any:
    registered, options = GAMES[name]
    return gymnasium.make(registered, opponents=list(opponents), **options, **settings)


def play_on(env: Any, seen: Any, info: Any, rng: random.Random, most: int = 10_000) -> Iterator[tuple[Any, ...]]:
    """Play to the end of the game, and tell every moment."""
    for _ in range(most):
        action = int(rng.choice(np.flatnonzero(info["action_mask"]).tolist()))
        seen, reward, over, _, info = env.step(action)
        yield seen.tolist(), reward, over, info["seat"], info["action_mask"].tolist(), info.get("scores")
        if over:
            return


@pytest.mark.parametrize("observe", ["numbers", "features", "odds"])
@pytest.mark.parametrize(("name", "players"), EVERY)
def test_its_own_checks_pass(name: str, players: int, observe: str) -> None:
    game: Any = serai.game(name)
    if observe not in game.encoding.looks():
        with pytest.raises(BadOptions, match="'observe' is one of numbers, features, not 'odds'"):
            make(name, observe=observe)
        return
    check_env(make(name, ["random"] * (players - 1), observe=observe, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("name", GAMES)
def test_the_learner_sees_its_view_whenever_it_is_to_act(name: str) -> None:
    game = serai.game(name)
    assert game.encoding is not None
    env = make(name, seat="rotate")
    seats = []
    rng = random.Random(1)
    for number in range(6):
        seen, info = env.reset(seed=None if number else 3)
        seats.append(info["seat"])
        while True:
            episode = env.unwrapped._match.episode
            state, seat = episode.state, info["seat"]
            assert env.observation_space.contains(seen)
            assert seen.tolist() == game.encoding.observation(state.seen_by(seat), seat).tolist()
            assert (env.unwrapped.action_masks() == info["action_mask"]).all()
            if state.over:
                assert info["scores"] == state.scores()
                assert info["winners"] == state.winners()
                break
            assert state.actor == seat
            assert np.flatnonzero(info["action_mask"]).tolist() == [*map(game.encoding.number, state.actions())]
            seen, _, over, cut, info = env.step(rng.choice(np.flatnonzero(info["action_mask"]).tolist()))
            assert over == episode.state.over
            assert not cut
    assert seats == [0, 1, 2] * 2


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("reward", [None, "win", "rank"])
def test_rewards_include_what_happens_while_others_play(name: str, reward: str | None) -> None:
    env = make(name, reward=reward, seat=1)
    _, info = env.reset(seed=4)
    episode = env.unwrapped._match.episode
    begun = episode.state.scores()
    moments = list(play_on(env, None, info, random.Random(4)))
    total = sum(moment[1] for moment in moments)
    scores, winners = episode.state.scores(), episode.state.winners()
    if reward is None:
        gained = [now - then for now, then in zip(scores, begun, strict=True)]
        assert total == pytest.approx(gained[1] - sum(gained) / len(gained)), "the lead is the default"
    elif reward == "win":
        assert total == (1 in winners) / len(winners)
    else:
        assert -1 <= total <= 1
        assert all(moment[1] == 0 for moment in moments[:-1])


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_loses_or_raises(name: str) -> None:
    env = make(name, illegal_reward=-5.0)
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, _, info = env.step(illegal)
    assert (reward, over) == (-5.0, True)
    assert "is not legal here" in info["illegal"]
    strict = make(name, illegal_reward=None)
    strict.reset(seed=1)
    with pytest.raises(IllegalAction, match="is not legal here"):
        strict.step(illegal)


def test_opponents_are_names_functions_or_classes_and_see_what_they_may() -> None:
    heard: list[Any] = []

    class Listening:
        def watch(self, event: Any) -> None:
            heard.append(event)

        def decide(self, view: Any, rng: random.Random) -> Any:
            assert None not in view.hands[view.actor]
            assert all(set(hand) <= {None} for seat, hand in enumerate(view.hands) if seat != view.actor)
            return view.actions()[0]

    def last(view: Any, rng: random.Random) -> Any:
        return view.actions()[-1]

    env = make("camelup", [Listening, last, "jerboa"], seat=2)
    _, info = env.reset(seed=2)
    assert [(seat, type(bot).__name__) for seat, bot in env.unwrapped._match._bots.items()] == [
        (3, "Listening"),
        (0, "FunctionBot"),
        (1, "JerboaBot"),
    ]
    list(play_on(env, None, info, random.Random(2)))
    laid = [event for event in heard if type(event).__name__ == "CardLaid"]
    assert laid
    assert all(event.camel is None for event in laid if event.seat != 3)


def test_a_failing_opponent_is_not_played_over() -> None:
    def broken(view: Any, rng: random.Random) -> Any:
        raise ZeroDivisionError

    def cheating(view: Any, rng: random.Random) -> Any:
        return "oasis 1"

    with pytest.raises(ZeroDivisionError):
        make("camelup", [broken], seat=1).reset(seed=1)
    with pytest.raises(BotFailed, match=r"bot cheating answered 'oasis 1', which is not legal; .* \(ply 5, seat 0\)"):
        make("camelup", [cheating], seat=1).reset(seed=1)


def test_a_bot_may_answer_in_writing() -> None:
    _, info = make("camelup", [lambda view, rng: "roll"], seat=1).reset(seed=1)
    assert info["seat"] == 1


def test_what_cannot_be_is_refused_at_once() -> None:
    with pytest.raises(UnknownName, match="has no bot 'quikc'"):
        make("camelup", ["quikc"])
    with pytest.raises(BadOptions, match="2 to 4 players, not 5"):
        make("pharaoh", ["random"] * 4)
    with pytest.raises(BadOptions, match="the learner's seat is 0 to 2"):
        make("camelup", seat=3)
    with pytest.raises(BadOptions, match="a reward is one of"):
        make("camelup", reward="points")


@pytest.mark.parametrize(
    ("name", "bot"), [("camelup", "random"), ("camelup", "quick"), ("pharaoh", "random"), ("pharaoh", "explorer")]
)
def test_a_copy_goes_on_by_itself_and_a_moment_can_be_gone_back_to(name: str, bot: str) -> None:
    env = make(name, [bot, "random"], seat="rotate")
    _, info = env.reset(seed=3)
    for *_, over, _, mask, _ in play_on(env, None, info, random.Random(3), 6):
        assert not over
        info["action_mask"] = np.array(mask)
    saved = env.unwrapped.save()
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), make(name, [bot, "random"], seat="rotate")]
    others[2].reset(seed=99)
    others[2].unwrapped.restore(pickle.loads(pickle.dumps(saved)))
    rest = list(play_on(env, None, info, random.Random(9)))
    following = env.reset()[0].tolist()
    env.unwrapped.restore(saved)
    for other in (*others, env):
        assert list(play_on(other, None, info, random.Random(9))) == rest
        assert other.reset()[0].tolist() == following


def test_it_is_found_without_an_import_by_the_name_of_its_module() -> None:
    code = """
import gymnasium
env = gymnasium.make("serai.envs:serai/Pharaoh-v0", opponents=["random"])
print(env.reset(seed=1)[0].shape)
"""
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "(333,)"


@pytest.mark.parametrize("module", ["gymnasium", "pettingzoo", "openspiel"])
def test_without_its_extra_an_environment_says_what_is_missing(module: str) -> None:
    code = f"""
import sys
sys.modules.update(dict.fromkeys(("gymnasium", "pettingzoo", "pyspiel")))
import serai
try:
    import serai.envs.{module}
except serai.errors.SeraiError as error:
    print(error)
"""
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "install Serai with its extra 'envs'" in output
