"""Playing on from a view: by the rules, repeatable, with the same chance for every action, and on any thread."""

from __future__ import annotations

import numpy as np
import pytest

from serai.core import CHANCE
from serai.core.rollouts import HABIT
from serai.errors import SeraiError
from serai.lab.rng import seed_of
from serai.pharaoh.kernel.bridge import to_row, to_state
from serai.pharaoh.kernel.rules import act, drawn_piece
from serai.pharaoh.memory import WaitingMemory
from serai.pharaoh.parts import PARTS
from serai.pharaoh.policy.decide import decide
from serai.pharaoh.policy.rollouts import EARLY, ROUNDS, _run, _weights
from serai.pharaoh.policy.scratch import new_scratch
from serai.pharaoh.policy.styles import EVEN, EXPECTED_AFTER_MASK, STYLES, one_style
from serai.pharaoh.policy.value import FEATURES, chances
from serai.pharaoh.rules.actions import ALL_ACTIONS, END
from serai.pharaoh.rules.events import MaskFound, TileOpened, TurnBegan
from serai.pharaoh.rules.pieces import NOWHERE
from tests.pharaoh.positions import CORRIDOR, GAME, at
from tests.support import amount

MIDDLE = f"{CORRIDOR} 0 A=c4 H=c2 lamps=c2,c3\n 1 A=c3+3 H=c1"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_playout_is_a_game_by_the_readable_rules(players):
    start = GAME.new(players)
    actions = start.actions()
    count = amount(3, 40)
    found = GAME.rollouts(start, actions, count, policy="jackal", seed=5)
    for place, action in enumerate(actions):
        for number in range(count):
            state = start.apply(action)
            row = to_row(state)
            words = np.array([seed_of(np.uint64(5), np.uint64(number)), 0], np.uint64)
            words[1] = ~words[0]
            while not state.over:
                if state.actor is CHANCE:
                    done = drawn_piece(row, words, 0)
                else:
                    done = decide(row, STYLES["jackal"], new_scratch(), words, 1)
                assert ALL_ACTIONS[done] in state.actions()
                state = state.apply(ALL_ACTIONS[done])
                act(row, done)
            assert to_state(row) == state
            shares = [(seat in state.winners()) / len(state.winners()) for seat in range(players)]
            assert found.wins[place, number].tolist() == pytest.approx(shares)
            assert tuple(found.scores[place, number]) == state.scores()


def test_the_same_seed_and_number_give_the_same_playout_on_any_thread():
    view = at(MIDDLE)
    whole = GAME.rollouts(view, n=24, seed=9)
    assert whole.actions == view.actions()
    assert whole.wins.sum(axis=2) == pytest.approx(1.0, abs=1e-5)
    np.testing.assert_array_equal(GAME.rollouts(view, n=24, seed=9, threads=3).wins, whole.wins)
    np.testing.assert_array_equal(GAME.rollouts(view, n=10, seed=9, first=14).wins, whole.wins[:, 14:])
    some = view.actions()[2:4]
    np.testing.assert_array_equal(GAME.rollouts(view, some, 24, seed=9).wins, whole.wins[2:4])
    assert not np.array_equal(GAME.rollouts(view, n=24, seed=10).wins, whole.wins)


def test_all_actions_meet_the_same_chance():
    """Two ways to end up in one position, so every playout of both is alike."""
    view = at(f"{CORRIDOR} 0 A=c4 H=c2\n turn 0 moves=1").apply(GAME.parse("reveal c5"))
    after = view.apply(GAME.parse("tile straight"))
    found = GAME.rollouts(after, [GAME.parse("lay NS")] * 2, 16, seed=3)
    np.testing.assert_array_equal(found.wins[0], found.wins[1])


def test_a_point_counts_more_the_sooner_it_comes():
    """Seat 0 is about to bring home a treasure: one per cent of it more for each round's end that follows."""
    state = at(f"{CORRIDOR} 0 A=c2+3 H=c1\n 1 A=c1 H=c1\n turn 0 moves=1")
    start, row = to_row(state), to_row(state)
    words, early = np.array([1, 2], np.uint64), np.empty(4)
    ends: list[tuple[int, ...]] = []
    check = words.copy()
    while len(ends) < ROUNDS:
        if state.actor is CHANCE:
            done = drawn_piece(to_row(state), check, 0)
        else:
            done = decide(to_row(state), STYLES["jackal"], new_scratch(), check, 1)
        after = state.apply(ALL_ACTIONS[done])
        ends += [after.points] if after.round != state.round else []
        state = after
    before, origins, uncounted = np.empty_like(row), np.empty(4, np.int64), np.empty((0, PARTS), np.float32)
    table = one_style("jackal", 2)[0]
    _run(row, start, table, 0, 2 * ROUNDS, early, new_scratch(), words, before, origins, uncounted)
    assert to_state(row) == state
    assert ends[0] == (3, 0)
    assert early[:2] == pytest.approx([EARLY * sum(points[seat] for points in ends) for seat in (0, 1)])
    assert early[0] >= 5 * 3 * EARLY
    soon, late = (judged(state, early[:2] * share) for share in (1, 0))
    assert (soon[0] > late[0]) == (early[0] > early[1])


def judged(state, early):
    """Each seat's chance to win by the fitted value, with this much more for points that came soon."""
    features, pull, shares = np.empty((4, FEATURES)), np.empty((4, 36)), np.empty(4)
    chances(to_row(state), np.append(early, [0.0, 0.0]), _weights()[2], new_scratch(), features, pull, shares)
    return shares


def test_nobody_unknown_plays_on():
    with pytest.raises(SeraiError, match="scarab"):
        GAME.rollouts(GAME.new(), n=1, policy="nobody")


def test_who_judges_takes_everybody_for_the_same_once_the_mask_is_found():
    """Before, they are of all kinds; from there on a game hangs on who plays it how."""
    falling = CORRIDOR.replace("? ? │ ? ? ?", "? ? C ? ? ?", 1)
    found = at(falling + " 0 A=c3 H=c1\n lying c4=mask\n mask c4 finder=0 countdown=2")
    assert found.mask_chamber != NOWHERE
    even, alike = (GAME.rollouts(found, (None,), 32, policy=policy, seed=5) for policy in (EVEN, EXPECTED_AFTER_MASK))
    assert np.array_equal(even.wins, alike.wins)
    begun = GAME.new()
    rounds = GAME.rollouts(begun, (None,), 32, policy=EVEN, seed=5)
    assert not np.array_equal(rounds.wins, GAME.rollouts(begun, (None,), 32, seed=5).wins)


def test_in_a_standoff_nobody_else_goes_first():
    """Two wait where thieves lie in wait: one who has seen it expects nothing of waiting, going first is as before."""
    view = at(MIDDLE)
    memory = GAME.memory(0)
    assert isinstance(memory, WaitingMemory)
    for number in range(1, 4):
        memory.watch(TurnBegan(0, number))
    calm = GAME.rollouts(view, n=24, seed=9, memory=memory)
    np.testing.assert_array_equal(calm.wins, GAME.rollouts(view, n=24, seed=9).wins)
    memory.watch(TurnBegan(0, 4))
    tense = GAME.rollouts(view, [END, None], 64, seed=9, memory=memory)
    waits = GAME.rollouts(view, [END, None], 64, seed=9)
    assert not np.array_equal(tense.wins[0], waits.wins[0])
    assert np.ptp(tense.wins[1], axis=0).max() == 0.0  # nobody goes, so nothing happens that chance could change
    by_itself = GAME.rollouts(view, [HABIT], 64, seed=9, memory=memory)
    assert np.ptp(by_itself.wins[0], axis=0).max() > 0.0  # the player to act goes, as after an action
    memory.watch(TileOpened(1, 3, 2))
    np.testing.assert_array_equal(GAME.rollouts(view, [END], 64, seed=9, memory=memory).wins[0], waits.wins[0])


def test_there_is_no_standoff_once_the_pyramid_falls():
    memory = GAME.memory(1)
    assert isinstance(memory, WaitingMemory)
    memory.watch(MaskFound(0, 9, 3))
    for number in range(1, 20):
        memory.watch(TurnBegan(0, number))
    assert not memory.standoff
