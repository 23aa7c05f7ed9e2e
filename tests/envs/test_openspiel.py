"""OpenSpiel's own checks hold for every game and number of players; what a player cannot see can be drawn anew."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import serai
import serai.envs.openspiel
from serai.errors import BadOptions
from tests.support import amount

GAMES: dict[str, dict[str, Any]] = {"camelup": {}, "pharaoh": {"max_rounds": 6}}
EVERY = [(name, players) for name in GAMES for players in serai.game(name).players]


def load(name: str, players: int, **parameters: Any) -> Any:
    return pyspiel.load_game(f"python_serai_{name}", {"players": players, **GAMES[name], **parameters})


def any_action(state: Any, rng: random.Random) -> int:
    legal = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    return int(rng.choice(legal))


def played(game: Any, rng: random.Random, plies: int = 10_000) -> Any:
    """A state after so many actions, or at the end."""
    state = game.new_initial_state()
    while not state.is_terminal() and (state.move_number() < plies or state.is_chance_node()):
        state.apply_action(any_action(state, rng))
    return state


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_its_own_checks_pass(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(name, players), num_sims=amount(1, 10), serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_game_of_the_library(name: str) -> None:
    game = serai.game(name)
    assert game.encoding is not None
    rng = random.Random(2)
    ours: Any = game.new(3, **GAMES[name])
    start = ours.scores()
    spiel = load(name, 3)
    theirs = spiel.new_initial_state()
    observation = make_observation(spiel)
    while not ours.over:
        assert theirs.moment.state == ours
        actions = [theirs.action_to_string(action) for action in theirs.legal_actions()]
        assert actions == [str(action) for action in ours.actions()]
        if theirs.is_chance_node():
            assert [chance for _, chance in theirs.chance_outcomes()] == pytest.approx(
                [float(chance) for _, chance in ours.chances()]
            )
        else:
            assert theirs.current_player() == ours.actor
            seat = rng.randrange(3)
            assert theirs.observation_tensor(seat) == game.encoding.features(ours, seat).tolist()
            observation.set_from(theirs, seat)
            assert observation.tensor.tolist() == theirs.observation_tensor(seat)
        place = rng.randrange(len(actions))
        ours = ours.apply(ours.actions()[place])
        theirs.apply_action(theirs.legal_actions()[place])
    assert theirs.is_terminal()
    assert theirs.returns() == [now - then for now, then in zip(ours.scores(), start, strict=True)]
    assert theirs.current_player() == pyspiel.PlayerId.TERMINAL


def test_what_is_paid_out_is_a_parameter() -> None:
    for reward, utility in (
        ("win", "CONSTANT_SUM"),
        ("rank", "ZERO_SUM"),
        ("lead", "ZERO_SUM"),
        ("money", "GENERAL_SUM"),
    ):
        game = load("camelup", 3, reward=reward)
        assert game.get_type().utility.name == utility
        returns = played(game, random.Random(1)).returns()
        assert all(game.min_utility() <= earned <= game.max_utility() for earned in returns)
        if reward != "money":
            assert sum(returns) == pytest.approx(game.utility_sum())


def test_parameters_are_the_options_of_the_game_and_wrong_ones_are_refused() -> None:
    game = pyspiel.load_game("python_serai_pharaoh(players=2,ring=rook,max_rounds=0,first=1)")
    options = game.new_initial_state().moment.state.options
    assert (options.ring, options.max_rounds, options.first) == ("rook", None, 1)
    with pytest.raises(BadOptions, match="2 to 8 players, not 9"):
        load("camelup", 9)
    with pytest.raises(BadOptions, match="a reward is one of"):
        load("camelup", 2, reward="points")
    with pytest.raises(BadOptions, match="option ring is one of king, rook"):
        load("pharaoh", 2, ring="queen")


def test_an_information_state_tells_what_the_player_saw_and_nothing_else() -> None:
    game = load("camelup", 2)
    camelup = serai.game("camelup")
    state = game.new_initial_state()
    for text in (
        "die green 1",
        "die yellow 1",
        "die orange 1",
        "die blue 3",
        "die white 3",
        "winner blue",
        "loser white",
    ):
        number = camelup.encoding.number(camelup.parse(text))
        state.apply_action(number - 46 if text.startswith("die") else number)
    assert state.information_state_string(0).split("\n")[0] == "seat 0"
    assert state.information_state_string(0).split("\n")[-2:] == ["winner blue", "loser ?"]
    assert state.information_state_string(1).split("\n")[-2:] == ["winner ?", "loser white"]
    recall = make_observation(game, INFO_STATE_OBS_TYPE)
    assert recall.string_from(state, 0) == state.information_state_string(0)
    nothing = pyspiel.PrivateInfoType.NONE
    onlooker = make_observation(game, pyspiel.IIGObservationType(perfect_recall=False, private_info=nothing))
    assert onlooker.tensor is None
    assert '"winner_deck":[[0,null]]' in onlooker.string_from(state, 0)
    assert '"winner_deck":[[0,0]]' in state.observation_string(0)
    assert '"winner_deck":[[0,null]]' in state.observation_string(1)


def test_what_a_player_cannot_see_is_drawn_anew_each_way_equally_often() -> None:
    rng = random.Random(3)
    game = load("camelup", 3)
    state = played(game, rng, 60)
    assert not state.is_terminal()
    player = state.current_player()
    hidden = state.moment.state
    laid: Counter[Any] = Counter()
    for _ in range(amount(60, 2_000)):
        twin = state.resample_from_infostate(player, rng.random)
        assert twin.current_player() == player
        assert twin.information_state_string(player) == state.information_state_string(player)
        assert twin.observation_string(player) == state.observation_string(player)
        assert twin.observation_tensor(player) == state.observation_tensor(player)
        retold = game.new_initial_state()
        for action in twin.history():
            retold.apply_action(action)
        assert retold.moment.state == twin.moment.state
        laid[twin.moment.state.winner_deck, twin.moment.state.loser_deck] += 1
    assert state.moment.state is hidden
    assert len(laid) > 20
    others = [seat for seat, _ in (*hidden.winner_deck, *hidden.loser_deck) if seat != player]
    assert others


def test_drawn_anew_and_imagined_are_alike() -> None:
    """One card of another player: every colour equally often."""
    rng = random.Random(4)
    game, camelup = load("camelup", 2), serai.game("camelup")
    state = game.new_initial_state()
    for _ in range(5):
        state.apply_action(any_action(state, rng))
    state.apply_action(camelup.encoding.number(camelup.parse("winner blue")))
    drawn = Counter(state.resample_from_infostate(1, rng.random).moment.state.winner_deck[0][1] for _ in range(1_000))
    assert len(drawn) == 5
    assert all(130 < count < 270 for count in drawn.values())


@pytest.mark.parametrize("name", GAMES)
def test_copies_go_on_by_themselves(name: str) -> None:
    game = load(name, 3)
    state = played(game, random.Random(5), 30)
    before = str(state)
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    copies.append(pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1])
    ends = set()
    for one in copies:
        assert str(one) == before
        assert one.history() == state.history()
        rng = random.Random(6)
        while not one.is_terminal():
            one.apply_action(any_action(one, rng))
        ends.add(str(one))
    assert len(ends) == 1
    assert str(state) == before


def test_a_search_of_theirs_plays_by_it() -> None:
    game = load("camelup", 2, reward="win")
    state = played(game, random.Random(7), 20)
    chance = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, chance), 1.0, amount(5, 100), random_state=chance)
    assert bot.step(state) in state.legal_actions()
