"""Playouts: lawful to the last die, paired, repeatable, and of hidden cards they know no more than a seat does."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import serai
from serai.camelup import GAME
from serai.camelup.kernel.bridge import NUMBERS, to_row, to_state
from serai.camelup.kernel.layout import DIE_ACTION, ROW_SIZE
from serai.camelup.memory import Moment, RaceMemory
from serai.camelup.parts import (
    DESERT_PART,
    ENDED_PART,
    FIRST_PART,
    HAND_PART,
    LEG_PART,
    MONEY_PARTS,
    PARTS,
    TURN_PART,
)
from serai.camelup.policy import rollouts
from serai.camelup.policy.beliefs import TRUST, beliefs_of, hopes_of, imagine
from serai.camelup.policy.parts import NO_PARTS
from serai.camelup.policy.rollouts import play_on, tables_for
from serai.camelup.policy.styles import EVEN, company_of
from serai.camelup.rules.actions import ALL_ACTIONS
from serai.camelup.rules.pieces import CAMEL_NAMES, CAMELS
from serai.camelup.rules.rules import CamelUpState
from serai.core.chance import any_kind
from serai.core.rollouts import HABIT
from serai.errors import BadOptions
from tests.support import amount


def some_state(seed: int = 5, players: int = 4, actions: int = 18) -> tuple[CamelUpState, RaceMemory]:
    """A state with somebody to act, after so many random actions, and what one remembers who watched."""
    rng = random.Random(seed)
    memory = GAME.memory(0)
    assert isinstance(memory, RaceMemory)
    state: Any = GAME.new(players=players)
    while state.actor is serai.CHANCE or actions:
        if state.actor is serai.CHANCE:
            action = state.sample(rng)
        else:
            actions -= 1
            bets = [action for action in state.actions() if action.kind in ("winner", "loser")]
            action = rng.choice(bets if bets and rng.random() < 0.3 else state.actions())
        state, events = state.step(action)
        for event in events:
            memory.watch(event.seen_by(0))
    return state, memory


def some_view(seed: int = 5, players: int = 4, actions: int = 18) -> CamelUpState:
    state, _ = some_state(seed, players, actions)
    return state.seen_by(state.turn)


def test_the_same_seed_gives_the_same_playouts_in_any_portion_and_on_any_number_of_threads() -> None:
    view = some_view()
    whole = GAME.rollouts(view, n=30, seed=3)
    again = GAME.rollouts(view, n=30, seed=3, threads=3)
    part = GAME.rollouts(view, n=10, seed=3, first=20)
    assert whole.actions == view.actions()
    assert np.array_equal(whole.wins, again.wins)
    assert np.array_equal(whole.scores, again.scores)
    assert np.array_equal(whole.wins[:, 20:], part.wins)
    assert not np.array_equal(whole.wins, GAME.rollouts(view, n=30, seed=4).wins)


def test_an_action_meets_the_same_chance_whichever_others_are_tried_beside_it() -> None:
    view = some_view()
    every = GAME.rollouts(view, n=20, seed=3)
    alone = GAME.rollouts(view, view.actions()[3:4], n=20, seed=3)
    assert np.array_equal(every.wins[3:4], alone.wins)


@pytest.mark.parametrize("whole", [False, True])
def test_shares_of_victory_add_up_to_one(whole: bool) -> None:
    found = GAME.rollouts(some_view(), n=20, whole=whole)
    assert np.allclose(found.wins.sum(axis=2), 1, atol=1e-5)


def test_the_dice_of_a_playout_are_the_same_after_every_action() -> None:
    fallen = [_dice(_played_on(some_view(), action, 9)[2]) for action in ("leg blue", "loser white", "roll")]
    assert fallen[0] == fallen[1]
    assert fallen[2] == fallen[0]
    assert _dice(_played_on(some_view(), "roll", 10)[2]) != fallen[0]


def test_a_playout_replayed_by_the_readable_rules_ends_alike() -> None:
    compared = 0
    for players in (2, 4, 8):
        for number in range(amount(4, 200)):
            view = some_view(number, players, 6 + number % 20)
            state, end, log = _played_on(view, "roll", number)
            assert state.seen_by(view.turn) == view
            for action in (NUMBERS[GAME.parse("roll")], *log):
                state = state.apply(ALL_ACTIONS[action])
                compared += 1
            assert end == state
            assert state.over or state.leg == view.leg + 1
    assert compared > 100


def test_hidden_cards_are_dealt_as_likely_as_their_moments_say() -> None:
    state, memory = some_state(actions=30)
    view = state.seen_by(state.turn)
    row = to_row(view)
    known = beliefs_of(view, row, memory)
    seat, place = next((owner, place) for place, (owner, camel) in enumerate(view.winner_deck) if camel is None)
    alone = sum(owner == seat for owner, _ in view.winner_deck + view.loser_deck) == 1
    deals = 2000
    words = np.arange(1, 2, dtype=np.uint64)
    found: Counter[int | None] = Counter()
    for _ in range(deals):
        imagine(row, known, words, 0)
        dealt = to_state(row)
        assert dealt.seen_by(view.turn) == view
        found[dealt.winner_deck[place][1]] += 1
    hopes = hopes_of(view, memory)[0, place]
    assert TRUST * 0.9 < hopes.sum() < TRUST * 1.1  # the chances of the moment add up to one
    if alone:
        likely = np.exp(hopes) / np.exp(hopes).sum()
        assert np.allclose([found[camel] / deals for camel in CAMELS], likely, atol=0.06)
    assert len(found) > 1


def test_who_judges_from_outside_trusts_more_that_the_likeliest_was_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    state, memory = some_state(actions=30)
    view = state.seen_by(state.turn)

    def wins(policy: str) -> npt.NDArray[np.float32]:
        found: npt.NDArray[np.float32] = GAME.rollouts(view, (None,), 64, policy=policy, memory=memory).wins
        return found

    judged, played = wins(EVEN), wins("mixed")
    monkeypatch.setattr(rollouts, "COACH_TRUST", 0.0)
    assert not np.array_equal(wins(EVEN), judged)
    assert np.array_equal(wins("mixed"), played)


def test_whoever_is_to_act_goes_on_by_habit_as_everybody_does() -> None:
    state, memory = some_state(actions=30)
    alike = GAME.rollouts(state.seen_by(state.turn), (None, HABIT), 64, policy=EVEN, memory=memory)
    np.testing.assert_array_equal(alike.wins[0], alike.wins[1])


def test_a_memory_sees_the_race_as_it_stood_when_the_card_was_laid() -> None:
    rng = random.Random(1)
    memory = GAME.memory(0)
    assert isinstance(memory, RaceMemory)
    state: Any = GAME.new(players=3)
    moments = []
    while not state.over:
        action = state.sample(rng) if state.actor is serai.CHANCE else any_kind(state.actions(), rng)
        if action.kind == "winner":
            moments.append(Moment(state.track, frozenset(camel for camel in CAMELS if state.tents[camel])))
        state, events = state.step(action)
        for event in events:
            memory.watch(event.seen_by(None))
    assert moments
    for place, moment in enumerate(moments):
        assert memory.moment("winner", place) == moment
    assert memory.moment("winner", len(moments)) is None


def test_nobody_plays_on_by_an_unknown_name() -> None:
    with pytest.raises(BadOptions, match="no rollout policy is called 'nobody'; policies: mixed, quick"):
        GAME.rollouts(some_view(), policy="nobody")


# -- details -----------------------------------------------------------------------------------------------------------


def _played_on(view: CamelUpState, action: str, number: int) -> tuple[CamelUpState, CamelUpState, list[int]]:
    """Playout ``number`` after this action: its first state, its last one, and what was done between."""
    row = to_row(view)
    first = np.array([NUMBERS[GAME.parse(action)]])
    wins, rows = np.empty((1, 1, view.players), np.float32), np.empty((2, ROW_SIZE), np.int16)
    log = np.full(100, -1, np.int8)
    known = beliefs_of(view, row, None)
    play_on(
        row,
        first,
        np.uint64(7),
        number,
        False,
        known,
        company_of("mixed", view.players),
        tables_for(row, first),
        wins,
        wins.copy(),
        NO_PARTS,
        rows,
        log,
    )
    return to_state(rows[0]), to_state(rows[1]), [done for done in log.tolist() if done >= 0]


def _dice(log: list[int]) -> list[int]:
    return [action for action in log if action >= DIE_ACTION]


def test_doing_nothing_first_behind_an_action_is_that_action() -> None:
    state, memory = some_state()
    seat = state.turn
    for action in ("leg blue", "winner orange", "mirage 9"):
        after = state.apply(GAME.parse(action)).seen_by(seat)
        done = GAME.rollouts(state.seen_by(seat), [GAME.parse(action)], 20, policy="even", memory=memory)
        gone_on = GAME.rollouts(after, [None], 20, policy="even", memory=memory)
        assert np.array_equal(done.wins, gone_on.wins)
        assert np.array_equal(done.scores, gone_on.scores)


def test_a_die_that_ends_the_race_is_paid_as_the_readable_rules_pay_it() -> None:
    state = some_state(actions=30)[0]
    while not state.over:
        rolled = state.apply(GAME.parse("roll"))
        ends = [die for die in rolled.actions() if rolled.apply(die).over]
        for die in ends:
            over = rolled.apply(die)
            found = GAME.rollouts(rolled, [die], 2)
            assert found.scores[0, 1].tolist() == list(over.scores())
            assert found.wins[0, 1, over.winners()[0]] == pytest.approx(1 / len(over.winners()))
        if ends:
            return
        state = rolled.apply(rolled.actions()[-1])


def test_the_cards_of_an_empty_hand_are_dealt_as_well() -> None:
    state: Any = some_state(actions=1)[0]
    seat, laid = state.turn, 0
    while laid < len(CAMELS):
        card = GAME.parse(f"winner {('blue', 'green', 'orange', 'yellow', 'white')[laid]}")
        mine = state.turn == seat
        state = state.apply(
            card if mine else GAME.parse("leg blue") if len(state.leg_bets[0]) < 3 else state.actions()[0]
        )
        laid += mine
    view = state.seen_by(state.turn)
    assert view.hands[seat] == ()
    row = to_row(view)
    imagine(row, beliefs_of(view, row, None), np.arange(1, 2, dtype=np.uint64), 0)
    dealt = to_state(row)
    assert sorted(camel for owner, camel in dealt.winner_deck if owner == seat) == list(CAMELS)  # type: ignore[type-var]
    assert dealt.seen_by(view.turn) == view


@pytest.mark.parametrize("whole", [False, True])
def test_the_parts_of_a_playout_add_up_to_the_pounds_it_brings(whole: bool) -> None:
    seen = np.zeros(PARTS, bool)
    for number in range(amount(12, 200)):
        view = some_view(number, 2 + number % 7, 2 * number % 60)
        counted = GAME.rollouts(view, n=12, seed=number, policy=EVEN, whole=whole, parts=True)
        plain = GAME.rollouts(view, n=12, seed=number, policy=EVEN, whole=whole)
        assert plain.parts is None
        assert np.array_equal(counted.wins, plain.wins)
        assert counted.parts is not None
        gained = counted.scores - np.array(view.scores(), np.float32)
        np.testing.assert_allclose(counted.parts[..., :MONEY_PARTS].sum(axis=3), gained, atol=1e-4)
        ended = counted.parts[..., ENDED_PART]
        begins = counted.parts[..., FIRST_PART].sum(axis=2)
        assert np.array_equal(begins, 1 - ended[..., 0])
        seen |= counted.parts.any(axis=(0, 1, 2))
    places = set(range(PARTS)) - ({TURN_PART, HAND_PART, FIRST_PART} if whole else {ENDED_PART})
    assert seen[list(places)].all()


def test_each_pound_is_counted_where_the_rules_pay_it() -> None:
    state: Any = GAME.position("1g 2b 3oyw")
    for action in ("leg white", "oasis 4", "roll"):
        state = state.apply(GAME.parse(action))
    found = GAME.rollouts(state, [GAME.parse("die white 1")], 2, parts=True)
    assert found.parts is not None
    assert found.parts[0, :, 1, DESERT_PART].min() >= 1, "White stops on the oasis of seat 1 at once"
    pays = found.parts[0, :, 0, LEG_PART + 3 * CAMEL_NAMES.index("white")]
    assert set(pays.tolist()) <= {5.0, 1.0, -1.0}
