"""Judging play: what each decision lost, what was luck, and what remains of a result without it."""

from serai.coach.review import Review
from serai.coach.reviewing import review

__all__ = ["Review", "review"]
