"""Games that bots do not bring to an end are cut short, wherever they are played, and that is told."""

from __future__ import annotations

import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

from serai import Record, game, play, simulate
from serai.core.arguments import MAX_PLIES
from serai.core.record import CUT_SHORT, verify
from serai.envs import openspiel, pettingzoo
from serai.errors import BadArgument, BadOptions, BadRecord

CAMELUP = game("camelup")
LIMIT = 30


def first(view: Any, rng: random.Random) -> Any:
    """The likeliest first bot: it never rolls."""
    return view.actions()[0]


# -- the referee and simulate ------------------------------------------------------------------------------------------


def test_a_bot_that_always_takes_the_first_action_gets_a_result_and_is_told_what_happened() -> None:
    played = simulate("camelup", [first, first], games=2)
    summary = played.summary()
    assert played.rows["truncated"].tolist() == [1, 1]
    assert summary.truncated == 2
    assert f"2 of 2 games were cut short after {MAX_PLIES:,} actions" in str(summary)
    assert summary.plies.most == MAX_PLIES


def test_a_limit_of_plies_cuts_the_game_after_the_play_that_reaches_it() -> None:
    outcome = play("pharaoh", ["random", "random"], seed=3, max_plies=LIMIT)
    plies = len(outcome.record.actions)
    assert outcome.truncated
    assert not outcome.state.over
    assert isinstance(outcome.state.actor, int), "no draw is left undone"
    assert LIMIT <= plies < LIMIT + 5
    whole = play("pharaoh", ["random", "random"], seed=3)
    assert not whole.truncated
    assert whole.record.actions[:plies] == outcome.record.actions


def test_a_record_of_a_game_that_was_cut_short_says_so_and_holds() -> None:
    outcome = play("camelup", [first, first, "random"], seed=1, max_plies=LIMIT)
    text = outcome.record.write()
    record = Record.read(text)
    assert record.end == CUT_SHORT
    assert verify(record).winners == outcome.state.leaders()
    with pytest.raises(BadRecord, match="'agreed' or 'limit'"):
        Record.read(text.replace("end: limit", "end: bored"))
    with pytest.raises(BadRecord, match="not over after the last action"):
        verify(Record.read(text.replace("end: limit\n", "")))
    whole = play("camelup", ["random", "random"], seed=1).record.write()
    with pytest.raises(BadRecord, match="cut short, but it was over already"):
        verify(Record.read(whole.replace("\n\n", "\nend: limit\n\n", 1)))


@pytest.mark.parametrize("name", ["camelup", "pharaoh"])
@pytest.mark.parametrize("bots", [["random", "random"], ["jerboa", "random"], ["scarab", "random"]])
def test_compiled_games_are_cut_short_as_those_of_the_referee_are(name: str, bots: list[str]) -> None:
    if not set(bots) <= set(game(name).bots):
        return
    run_ = simulate(name, bots, games=40, max_plies=LIMIT)
    assert run_.rows["truncated"].all()
    assert (run_.rows["plies"] >= LIMIT).all()
    assert (run_.rows["plies"] < LIMIT + 5).all()
    record = run_.record(3)
    verdict = verify(record)
    assert record.end == CUT_SHORT
    assert len(record.actions) == run_.rows["plies"][3]
    assert verdict.scores == tuple(run_.rows[game(name).score_name][3])
    shares = [(seat in verdict.winners) / len(verdict.winners) for seat in range(2)]
    assert run_.rows["share"][3].tolist() == shares
    whole = simulate(name, bots, games=40)
    assert not whole.rows["truncated"].any()
    assert whole.record(3).actions[: len(record.actions)] == record.actions


def test_games_without_a_limit_of_rounds_are_compiled_too() -> None:
    simulator = game("pharaoh").compiled.simulator(["random", "random"], seed="1", max_rounds=None)
    assert simulator.play(0, 4).games == 4


def test_a_wrong_limit_is_refused() -> None:
    for wrong in (0, -1, 2.5, 10**9):
        with pytest.raises(BadArgument, match="max_plies"):
            simulate("camelup", ["random", "random"], games=1, max_plies=wrong)  # type: ignore[arg-type]
        with pytest.raises(BadArgument, match="max_plies"):
            play("camelup", ["random", "random"], max_plies=wrong)  # type: ignore[arg-type]
        with pytest.raises(BadOptions, match="max_plies"):
            CAMELUP.compiled.batch(4, 2, max_plies=wrong)  # type: ignore[arg-type]


# -- the batch ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", [None, "random"])
def test_a_batch_ends_games_of_a_learner_that_always_takes_the_first_action(opponents: str | None) -> None:
    batch = CAMELUP.compiled.batch(4, 3, opponents=opponents, reward="win", max_plies=LIMIT)
    now, ends = batch.buffers, 0
    for _ in range(3 * LIMIT):
        plies = now.plies.copy()
        batch.step(now.mask.argmax(axis=1))
        cut = now.truncated == 1
        assert (plies[~cut] < LIMIT).all()
        assert (now.finished[cut] == 1).all()
        assert not now.rewards[cut].any(), "nobody is paid for a victory"
        assert np.allclose(now.shares[cut].sum(axis=1), 1)
        assert (now.plies[cut] < LIMIT).all(), "the next game has begun"
        for lane in np.flatnonzero(cut):
            assert not batch.state(lane, last=True).over
        ends += int(cut.sum())
    assert ends >= 4


def test_a_batch_without_restart_stops_where_a_game_was_cut_short() -> None:
    batch = CAMELUP.compiled.batch(2, 2, restart=False, max_plies=LIMIT)
    for _ in range(LIMIT + 3):
        batch.step(batch.buffers.mask.argmax(axis=1))
    assert (batch.buffers.actors == -2).all()
    assert not batch.buffers.truncated.any()
    assert (batch.buffers.plies == LIMIT).all()


def test_a_batch_counts_the_steps_of_the_caller() -> None:
    batch = CAMELUP.compiled.batch(3, 4, opponents="random", max_steps=2)
    cut = []
    for _ in range(6):
        batch.step(batch.buffers.mask.argmax(axis=1))
        cut.append(batch.buffers.truncated.tolist())
    assert cut == [[0] * 3, [1] * 3] * 3


def test_a_state_that_is_put_into_a_lane_begins_to_count_anew() -> None:
    batch = CAMELUP.compiled.batch(2, 2, max_plies=LIMIT)
    state = batch.state(0)
    for _ in range(LIMIT - 10):
        batch.step(batch.buffers.mask.argmax(axis=1))
    batch.put(0, state)
    assert batch.buffers.plies.tolist() == [0, LIMIT - 5]


# -- environments ------------------------------------------------------------------------------------------------------


def test_pettingzoo_truncates() -> None:
    env = pettingzoo.env("camelup", players=2, reward="win", max_plies=LIMIT)
    env.reset(seed=1)
    total, ends = dict.fromkeys(env.possible_agents, 0.0), []
    for agent in env.agent_iter(10 * LIMIT):
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += float(reward)
        ends.append((terminated, truncated))
        env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
    assert ends[-2:] == [(False, True)] * 2
    assert not any(total.values())


def test_gymnasium_truncates_and_its_own_limit_works() -> None:
    def length(**settings: Any) -> tuple[int, bool, bool]:
        env = gymnasium.make("serai/CamelUp-v0", opponents=[first], **settings)
        _, info = env.reset(seed=1)
        steps, terminated, truncated = 0, False, False
        while not (terminated or truncated):
            _, _, terminated, truncated, info = env.step(info["action_mask"].argmax())
            steps += 1
        return steps, terminated, truncated

    assert length(max_plies=25) == (10, False, True)  # five draws first, then two plies a step
    assert length(max_episode_steps=7) == (7, False, True)


@pytest.mark.parametrize("mode", [None, "sync"])
def test_a_vector_environment_truncates_by_either_limit(mode: str | None) -> None:
    limits: tuple[dict[str, Any], ...] = ({"max_episode_steps": 2}, {"max_plies": 13})
    for limit in limits:
        envs = gymnasium.make_vec(
            "serai/CamelUp-v0", num_envs=2, vectorization_mode=mode, opponents=["random"] * 3, **limit
        )
        _, info = envs.reset(seed=1)
        over = []
        for _ in range(2):
            _, _, terminated, truncated, info = envs.step(info["action_mask"].argmax(axis=1))
            assert not terminated.any()
            over.append(bool(truncated.any()))
        assert over == [False, True]


def test_openspiel_ends() -> None:
    assert any(game.short_name == "python_serai_camelup" for game in pyspiel.registered_games()), openspiel.__name__
    spiel = pyspiel.load_game("python_serai_camelup", {"players": 2, "reward": "win", "max_plies": LIMIT})
    state = spiel.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == LIMIT
    assert sum(state.returns()) == 1
    assert state.legal_actions() == []
    assert spiel.max_game_length() >= LIMIT


def test_a_copy_of_an_environment_remembers_how_long_its_game_has_been() -> None:
    env = pettingzoo.raw_env("camelup", players=2, max_plies=LIMIT)
    env.reset(seed=1)
    for _ in range(10):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    other = pickle.loads(pickle.dumps(env))
    for _ in range(LIMIT - 15):
        assert not any(other.truncations.values())
        other.step(int(other.observe(other.agent_selection)["action_mask"].argmax()))
    assert all(other.truncations.values())
