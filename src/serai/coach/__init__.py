"""Judging play: what each decision lost, what was luck, what remains of a result without it, and what to do now."""

from serai.coach.hints import hints
from serai.coach.luck import luck
from serai.coach.review import Review
from serai.coach.reviewing import review

__all__ = ["Review", "hints", "luck", "review"]
