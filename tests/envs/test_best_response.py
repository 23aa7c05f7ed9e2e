"""The learner of ``serai best-response`` finds what pays, and is examined by games that it did not practise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import serai
from serai.envs.best_response import CompiledTables, DecidingTables, best_response
from serai.envs.learner import Decisions, Learner
from tests.support import SOAK

GAME: Any = serai.game("camelup")


def lesson(learner: Learner, rng: np.random.Generator, rows: int = 256) -> Decisions:
    """Whoever sees a 1 at some place is paid for the action of that number, if it is legal."""
    right = rng.integers(0, 4, rows)
    seen = np.eye(4, dtype=np.float32)[right]
    legal = rng.random((rows, 4)) < 0.8
    legal[:, 0] = True
    actions, log_chances = learner.choose(seen, legal)
    assert legal[np.arange(rows), actions].all()
    returns = (actions == right).astype(np.float32)
    return Decisions(seen, legal, actions, log_chances, returns - learner.foretell(seen), returns)


def test_it_learns_what_pays_and_never_does_what_is_not_legal() -> None:
    learner, rng = Learner(4, 4, seed=1, hidden=(16, 16)), np.random.default_rng(1)
    for _ in range(150):
        learner.learn(lesson(learner, rng), 1.0)
    seen, every = np.eye(4, dtype=np.float32), np.ones((4, 4), bool)
    assert learner.best(seen, every).tolist() == [0, 1, 2, 3]
    assert (learner.best(seen, ~np.eye(4, dtype=bool)) != range(4)).all()
    assert (learner.foretell(seen) > 0.5).all()


def test_two_lessons_with_one_seed_are_the_same() -> None:
    first, second = (Learner(4, 4, seed=3, hidden=(16,)) for _ in range(2))
    for learner in (first, second):
        learner.learn(lesson(learner, np.random.default_rng(2)), 1.0)
    assert all((one == other).all() for one, other in zip(first.policy, second.policy, strict=True))


@pytest.mark.parametrize(("make", "bot"), [(CompiledTables, "quick"), (DecidingTables, "random")])
def test_tables_pay_what_their_games_bring(make: Any, bot: str) -> None:
    """Over whole games the rewards are the share of the victory and a fiftieth of the lead."""
    tables = make(GAME, bot, 4, 3, 5, **({"again": True} if make is CompiledTables else {}))
    rng, paid, ended = np.random.default_rng(1), np.zeros(4), 0
    while ended < 4:
        seen, legal = tables.look()
        assert seen.dtype == np.float32
        assert seen.shape == (4, len(GAME.encoding.odds_names()))
        rewards, over = tables.step(np.where(legal, rng.random(legal.shape), 0).argmax(1))
        paid += rewards
        for lane in np.flatnonzero(over):
            lead = (paid[lane] - tables.shares[lane]) / 0.02
            assert lead * 3 == pytest.approx(round(lead * 3), abs=1e-3), "a third of whole pounds, at a table of three"
            paid[lane], ended = 0, ended + 1


def test_bots_in_files_are_practised_against_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def decide(view, rng):\n    return view.actions()[-1]\n")
    found = best_response("camelup", f"trusted:{tmp_path / 'mine.py'}:decide", seconds=0.2, players=2, games=8)
    assert (found.games, found.fair) == (8, 0.5)
    assert 0 <= found.low <= found.wins <= found.high <= 1
    assert found.high - found.low > 0.2, "eight games say little, even if all are lost"


def test_a_little_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    if not SOAK:
        monkeypatch.setattr("serai.envs.best_response.LANES", 16)
        monkeypatch.setattr("serai.envs.best_response.STEPS", 8)
    told: list[float] = []
    found = best_response(
        "camelup",
        "random" if SOAK else "quick",
        seconds=60 if SOAK else 0.1,
        games=200 if SOAK else 16,
        tell=lambda spent, *_: told.append(spent),
    )
    assert told
    assert found.games == (200 if SOAK else 16)
    assert found.decisions > 0
    if SOAK:
        assert found.decisions > 10_000
        assert found.low > found.fair
