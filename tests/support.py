"""What tests of every room use."""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean, variance
from typing import Any

import pytest

import serai
from serai.core.chance import any_kind
from serai.core.game import Game

SOAK = os.environ.get("SERAI_SOAK") == "1"


def amount(short: int, long: int) -> int:
    """How much to do: the short form in ``make test``, the long one in ``make soak``."""
    return long if SOAK else short


_ROOT = str(Path(__file__).parents[1])
_LIGHT = (
    f"import sys; sys.path.insert(0, {_ROOT!r}); from tests.light_servers import lighten_servers; lighten_servers(); "
)
SERAI = (sys.executable, "-c", _LIGHT + "from serai.cli import main; main()")
"""The command ``serai``, but that levels on its servers play lightly."""

STORES = ("sqlite", "postgres")
"""Whatever depends on how tables are kept is tested with each of these."""
POSTGRES_IN_SOAK = pytest.mark.parametrize("new_database", STORES if SOAK else STORES[:1], indirect=True)
"""For slow tests to which the store hardly matters: with PostgreSQL only in the long form."""


def random_play(
    game: Game, players: int, rng: random.Random, **options: Any
) -> Iterator[tuple[Any, Any, Any, tuple[Any, ...]]]:
    """A random game as (state, action, next state, events)."""
    state: Any = game.new(players=players, **options)
    while not state.over:
        action = state.sample(rng) if state.actor is serai.CHANCE else any_kind(state.actions(), rng)
        after, events = state.step(action)
        yield state, action, after, events
        state = after


def counted_steps(game: Game, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every action that a state of this game is asked to step from now on."""
    kind: Any = game.state_type
    step, stepped = kind.step, []

    def counting(state: Any, action: Any) -> Any:
        stepped.append(action)
        return step(state, action)

    monkeypatch.setattr(kind, "step", counting)
    return stepped


def assert_frequencies(drawn: Callable[[], Any], chances: dict[Any, float], draws: int = 20_000) -> None:
    """What is drawn comes as often as these chances tell, within five standard errors, and nothing else comes."""
    counts = Counter(drawn() for _ in range(draws))
    assert set(counts) <= set(chances)
    for value, chance in chances.items():
        assert counts[value] / draws == pytest.approx(chance, abs=5 * (chance / draws) ** 0.5), value


def assert_alike(ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> None:
    """Two samples of one distribution, by game and quantity: means differ by no more than five standard errors."""
    for one, other in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True):
        error = (variance(one) / len(one) + variance(other) / len(other)) ** 0.5
        assert abs(mean(one) - mean(other)) <= 5 * error


def wait_until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Look again and again until it is so."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)
