"""A batch of Camel Up is lawful, and blind for others' cards."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import serai
from serai.camelup import GAME, CamelUpState
from serai.camelup.bots.fennec import FennecBot
from serai.camelup.bots.greedy import GreedyBot
from serai.camelup.bots.jerboa import JerboaBot
from serai.camelup.bots.quick import QuickBot
from serai.camelup.kernel import layout
from serai.camelup.kernel.bridge import NUMBERS, to_row, to_state
from serai.camelup.kernel.observe import observe
from serai.camelup.policy import driver
from serai.camelup.rules.actions import ALL_ACTIONS
from serai.lab.batch import Batch
from serai.lab.driver import driver_of
from tests.support import SOAK, amount, random_play


@pytest.mark.parametrize("players", GAME.players)
def test_mask_observation_and_reward_follow_the_rules(players: int) -> None:
    batch = GAME.compiled.batch(6, players, reward="money", seed=players, first=players - 1)
    seen = batch.buffers
    rng = random.Random(players)
    for _ in range(150):
        states = [to_state(row) for row in seen.rows]
        actions = []
        for lane, state in enumerate(states):
            assert seen.actors[lane] == state.actor
            assert [ALL_ACTIONS[action] for action in np.flatnonzero(seen.mask[lane])] == list(state.actions())
            assert isinstance(state.actor, int)
            assert seen.observations[lane].tolist() == _observed(state, state.actor)
            actions.append(NUMBERS[rng.choice(state.actions())])
        batch.step(np.array(actions))
        for lane, (state, action) in enumerate(zip(states, actions, strict=True)):
            after = state.apply(ALL_ACTIONS[action])
            money = seen.results[lane] if seen.finished[lane] else seen.rows[lane, layout.MONEY :]
            if after.actor is not serai.CHANCE:
                assert to_state(seen.rows[lane]) == after
            else:
                followers = [after.apply(die) for die in after.actions()]
                assert to_state(seen.rows[lane]) in followers or seen.finished[lane]
            assert seen.rewards[lane, :players].tolist() == (money[:players] - np.array(state.money)).tolist()


def _observed(state: CamelUpState, seat: int) -> list[int]:
    """The documented observation, made from the view of the readable rules."""
    observation: list[int] = GAME.encoding.observation(state.seen_by(seat), seat).tolist()
    return observation


def test_8_1_an_observation_never_depends_on_what_the_view_hides() -> None:
    rng = random.Random(1)
    one, other = np.empty(layout.SEEN_SIZE, np.int16), np.empty(layout.SEEN_SIZE, np.int16)
    compared = 0
    for state, *_ in random_play(GAME, 5, rng):
        if state.leg == 0:
            continue
        for seat in range(5):
            twin = GAME.imagine(state.seen_by(seat), rng)
            compared += twin != state
            observe(to_row(state), seat, one)
            observe(to_row(twin), seat, other)
            assert one.tolist() == other.tolist() == _observed(state, seat)
    assert compared > 100


def test_any_seat_can_be_observed_not_only_the_one_to_act() -> None:
    batch = GAME.compiled.batch(3, 4, seed=2)
    out = np.empty((3, layout.SEEN_SIZE), np.int16)
    batch.observe(np.array([1, 2, 3]), out)
    assert out.tolist() == [_observed(to_state(batch.buffers.rows[lane]), lane + 1) for lane in range(3)]


Bots = tuple[Any, ...]


@pytest.mark.parametrize("bots", [(QuickBot, JerboaBot), *[(GreedyBot, FennecBot)] * SOAK])
def test_opponents_play_as_their_bots_do_and_rewards_span_the_whole_round(bots: Bots) -> None:
    """Beside a batch with the same dice in which the readable bots choose for everybody but the learner."""
    players = (3, 2)
    names = [next(name for name in GAME.bots if f"{name.title()}Bot" == bot.__name__) for bot in bots]
    alone = GAME.compiled.batch(4, players, opponents=names, reward="lead", seed=5)
    table = GAME.compiled.batch(4, players, reward="lead", seed=5)
    bots = tuple(bot() for bot in bots)
    rng = random.Random(1)
    ended = 0
    for _ in range(amount(60, 300)):
        learners = alone.buffers.learners.tolist()
        for lane, learner in enumerate(learners):
            assert learner == alone.buffers.games[lane] // 2 % len(alone.state(lane).scores())
            _until(table, lane, learner, bots, rng)
            assert table.state(lane) == alone.state(lane)
        assert alone.buffers.actors.tolist() == learners
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in alone.buffers.mask]
        before = alone.buffers.games.copy()
        alone.step(actions)
        for lane, learner in enumerate(learners):
            _step_one(table, lane, actions[lane])
            total = table.buffers.rewards[lane].copy()
            while table.buffers.games[lane] == before[lane] and table.buffers.actors[lane] != learner:
                _step_one(table, lane, _choice(table, lane, learner, bots, rng))
                total += table.buffers.rewards[lane]
            over = bool(alone.buffers.finished[lane])
            ended += over
            assert over == (table.buffers.games[lane] != before[lane])
            assert alone.buffers.rewards[lane] == pytest.approx(total, abs=1e-4)
            if over:
                assert alone.state(lane, last=True) == table.state(lane, last=True)
    assert ended > 3


def _until(table: Batch, lane: int, learner: int, bots: Bots, rng: random.Random) -> None:
    while table.buffers.actors[lane] != learner:
        _step_one(table, lane, _choice(table, lane, learner, bots, rng))


def _choice(table: Batch, lane: int, learner: int, bots: Bots, rng: random.Random) -> int:
    seat = int(table.buffers.actors[lane])
    view = table.state(lane).seen_by(seat)
    behind = (seat - learner - 1) % len(view.scores())
    return NUMBERS[bots[behind].decide(view, rng)]


def _step_one(table: Batch, lane: int, action: int) -> None:
    """One lane alone; the others are put back as they were."""
    kept = table.copy()
    actions = table.buffers.mask.argmax(axis=1)
    actions[lane] = action
    table.step(actions)
    for name, array in table.buffers._asdict().items():
        others = np.arange(len(table)) != lane
        array[others] = getattr(kept.buffers, name)[others]


def test_an_observation_in_eight_bits_is_the_same() -> None:
    batch = GAME.compiled.batch(40, 5, seed=3)
    words, actions = np.arange(40, dtype=np.uint64), np.empty(40, np.int64)
    for _ in range(60):
        batch.random_actions(words, actions)
        batch.step(actions)
    seats, out = batch.buffers.actors.astype(np.int64), np.empty((40, layout.SEEN_SIZE), np.int8)
    driver_of(driver).observe_all(batch.buffers.rows, 0, 40, seats, out)
    assert (out == batch.buffers.observations).all()


def test_a_race_that_ends_before_the_learners_first_turn_leaves_no_lane_dead() -> None:
    """Opponents end some races at once where the camels are placed near the line; the next game follows."""
    batch = GAME.compiled.batch(60, 8, seed=2, opponents="random", seat=7)
    batch._plan.starts[:, layout.SPACE : layout.TENT] = 13
    batch.reset()
    seen = batch.buffers
    at_once = int(seen.finished.sum())
    passed_over = 0
    words, actions = np.arange(60, dtype=np.uint64), np.zeros(60, np.int64)
    for _ in range(20):
        assert (seen.actors == 7).all()
        assert seen.mask.any(axis=1).all()
        before = seen.games.copy()
        batch.random_actions(words, actions)
        batch.step(actions)
        passed_over += int(((seen.games - before) // 60 - seen.finished).sum())
    assert at_once > 0
    assert passed_over > 0
    assert (seen.results[seen.games >= 60].sum(axis=1) > 0).all()


def test_a_state_in_which_opponents_end_the_race_counts_as_a_finished_game() -> None:
    batch = GAME.compiled.batch(1, 2, seed=2, opponents="random", seat=1, reward="win", restart=False)
    near = serai.game("camelup").new(2)
    for die in ("white 3", "orange 3", "yellow 3", "green 3", "blue 3"):
        near = near.apply(GAME.parse(f"die {die}"))
    row = to_row(near)
    row[layout.SPACE : layout.TENT] = 16
    for _ in range(100):
        batch.put(0, to_state(row))
        if batch.buffers.finished[0]:
            break
    assert batch.buffers.finished[0]
    assert batch.buffers.actors[0] == layout.NOBODY_ACTS
    assert batch.buffers.shares[0].sum() == 1
    assert batch.buffers.gathered[0, 1] == batch.buffers.shares[0, 1]
    last = batch.state(0, last=True)
    assert isinstance(last, CamelUpState)
    assert last.over
    assert batch.buffers.last_observations[0].tolist() == _observed(last.seen_by(1), 1)
