"""The conformance suite passes for our games, and catches games that break a promise."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import pytest

import serai
from serai.camelup import CamelUpState, Die, Leg, Roll
from serai.camelup.game import CamelUp
from serai.camelup.rules.events import CardLaid
from serai.core import conformance
from serai.core.conformance import CHECKS, NotConformant, Sampled, sample
from tests.support import amount


@cache
def sampled(name: str) -> Sampled:
    return sample(serai.game(name), games=amount(1, 10))


@pytest.mark.parametrize("name", serai.games())
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game_conforms(name: str, check: Any) -> None:
    check(sampled(name))


class Broken(CamelUp):
    """Camel Up whose states misbehave in one way."""

    def __init__(self, kind: type[CamelUpState]) -> None:
        self.kind = kind

    def new(self, players: int = 2, **options: Any) -> Any:
        state = super().new(players, **options)
        return self.kind(**{field: getattr(state, field) for field in state.__struct_fields__})


class OpenCard(CardLaid, frozen=True, tag="card_laid"):
    def seen_by(self, seat: int | None) -> Any:
        return self


class TellsCards(CamelUpState, frozen=True):
    def step(self, action: Any) -> Any:
        state, events = super().step(action)
        fields = CardLaid.__struct_fields__
        return state, tuple(
            OpenCard(*(getattr(event, field) for field in fields)) if isinstance(event, CardLaid) else event
            for event in events
        )


class ForgetsWhoLooks(CamelUpState, frozen=True):
    def seen_by(self, seat: int | None) -> Any:
        return super().seen_by(None)


class ListsTwice(CamelUpState, frozen=True):
    def actions(self) -> Any:
        return super().actions() * 2


class AllowsTooMuch(CamelUpState, frozen=True):
    def step(self, action: Any) -> Any:
        if isinstance(action, Leg) and len(self.leg_bets[action.camel]) == 3:
            action = Roll()
        return super().step(action)


class LoadsTheDice(CamelUpState, frozen=True):
    def weights(self) -> Any:
        return tuple(weight - (place == 0) for place, weight in enumerate(super().weights()))


class SamplesOthers(CamelUpState, frozen=True):
    def chances(self) -> Any:
        return super().chances()[1:]


class NeverEqual(CamelUpState, frozen=True):
    def step(self, action: Any) -> Any:
        state, events = super().step(action)
        if isinstance(action, Die):
            state = msgspec.structs.replace(state, money=tuple(money + random.randrange(9) for money in state.money))
        return state, events


class TellsTheWinnerEarly(CamelUpState, frozen=True):
    def winners(self) -> Any:
        return self._winners()


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (TellsCards, conformance.views_tell_nothing_hidden),
        (ForgetsWhoLooks, conformance.views_hide),
        (ListsTwice, conformance.legal_actions_apply),
        (AllowsTooMuch, conformance.illegal_actions_raise),
        (LoadsTheDice, conformance.chances_sum_to_one),
        (SamplesOthers, conformance.chances_sum_to_one),
        (NeverEqual, conformance.equal_play_gives_equal_states),
        (TellsTheWinnerEarly, conformance.scores_and_winners),
    ],
)
def test_a_broken_promise_is_caught(kind: type[CamelUpState], check: Any) -> None:
    with pytest.raises((NotConformant, serai.errors.Hidden)):
        check(sample(Broken(kind), games=1))


class ClaimsToHideNothing(CamelUp):
    hides = False


def test_a_game_that_hides_something_must_say_so() -> None:
    with pytest.raises(NotConformant, match="hides nothing"):
        conformance.views_hide(sample(ClaimsToHideNothing(), games=1))
