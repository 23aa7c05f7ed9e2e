"""What the coach would do, while a game is played: told from what a seat sees and has seen, and from nothing else."""

from __future__ import annotations

from typing import Any, Final

from serai.coach.decisions import ranked
from serai.coach.evaluator import Evaluator
from serai.coach.review import Alternative
from serai.core.checks import check_state
from serai.core.game import Game
from serai.core.playouts import Memory

MOST: Final = 3
"""So many are told."""


def hints(
    game: Game, view: Any, memory: Memory | None = None, *, effort: str = "usual", seed: int = 0
) -> tuple[Alternative, ...]:
    """The best actions of whoever is to act in this view, best first, each with its worth and what speaks for it.

    ``memory`` is that of a seat that has watched, as :meth:`serai.core.Game.memory` makes it.
    """
    evaluator = Evaluator(game, effort=effort, seed=seed)
    check_state(game, view)
    return ranked(evaluator, view, memory)[:MOST]
