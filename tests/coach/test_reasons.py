"""Reasons are made of the playouts: they add up, and none speaks against the verdict."""

from __future__ import annotations

from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from bench.reasons import Reasons, contradictions, looked_at, names_a_cause, tables

import serai
from serai.arena.simulate import Simulation
from serai.camelup import GAME as CAMELUP
from serai.camelup.coach import CamelUpCoach
from serai.coach.contrasts import BIGGEST, EVEN, MANY, NOTHING_AT_STAKE, SURE, contrasts, explanations
from serai.coach.decisions import Alternative, Decision
from serai.core.parts import Coach, Contrast, PartGroup, Reason
from serai.core.record import replay
from serai.core.rollouts import Playouts
from tests.support import amount

GAMES = ("camelup", "pharaoh")
TABLES = {
    "camelup": (("jerboa", "donkey", "fennec"), ("fennec", "jerboa"), ("donkey",) * 5),
    "pharaoh": (("scarab", "gecko", "jackal"), ("gecko", "scarab")),
}
SPARSE = {"camelup": 5, "pharaoh": 10}
"""Of so many decisions one is looked at."""


def coach_of(name: str) -> Coach:
    coach = serai.game(name).coach
    assert coach is not None
    return coach


@cache
def compared(name: str) -> list[tuple[Any, int, Playouts]]:
    """Views of decisions in bots' games, the seats to act, and counted playouts of some actions each."""
    game, coach = serai.game(name), coach_of(name)
    found = []
    for number, bots in enumerate(TABLES[name]):
        plies = [
            ply
            for ply in replay(Simulation(game, bots, seed="reasons").record(number))
            if not ply.drawn and len(ply.before.actions()) > 3
        ]
        for ply in plies[:: amount(SPARSE[name], 1)]:
            seat = ply.before.actor
            view = ply.before.seen_by(seat)
            actions = [ply.action, *(action for action in coach.alternatives(view) if action != ply.action)]
            step = max(1, len(actions) // 4)
            counted = game.rollouts(view, actions[::step], 192, policy=coach.policy, seed=number, parts=True)
            found.append((view, seat, counted))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_the_parts_add_up_to_the_difference_in_score(name: str) -> None:
    coach = coach_of(name)
    scored = {group.name for group in coach.parts if group.score}
    for _, seat, playouts in compared(name):
        for place in range(1, len(playouts.actions)):
            found = contrasts(coach, playouts, seat, place, 0)
            for other in range(playouts.scores.shape[2]):
                parts = sum(one.amount for one in found if one.seats == (other,) and one.part in scored)
                differs = playouts.mean_scores(other)[place] - playouts.mean_scores(other)[0]
                assert parts == pytest.approx(differs, abs=1e-3)


@pytest.mark.parametrize("name", GAMES)
def test_what_the_parts_are_worth_adds_up_to_about_the_difference_in_victory(name: str) -> None:
    coach = coach_of(name)
    shares = []
    for _, seat, playouts in compared(name):
        for place in range(1, len(playouts.actions)):
            gap, error = playouts.lead(seat, place, 0)
            if abs(gap) > max(0.03, 4 * error):
                shares.append(sum(one.worth for one in contrasts(coach, playouts, seat, place, 0)) / gap)
    assert len(shares) > 20
    assert np.mean([0.5 < share < 1.5 for share in shares]) > 0.85
    assert np.median(shares) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("name", GAMES)
def test_no_reason_speaks_against_the_verdict(name: str) -> None:
    coach, told, unclear = coach_of(name), 0, 0
    for view, seat, playouts in compared(name):
        lead = partial(playouts.lead, seat)
        means = playouts.means(seat)
        ranked = sorted(range(len(means)), key=lambda place: -means[place])
        best = ranked[0]
        names = {str(action): place for place, action in enumerate(playouts.actions)}
        for place, (reasons, against) in explanations(coach, view, playouts, seat, ranked, lead).items():
            rival = names[against]
            gap, error = lead(place, rival)
            assert best in (place, rival)
            sure = abs(gap) >= max(SURE * error, NOTHING_AT_STAKE)
            assert reasons
            assert (reasons[0].key == EVEN) == (not sure), (gap, error)
            if not sure:
                continue
            told += 1
            if reasons[0].key in (BIGGEST, MANY):
                unclear += 1
                continue
            assert reasons[0].weight * gap > 0
            assert sum(reason.weight for reason in reasons) * gap > 0
            assert len([reason for reason in reasons if reason.weight]) <= 3
    assert told > 50
    assert unclear < told / 20


@pytest.mark.parametrize("name", GAMES)
def test_reasons_of_reviews_add_up_agree_with_the_verdict_and_name_causes(name: str) -> None:
    game, found = serai.game(name), Reasons()
    for bots, number in tables(game, amount(2 if name == "camelup" else 1, 30)):
        found.add(looked_at(game, bots, number, effort="low", seed="reasons"))
    assert found.decisions > 50
    assert found.compared > 50
    assert found.apart < 1e-3
    assert found.against == []
    assert found.bad > 5
    assert found.caused >= 0.9 * found.bad


def test_a_named_card_or_tile_never_gets_more_than_the_rules_pay() -> None:
    """A race card is worth -1 to 8, a leg tile -1 to 5: what several bring has no single name."""
    coach, named = coach_of("camelup"), 0
    for view, seat, playouts in compared("camelup"):
        for place in range(1, len(playouts.actions)):
            for one in contrasts(coach, playouts, seat, place, 0):
                reason = coach.told(view, one, playouts, place, 0)
                if reason is None or "camel" not in reason.values:
                    continue
                named += 1
                most = reason.values["tile"] + 1 if "tile" in reason.values else 9
                assert abs(reason.values["pounds"]) <= most, reason
    assert named > 50


class _TwoParts(Coach[Any, Any]):
    """A game of two parts, ``front`` and ``side``; the latter says too little by itself."""

    parts = (PartGroup("front", (0,)), PartGroup("side", (1,)))

    def worths(self, playouts: Playouts, seat: int, place: int, rival: int) -> Any:
        return np.array([self.worth])

    def told(self, view: Any, contrast: Contrast, playouts: Playouts, place: int, rival: int) -> Reason:
        return Reason(contrast.part, {})

    def aside(self, reason: Reason) -> bool:
        return reason.key == "side"

    def __init__(self, *worth: float) -> None:
        self.worth = worth


@pytest.mark.parametrize(
    ("worth", "told"),
    [
        ((0.05, 0.05), ["front", "side"]),
        ((0.03, 0.07), ["front", "side"]),
        ((0.01, 0.09), [BIGGEST, "side", "front"]),
        ((0.0, 0.1), [MANY]),
    ],
)
def test_what_says_too_little_is_told_neither_first_nor_alone(worth: tuple[float, float], told: list[str]) -> None:
    counted = np.array([[[worth]], [[(0.0, 0.0)]]])
    playouts: Any = SimpleNamespace(parts=counted, actions=("a", "b"))
    found = explanations(_TwoParts(*worth), Any, playouts, 0, [0, 1], lambda *_: (0.1, 0.001))  # type: ignore[arg-type]
    assert [reason.key for reason in found[0][0]] == told


def test_a_reason_that_contradicts_its_verdict_is_noticed() -> None:
    def option(action: str, weight: float, against: str, key: str = "k") -> Alternative:
        return Alternative(action, 0.5, 0.0, 0.01, 16, (Reason(key, {}, weight=weight),), against)

    def decision(*options: Alternative) -> Decision:
        return Decision(0, "k", options, 1, 0.1, 0.01, 0.0, 0.0, "bad", counts=True)

    assert list(contradictions(decision(option("a", 0.1, "b"), option("b", -0.1, "a")))) == []
    assert len(list(contradictions(decision(option("a", -0.1, "b"), option("b", 0.1, "a"))))) == 2
    assert len(list(contradictions(decision(option("a", 0.1, "c"), option("b", -0.1, "a"))))) == 1
    assert len(list(contradictions(decision(option("a", 0.0, "b", EVEN), option("b", 0.0, "a", EVEN))))) == 1
    assert names_a_cause(decision(option("a", 0.1, "b"), option("b", -0.1, "a")))
    assert not names_a_cause(decision(option("a", 0.1, "b", MANY), option("b", -0.1, "a")))


def test_what_a_roll_gives_away_is_named() -> None:
    """Yellow leads, and nobody has bet on it: whoever comes first takes the best tile."""
    state: Any = CAMELUP.new(players=2)
    for action in ("die white 1", "die yellow 1", "die orange 2", "die green 2", "die blue 3"):
        state = state.apply(CAMELUP.parse(action))
    for die in ("die white 1", "die yellow 1", "die blue 3"):
        state = state.apply(CAMELUP.parse("roll")).apply(CAMELUP.parse(die))
    coach = CAMELUP.coach
    assert isinstance(coach, CamelUpCoach)
    actions = [CAMELUP.parse("leg yellow"), CAMELUP.parse("roll")]
    playouts = CAMELUP.rollouts(state, actions, 512, policy=coach.policy, parts=True)
    (better, against), (worse, _) = explanations(
        coach, state, playouts, state.turn, [0, 1], partial(playouts.lead, state.turn)
    ).values()
    assert against == "roll"
    tiles = [
        {reason.values["seats"]: reason.values for reason in reasons if reason.key == f"coach.camelup.gets.{key}"}
        for reasons, key in ((better, "tile_good"), (worse, "tile"))
    ]
    own, other = (state.turn,), (1 - state.turn,)
    for values in (tiles[0][own], tiles[1][other]):
        assert (values["camel"], values["tile"]) == ("yellow", 5)
        assert values["pounds"] > 1
    assert tiles[0][own]["chance"] > 50 > tiles[0][own]["second"]
