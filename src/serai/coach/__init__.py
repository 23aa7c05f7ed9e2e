"""Judging play: reviews of finished games (losses and luck), hints during a game, exercises."""

from serai.coach.decisions import hints
from serai.coach.review import Review, luck, review

__all__ = ["Review", "hints", "luck", "review"]
