"""The batched step interface: lawful, blind for others' cards, and the same games whatever the number of lanes."""

from __future__ import annotations

import random
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import serai
from serai.camelup import GAME, CamelUpState
from serai.camelup.actions import ALL_ACTIONS
from serai.camelup.kernel import layout
from serai.camelup.kernel.batch import Batch, Buffers, observe
from serai.camelup.kernel.bridge import NUMBERS, to_row, to_state
from serai.camelup.track import ranking
from serai.core import BadOptions, IllegalAction
from tests.support import random_play


@pytest.mark.parametrize("players", GAME.players)
def test_mask_observation_and_reward_follow_the_rules(players: int) -> None:
    batch = Batch(6, players, seed=players, first=players - 1)
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
    view = state.seen_by(seat)
    players = view.players
    round_the_table = [(seat + place) % players for place in range(players)]
    place_of = {owner: place for place, owner in enumerate(round_the_table)}
    order = ranking(view.track)
    numbers = [players, view.leg, place_of[view.turn], place_of[view.marker]]
    numbers += [next(space for space, stack in enumerate(view.track) if camel in stack) for camel in range(5)]
    numbers += [4 - order.index(camel) for camel in range(5)]
    numbers += view.tents
    for takers in view.leg_bets:
        numbers += ([place_of[taker] for taker in takers] + [-1] * 3)[:3]
    for values in (view.pyramid_tiles, view.deserts, view.money, tuple(map(len, view.hands))):
        numbers += ([values[owner] for owner in round_the_table] + [0] * 8)[:8]
    numbers += [camel in view.hands[seat] for camel in range(5)]
    decks = (view.winner_deck, view.loser_deck)
    for deck in decks:
        numbers += [deck.index((seat, camel)) + 1 if (seat, camel) in deck else 0 for camel in range(5)]
    for deck in decks:
        numbers += ([place_of[owner] for owner, _ in deck] + [-1] * 40)[:40]
    return numbers


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
    batch = Batch(3, 4, seed=2)
    out = np.empty((3, layout.SEEN_SIZE), np.int16)
    batch.observe(np.array([1, 2, 3]), out)
    assert out.tolist() == [_observed(to_state(batch.buffers.rows[lane]), lane + 1) for lane in range(3)]


def test_games_are_the_same_whatever_the_number_of_lanes() -> None:
    histories = [_histories(lanes, games=30) for lanes in (1, 7, 30)]
    assert histories[0] == histories[1] == histories[2]
    assert len(set(histories[0].values())) == 30


def _histories(lanes: int, games: int) -> dict[int, tuple[Any, ...]]:
    """Game number to everything that happened in it, with actions that depend on observation and ply alone."""
    batch = Batch(lanes, 3, seed=11)
    seen = batch.buffers
    running: dict[int, list[Any]] = {}
    ended: dict[int, tuple[Any, ...]] = {}
    while any(game not in ended for game in range(games)):
        numbers = seen.games.copy()
        actions = np.empty(lanes, np.int64)
        for lane, game in enumerate(numbers.tolist()):
            history = running.setdefault(game, [])
            actions[lane] = _settled_choice(seen, lane, len(history))
            history.append((seen.observations[lane].tobytes(), int(actions[lane])))
        batch.step(actions)
        for lane in np.flatnonzero(seen.finished).tolist():
            game = int(numbers[lane])
            ended[game] = (*running.pop(game), tuple(seen.results[lane].tolist()))
            assert seen.games[lane] == game + lanes
    return {game: ended[game] for game in range(games)}


def _settled_choice(seen: Buffers, lane: int, ply: int) -> int:
    legal = np.flatnonzero(seen.mask[lane])
    return int(legal[crc32(seen.observations[lane].tobytes(), ply) % len(legal)])


def test_two_batches_can_share_the_games_of_one_seed() -> None:
    whole = Batch(4, 2, seed=5)
    halves = [Batch(2, 2, seed=5, first_game=first, stride=4) for first in (0, 2)]
    rolls = np.full(4, layout.ROLL_ACTION)
    for _ in range(60):
        whole.step(rolls)
        for half in halves:
            half.step(rolls[:2])
        assert whole.buffers.rows.tolist() == [row for half in halves for row in half.buffers.rows.tolist()]
    assert whole.buffers.games.min() >= 4


def test_without_restart_a_finished_game_stays_and_its_lane_is_skipped() -> None:
    batch = Batch(4, 2, seed=3, restart=False)
    seen = batch.buffers
    ends = 0
    for _ in range(200):
        batch.step(np.where(seen.actors == layout.NOBODY_ACTS, -1, layout.ROLL_ACTION))
        ends += int(seen.finished.sum())
    assert ends == 4
    for lane in range(4):
        state = to_state(seen.rows[lane])
        assert state.over
        assert seen.results[lane, :2].tolist() == list(state.scores())
        assert seen.actors[lane] == layout.NOBODY_ACTS
        assert not seen.mask[lane].any()
        assert not seen.rewards[lane].any()


@pytest.mark.parametrize("wrong", [-1, layout.DIE_ACTION, layout.OASIS_ACTION, 2**40])
def test_an_illegal_action_is_told_with_its_lane_and_changes_nothing(wrong: int) -> None:
    batch = Batch(3, 4, seed=1)  # in its second lane a camel stands on space 2
    before = [array.tobytes() for array in batch.buffers]
    assert not batch.buffers.mask[1, layout.OASIS_ACTION]
    with pytest.raises(IllegalAction, match="in lane 1 is not legal"):
        batch.step(np.array([layout.ROLL_ACTION, wrong, layout.ROLL_ACTION]))
    assert [array.tobytes() for array in batch.buffers] == before


def test_the_caller_owns_the_buffers() -> None:
    mine = Buffers.empty(2)
    batch = Batch(2, 2, seed=1, buffers=mine)
    batch.step(np.array([layout.ROLL_ACTION] * 2))
    assert batch.buffers is mine
    assert mine.rows[:, layout.TENT : layout.TENT + 5].any()
    batch.reset()
    assert not mine.rows[:, layout.TENT : layout.TENT + 5].any()


def test_a_batch_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadOptions, match="2 to 8 players"):
        Batch(1, 9)
    with pytest.raises(BadOptions, match="option first"):
        Batch(1, 2, first=2)
    with pytest.raises(BadOptions, match="'mask' must be"):
        Batch(2, 2, buffers=Buffers.empty(2)._replace(mask=np.zeros((2, 3), np.uint8)))
    with pytest.raises(BadOptions, match="at least one lane"):
        Batch(0, 2)
    out = np.empty((2, layout.SEEN_SIZE), np.int16)
    with pytest.raises(BadOptions, match="seats to look from are 0 to 1"):
        Batch(2, 2).observe(np.array([0, 2]), out)
    with pytest.raises(BadOptions, match="'out' must be"):
        Batch(2, 2).observe(np.array([0, 1]), out[:1])
    with pytest.raises(BadOptions, match="'words' must be"):
        Batch(2, 2).random_actions(np.zeros(1, np.uint64), np.zeros(2, np.int64))
    with pytest.raises(BadOptions, match="one action per lane"):
        Batch(2, 2).step(np.array([layout.ROLL_ACTION]))


def test_random_actions_are_legal() -> None:
    batch = Batch(50, 6, seed=8)
    words, actions = np.arange(50, dtype=np.uint64), np.empty(50, np.int64)
    for _ in range(100):
        batch.random_actions(words, actions)
        batch.step(actions)
