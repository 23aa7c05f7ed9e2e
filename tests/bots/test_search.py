"""The search by rollouts: it finds the better action, the same one every time, in its budget and in its time."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import serai
from serai.bots.search import SearchBot, choose
from serai.core.parts import Compiled
from serai.core.rollouts import Playouts
from serai.errors import MissingExtra, SeraiError
from serai.lab.rollouts import ArrayPlayouts
from tests.bots.test_information_set import last_roll
from tests.pig.serai_pig.bot import Cautious
from tests.pig.serai_pig.game import Hold, Pig, PigState, Roll


class PigWithRollouts(Pig):
    """Pig, played on by ``cautious``; every call is noted."""

    def __init__(self) -> None:
        self.calls: list[tuple[tuple[str, ...], range, int]] = []

    def rollouts(
        self, view, actions=None, n=256, *, policy="", seed=0, first=0, memory=None, threads=1, **_
    ) -> Playouts:
        actions = tuple(actions or view.actions())
        self.calls.append((tuple(map(str, actions)), range(first, first + n), seed))
        ends = [[self._end(view.apply(action), f"{seed} {k}") for k in range(first, first + n)] for action in actions]
        scores = np.array([[end.scores() for end in line] for line in ends], np.float32)
        won = scores == scores.max(axis=2, keepdims=True)
        return ArrayPlayouts(actions, (won / won.sum(axis=2, keepdims=True)).astype(np.float32), scores)

    def _end(self, state: Any, seed: str) -> Any:
        rng, bot = random.Random(seed), Cautious()
        while not state.over:
            chance = not isinstance(state.actor, int)
            state = state.apply(state.sample(rng) if chance else bot.decide(state, rng))
        return state


class ManyArms(Pig):
    """A choice among many with known chances of victory, each playout drawn from seed and number alone."""

    def __init__(self, chances: list[float]) -> None:
        self.chances = chances
        self.played: Counter[Any] = Counter()
        self.numbers: dict[Any, list[int]] = {}

    def rollouts(
        self, view, actions=None, n=256, *, policy="", seed=0, first=0, memory=None, threads=1, **_
    ) -> Playouts:
        assert actions is not None
        wins = np.zeros((len(actions), n, 2), np.float32)
        for k in range(n):
            luck = random.Random(f"{seed} {first + k}").random()
            for place, action in enumerate(actions):
                wins[place, k, 0] = luck < self.chances[action]
        for action in actions:
            self.played[action] += n
            self.numbers.setdefault(action, []).extend(range(first, first + n))
        return ArrayPlayouts(tuple(actions), wins, wins)


def position(banked: tuple[int, ...], gathered: int, target: int = 30) -> PigState:
    view = Pig().new(players=len(banked), target=target)
    return type(view)(actor=0, options=view.options, turn=0, gathered=gathered, banked=banked)


class Ticking:
    """A clock that moves on by so much whenever a playout is played."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class SlowArms(ManyArms):
    def __init__(self, chances: list[float], clock: Ticking, seconds: float) -> None:
        super().__init__(chances)
        self._clock, self._seconds = clock, seconds

    def rollouts(self, view, actions=None, n=256, **given) -> Playouts:
        self._clock.now += self._seconds * n * len(actions or ())
        return super().rollouts(view, actions, n, **given)


VIEW = position((0, 0), 4)
ARMS = [0.3, 0.35, 0.7, 0.4, 0.5, 0.2, 0.45]


@pytest.mark.parametrize(
    ("view", "best"),
    [
        (position((10, 20), 20), Hold()),  # wins at once
        (position((0, 29), 2), Roll()),  # whoever holds here gives the other a throw that wins five times in six
        (position((0, 0), 21), Hold()),
    ],
)
def test_the_better_action_is_found(view: PigState, best: Any) -> None:
    found = choose(PigWithRollouts(), view, rng=random.Random(1), rollouts=600)
    assert found.action == best
    assert {candidate.action for candidate in found.candidates} == {Roll(), Hold()}
    assert not found.cut


def test_the_same_randomness_gives_the_same_answer_and_another_seed_other_playouts() -> None:
    games = [PigWithRollouts() for _ in range(3)]
    one, same, other = (
        choose(game, VIEW, rng=random.Random(seed), rollouts=64) for game, seed in zip(games, (1, 1, 2), strict=True)
    )
    assert one == same
    assert games[0].calls == games[1].calls
    assert games[0].calls[0][2] != games[2].calls[0][2]
    assert other.rollouts == one.rollouts == 64


def test_the_best_of_many_stays_in_the_running_and_its_chance_is_told() -> None:
    game = ManyArms(ARMS)
    found = choose(game, VIEW, range(len(ARMS)), rng=random.Random(3), rollouts=4000)
    best = found.candidates[0]
    assert (found.action, best.action) == (2, 2)
    assert abs(best.mean - 0.7) < 4 * best.error
    assert best.count == game.played[2] > 3 * found.candidates[-1].count
    assert found.rollouts == sum(game.played.values()) <= 4000
    assert {candidate.action: candidate.count for candidate in found.candidates} == game.played


def test_what_is_told_of_a_candidate_is_what_its_playouts_say() -> None:
    found = choose(ManyArms(ARMS), VIEW, [4, 2], rng=random.Random(3), rollouts=200)
    seed = random.Random(3).getrandbits(63)
    playouts = ManyArms(ARMS).rollouts(VIEW, (2, 4), 100, seed=seed)
    assert [candidate.mean for candidate in found.candidates] == pytest.approx(playouts.means(0))
    assert [candidate.error for candidate in found.candidates] == pytest.approx(playouts.errors(0))


def test_all_candidates_meet_the_same_playouts_once_each() -> None:
    game = ManyArms(ARMS)
    choose(game, VIEW, range(len(ARMS)), rng=random.Random(3), rollouts=900)
    for numbers in game.numbers.values():
        assert numbers == list(range(len(numbers)))


def test_a_forced_move_costs_nothing() -> None:
    rng = random.Random(5)
    before = rng.getstate()
    game = PigWithRollouts()
    found = choose(game, position((0, 0), 0), rng=rng)
    assert (found.action, found.rollouts, game.calls) == (Roll(), 0, [])
    assert rng.getstate() == before


def test_the_preferred_action_stays_in_unless_another_is_clearly_better() -> None:
    def answer(chances: list[float], preferred: int, margin: float = 0.0, lead: float = 0.0) -> Any:
        game = ManyArms(chances)
        found = choose(
            game,
            VIEW,
            range(len(chances)),
            rng=random.Random(3),
            rollouts=2000,
            preferred=preferred,
            margin=margin,
            lead=lead,
        )
        assert game.played[preferred] == max(game.played.values())
        return found.action

    close = [0.5, 0.505, 0.1, 0.1, 0.1, 0.1]
    assert answer(close, preferred=0, margin=0.0) == 1
    assert answer(close, preferred=0, margin=4.0) == 0
    assert answer(close, preferred=0, lead=0.1) == 0
    assert answer(ARMS, preferred=5, margin=4.0, lead=0.1) == 2


def test_what_brings_the_game_forward_stays_in_and_is_played_unless_another_is_better_beyond_doubt() -> None:
    def answer(chances: list[float], forward: set[int], doubt: float = 2.0, preferred: int | None = None) -> Any:
        game = ManyArms(chances)
        arms = range(len(chances))
        found = choose(
            game,
            VIEW,
            arms,
            rng=random.Random(3),
            rollouts=2000,
            preferred=preferred,
            margin=1.0,
            forward=forward,
            doubt=doubt,
        )
        assert max(game.played[arm] for arm in forward) == max(game.played.values())
        return found.action

    close = [0.5, 0.495, 0.48, 0.1, 0.1, 0.1]
    assert answer(close, {1}) == answer(close, {1, 2}) == 1
    assert answer(close, {2}, doubt=0.0) == 0
    assert answer(ARMS, {0, 5}) == 2
    assert answer(close, {1}, preferred=0) == 0  # what comes to mind may be something else
    assert answer(close, {1}, preferred=4) == 1  # but what is found instead brings the game forward


def test_a_preferred_action_that_is_no_candidate_becomes_one() -> None:
    game = ManyArms(ARMS)
    found = choose(game, VIEW, [0, 1], rng=random.Random(3), preferred=2)
    assert found.action == 2


@pytest.mark.parametrize("seconds", [0.002, 0.05, 0.3])
def test_the_clock_ends_a_search_in_time_with_the_best_so_far(seconds: float) -> None:
    clock = Ticking()
    game = SlowArms(ARMS, clock, 0.0005)
    found = choose(
        game,
        VIEW,
        range(len(ARMS)),
        rng=random.Random(3),
        rollouts=1000,
        seconds=seconds,
        clock=clock,
    )
    assert found.cut
    assert found.rollouts == sum(game.played.values()) < 1000
    probe = 0.0005 * len(ARMS) * 6
    assert clock.now <= max(seconds, probe)
    if seconds > 0.1:
        assert found.action == 2
        assert clock.now > 0.7 * seconds
        assert len(set(game.played.values())) == 3  # three rounds, though each was shorter


def test_a_machine_that_gets_busy_is_noticed_in_time() -> None:
    clock = Ticking()

    class Slowing(SlowArms):
        def rollouts(self, view, actions=None, n=256, **given) -> Playouts:
            if clock.now > 0.05:
                self._seconds = 0.001
            return super().rollouts(view, actions, n, **given)

    game = Slowing(ARMS, clock, 0.0001)
    found = choose(game, VIEW, range(len(ARMS)), rng=random.Random(3), rollouts=9000, seconds=0.3, clock=clock)
    assert found.cut
    assert clock.now < 1.1 * 0.3


def test_a_clock_that_does_not_strike_changes_nothing() -> None:
    clock = Ticking()
    timed = choose(
        SlowArms(ARMS, clock, 0.0005),
        VIEW,
        range(len(ARMS)),
        rng=random.Random(3),
        rollouts=1000,
        seconds=1.0,
        clock=clock,
    )
    free = choose(ManyArms(ARMS), VIEW, range(len(ARMS)), rng=random.Random(3), rollouts=1000)
    assert timed == free


class NotInstalled(Compiled[PigState]):
    packages = ("nowhere_installed",)


def test_rules_alone_are_enough_to_search() -> None:
    found = choose(Pig(), position((0, 0), 29), rng=random.Random(1), rollouts=64)
    assert (str(found.action), found.rollouts) == ("hold", 64)


def test_who_cannot_play_on_is_told_what_to_do() -> None:
    class Lacking(Pig):
        compiled = NotInstalled()

    with pytest.raises(MissingExtra, match="pig's rollouts need nowhere_installed"):
        choose(Lacking(), VIEW, rng=random.Random(1))
    with pytest.raises(SeraiError, match="nothing to choose from"):
        choose(PigWithRollouts(), VIEW, [], rng=random.Random(1))


class Remembering(PigWithRollouts):
    """Its memory is the list of what was seen, and rollouts are asked with it."""

    given: Any = None

    def memory(self, seat: int) -> Any:
        class Memory:
            def __init__(self) -> None:
                self.seat, self.seen = seat, list[Any]()

            def watch(self, event: Any) -> None:
                self.seen.append(event)

        return Memory()

    def rollouts(self, *given, memory=None, **named) -> Playouts:
        self.given = memory
        return super().rollouts(*given, **named)


class PigSearcher(SearchBot):
    game = Remembering()
    rollouts = 64


def test_a_bot_remembers_what_it_saw_before_it_knew_its_seat() -> None:
    bot = PigSearcher()
    bot.watch("first")
    bot.decide(VIEW, random.Random(1))
    bot.watch("second")
    bot.decide(VIEW, random.Random(1))
    remembered = PigSearcher.game.given
    assert (remembered.seat, remembered.seen) == (0, ["first", "second"])
    assert bot.found is not None
    assert bot.cuts == 0


def test_warming_up_happens_once_for_a_kind_of_bot_and_changes_nothing() -> None:
    class Warm(SearchBot):
        game = PigWithRollouts()
        rollouts = 64

    cold = Warm().decide(VIEW, random.Random(7))
    before = len(Warm.game.calls)
    for _ in range(3):
        Warm().warm_up()
    asked = len(Warm.game.calls) - before
    assert Warm().decide(VIEW, random.Random(7)) == cold
    assert asked == 1


@pytest.mark.parametrize(("money", "rolling"), [((10, 10), 1.0), ((7, 10), 0.0)])
def test_camel_ups_own_rollouts_know_what_ends_the_race(money: tuple[int, int], rolling: float) -> None:
    """Whoever rolls gets a pound, and the race is over; the orange camel's leg tile would bring five."""
    view = last_roll([], money=money).seen_by(0)
    one, same = (choose(serai.game("camelup"), view, rng=random.Random(1), rollouts=1500) for _ in range(2))
    assert one == same
    roll = next(candidate for candidate in one.candidates if str(candidate.action) == "roll")
    assert roll.mean == rolling
    assert one.candidates[0].mean > 0.5
    assert {candidate.action for candidate in one.candidates} == set(view.actions())
