"""The names that people write first: listed, forgiving where that is safe, the same everywhere, and picklable."""

from __future__ import annotations

import pickle
import random
from typing import Any, get_args

import gymnasium
import numpy as np
import pytest

import serai
from serai import simulate
from serai.envs.episode import Episode
from serai.errors import BadArgument, BadNotation, BadOptions, IllegalAction

CAMELUP, PHARAOH = serai.game("camelup"), serai.game("pharaoh")
GAMES = pytest.mark.parametrize("game", [CAMELUP, PHARAOH], ids=lambda game: game.name)


def begun(game: Any, players: int = 3) -> Any:
    state, rng = game.new(players=players), random.Random(1)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(rng))
    return state


def test_completion_shows_what_is_public_and_nothing_else() -> None:
    assert set(dir(serai)) == set(serai.__all__)
    assert all(hasattr(serai, name) for name in dir(serai))


@GAMES
def test_the_kind_of_an_action_is_its_first_word_and_its_tag(game: Any) -> None:
    for kind in get_args(game.action_type):
        assert kind.kind == kind.__struct_config__.tag
    assert all(str(action).split()[0] == action.kind for action in begun(game).actions())


@GAMES
def test_an_action_may_be_written_in_notation(game: Any) -> None:
    state = begun(game)
    for action in state.actions():
        assert state.apply(f"  {action}") == state.apply(action)
    with pytest.raises(IllegalAction, match=r"'jump' is no legal action here; legal: .*\(\d+ in all\)"):
        state.apply("jump")
    assert CAMELUP.new().apply("die blue 2") == CAMELUP.new().apply(CAMELUP.parse("die blue 2"))


@GAMES
def test_games_states_and_runs_can_be_pickled(game: Any) -> None:
    assert pickle.loads(pickle.dumps(game)) is game
    state = begun(game)
    assert pickle.loads(pickle.dumps(state)) == state
    run = simulate(game, ["random", "random"], games=3)
    again = pickle.loads(pickle.dumps(run))
    assert (again.rows == run.rows).all()
    assert str(again.summary()) == str(run.summary())
    assert again.record(1) == run.record(1)


def test_a_position_is_one_of_as_many_players_as_is_said() -> None:
    for players in CAMELUP.players:
        view = CAMELUP.position("1gyo 3bw | +5", players=players)
        assert view.players == players
        assert CAMELUP.rollouts(view, n=2).wins.shape[2] == players
    assert CAMELUP.position("1gyo 3bw").players == 8
    with pytest.raises(BadOptions, match="2 to 8"):
        CAMELUP.position("1gyo 3bw", players=9)
    with pytest.raises(BadNotation, match="1 others cannot have 2 desert tiles"):
        CAMELUP.position("1gyo 3bw | +5 -9", players=2)
    with pytest.raises(BadNotation, match="1 others cannot have laid 6 cards"):
        CAMELUP.position("1gyo 3bw", {"decks": "winner:6"}, players=2)


def test_seeds_are_numbers_or_texts_everywhere() -> None:
    view = begun(CAMELUP).seen_by(0)
    compiled = CAMELUP.compiled
    for seed in (7, "seven"):
        rows = [CAMELUP.rollouts(view, n=2, seed=seed).wins for _ in range(2)]
        assert (rows[0] == rows[1]).all()
        masks = [compiled.batch(8, 3, seed=seed).buffers.rows for _ in range(2)]
        assert (masks[0] == masks[1]).all()
        assert compiled.simulator(["random"] * 2, seed=seed).record(0) == simulate(
            CAMELUP, ["random"] * 2, games=1, seed=seed
        ).record(0)
        assert serai.play(CAMELUP, ["random"] * 2, seed=seed, max_plies=20).record.actions
    assert (compiled.batch(8, 3, seed=7).buffers.rows != compiled.batch(8, 3, seed="7").buffers.rows).any()
    for call in (
        lambda wrong: CAMELUP.rollouts(view, n=1, seed=wrong),
        lambda wrong: compiled.batch(2, seed=wrong),
        lambda wrong: compiled.simulator(["random"] * 2, seed=wrong),
        lambda wrong: simulate(CAMELUP, ["random"] * 2, games=1, seed=wrong),
        lambda wrong: serai.play(CAMELUP, ["random"] * 2, seed=wrong),
    ):
        for wrong in (1.5, True):
            with pytest.raises(BadArgument, match="a seed is a whole number or a text"):
                call(wrong)


def test_a_wrong_setting_of_a_batch_is_told_with_the_right_ones() -> None:
    with pytest.raises(BadOptions, match=r"no setting 'oponents'.*opponents.*hide_money"):
        CAMELUP.compiled.batch(2, oponents="quick")
    with pytest.raises(BadOptions, match="'check'"):
        CAMELUP.compiled.batch(2, check=False)


@pytest.mark.parametrize("vector", [False, True])
def test_opponents_are_one_name_for_all_or_one_for_each_everywhere(vector: bool) -> None:
    def make(**settings: Any) -> Any:
        name = "serai/CamelUp-v0"
        return gymnasium.make_vec(name, num_envs=2, **settings) if vector else gymnasium.make(name, **settings)

    def players(**settings: Any) -> Any:
        env = make(**settings).unwrapped
        return env._batch.players[0] if vector else env._match.episode.players

    assert players() == 4
    assert players(players=3) == 3
    assert players(opponents="random") == 4
    assert players(opponents="random", players=2) == 2
    assert players(opponents=["random"] * 5) == 6
    with pytest.raises(BadOptions, match="2 opponents and the learner are not 4 players"):
        make(opponents=["random"] * 2, players=4)


@pytest.mark.parametrize("reward", ["money", "lead", "win", "rank", "shaped", {"win": 1.0, "money": 0.5}])
def test_a_single_environment_takes_the_rewards_of_a_vector(reward: Any) -> None:
    batch = CAMELUP.compiled.batch(1, 2, reward=reward, seed=3, restart=False)
    episode = Episode("camelup", 2, reward, {})
    state, rng = batch.state(0), random.Random(2)
    while not state.over:
        before, mask = state, batch.buffers.mask[0]
        batch.step(np.array([rng.choice(np.flatnonzero(mask).tolist())]))
        state = batch.state(0)
        paid = episode.paid(before, state, ended=state.over)
        assert batch.buffers.rewards[0, :2].tolist() == pytest.approx(paid, abs=1e-5)


def test_the_best_of_playouts_and_of_odds() -> None:
    view = begun(CAMELUP).seen_by(0)
    found = CAMELUP.rollouts(view, n=50, seed=1)
    assert found.best(0) == found.actions[int(np.argmax(found.means(0)))]
    assert str(CAMELUP.odds.best(view)) == CAMELUP.odds(view).best  # type: ignore[union-attr]
    with pytest.raises(BadArgument, match="no player is to act"):
        CAMELUP.odds.best(CAMELUP.new())
