"""The plain search over information sets, against values that can be computed exactly."""

from __future__ import annotations

import itertools
import random
from functools import cache
from typing import Any

import msgspec
import pytest

import serai
from serai.bots.information_set import InformationSetBot, choose
from serai.camelup.text.position import parse_position
from serai.errors import SeraiError
from tests.pig.serai_pig.bot import Cautious
from tests.pig.serai_pig.game import FACES, Hold, Pig, PigState, Roll

TARGET = 16
CAMELUP = serai.game("camelup")


def position(banked: tuple[int, ...], gathered: int, target: int = TARGET) -> PigState:
    view = Pig().new(players=len(banked), target=target)
    return type(view)(actor=0, options=view.options, turn=0, gathered=gathered, banked=banked)


@cache
def chances() -> dict[tuple[int, int, int], float]:
    """Pig for two, solved: the chance of whoever is to act, by own points, the other's, and what is gathered."""
    known = {(mine, theirs, gathered): 0.5 for mine, theirs in PAIRS for gathered in range(TARGET - mine)}
    for _ in range(60):
        for state in known:
            known[state] = max(after_roll(known, *state), after_hold(known, *state) if state[2] else 0.0)
    return known


PAIRS = list(itertools.product(range(TARGET), repeat=2))


def after_roll(known: dict[tuple[int, int, int], float], mine: int, theirs: int, gathered: int) -> float:
    good = [known.get((mine, theirs, gathered + pips), 1.0) for pips in FACES if pips > 1]
    return (1 - known[theirs, mine, 0] + sum(good)) / len(FACES)


def after_hold(known: dict[tuple[int, int, int], float], mine: int, theirs: int, gathered: int) -> float:
    return 1 - known[theirs, mine + gathered, 0]


@pytest.mark.parametrize("state", [(1, 0, 12), (0, 3, 14), (2, 0, 11), (1, 1, 8)])
def test_pig_is_played_as_if_solved(state: tuple[int, int, int]) -> None:
    mine, theirs, gathered = state
    roll, hold = after_roll(chances(), *state), after_hold(chances(), *state)
    found = choose(Pig(), position((mine, theirs), gathered), rng=random.Random(2), iterations=1500)
    assert abs(roll - hold) > 0.05, "too close to tell"
    assert found.action == (Roll() if roll > hold else Hold())
    assert found.candidates[0].mean == pytest.approx(max(roll, hold), abs=0.05)
    assert sum(candidate.count for candidate in found.candidates) == found.rollouts == 1500


def test_the_same_randomness_gives_the_same_answer() -> None:
    one, same, other = (
        choose(Pig(), position((0, 0), 4), rng=random.Random(seed), iterations=60) for seed in (1, 1, 2)
    )
    assert one == same
    assert one.candidates != other.candidates


def last_roll(winner_deck: Any, loser_deck: Any = (), money: tuple[int, ...] = (9, 6)) -> Any:
    """Two players, one die left, and every face of it ends the race; seat 1's cards are to be laid out."""
    start = parse_position("9b 11g 13w 14y 16o")
    hands = tuple(
        tuple(camel for camel in range(5) if (seat, camel) not in (*winner_deck, *loser_deck)) for seat in range(2)
    )
    base = CAMELUP.new(players=2)
    return msgspec.structs.replace(
        base,
        actor=0,
        leg=6,
        track=start.track,
        tents=(1, 1, 0, 1, 1),
        money=money,
        hands=hands,
        winner_deck=tuple(winner_deck),
        loser_deck=tuple(loser_deck),
    )


def test_hidden_cards_in_an_end_position_are_averaged_over() -> None:
    """The chance of a roll that ends Camel Up, over every way in which two hidden cards may be."""
    state = last_roll([(1, 2), (0, 3)], [(1, 0)])
    won = []
    for winner, loser in itertools.permutations(range(5), 2):
        full = last_roll([(1, winner), (0, 3)], [(1, loser)])
        assert full.seen_by(0) == state.seen_by(0)
        rolled = full.apply(CAMELUP.parse("roll"))
        for action in rolled.actions():
            end = rolled.apply(action)
            assert end.over
            won.append((0 in end.winners()) / len(end.winners()))
    exact = sum(won) / len(won)
    assert 0.1 < exact < 0.9
    found = choose(CAMELUP, state.seen_by(0), rng=random.Random(1), iterations=4000, plies=0, exploration=50)
    roll = next(candidate for candidate in found.candidates if str(candidate.action) == "roll")
    assert roll.mean == pytest.approx(exact, abs=4 * roll.error)
    assert roll.error < 0.05


def test_a_sure_victory_is_taken() -> None:
    state = last_roll([], money=(10, 10))
    found = choose(CAMELUP, state.seen_by(0), rng=random.Random(1), iterations=1500, plies=30)
    assert str(found.action) == "roll"
    assert found.candidates[0].mean == 1


def test_a_given_bot_plays_on_and_long_games_are_cut() -> None:
    asked = []

    def playout(view: Any, rng: random.Random) -> Any:
        asked.append(view)
        return Cautious().decide(view, rng)

    choose(Pig(), position((0, 0), 4, 100), rng=random.Random(1), iterations=20, playout=playout, plies=8)
    assert 0 < len(asked) <= 20 * 8
    cut = choose(Pig(), position((30, 10), 4, 100), rng=random.Random(1), iterations=20, plies=0)
    assert all(0.7 < candidate.mean < 0.8 for candidate in cut.candidates)  # 30 or 34 of 40 or 44 points


def test_the_clock_ends_a_search() -> None:
    ticks = itertools.count()
    found = choose(
        Pig(), position((0, 0), 4), rng=random.Random(1), iterations=50, seconds=5, clock=lambda: float(next(ticks))
    )
    assert found.cut
    assert found.rollouts == 5


def test_a_forced_move_costs_nothing_and_an_onlooker_is_told() -> None:
    assert choose(Pig(), position((0, 0), 0), rng=random.Random(1)).rollouts == 0
    with pytest.raises(SeraiError, match="no seat is to act"):
        choose(Pig(), position((0, 0), 4).apply(Roll()), rng=random.Random(1))


def test_a_bot_is_a_game_and_a_budget() -> None:
    class Thinker(InformationSetBot):
        game = Pig()
        iterations = 300

    bot = Thinker()
    assert bot.decide(position((4, 0), 13), random.Random(1)) == Hold()
    assert bot.found is not None
    assert bot.found.rollouts == 300
