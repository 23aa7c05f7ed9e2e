"""What is told of a review while it is worked out, one JSON value a line: where it stands, then what came of it."""

from __future__ import annotations

import msgspec

from serai.coach.review import Review
from serai.table.bodies import Problem


class Waiting(msgspec.Struct, frozen=True, tag="waiting"):
    """Others are reviewed first."""

    ahead: int


class Judging(msgspec.Struct, frozen=True, tag="judging"):
    """How many actions of the record have been judged; of none while compiled code is loaded."""

    done: int
    of: int


class Reviewed(msgspec.Struct, frozen=True, tag="reviewed"):
    """The review, and the end."""

    review: Review


class Unreviewed(msgspec.Struct, frozen=True, tag="unreviewed"):
    """Why there will be none."""

    problem: Problem


Line = Waiting | Judging | Reviewed | Unreviewed


def written(review: Review) -> bytes:
    """The last line of a review, its figures to as many digits as anybody reads."""
    told = msgspec.to_builtins(review)
    return msgspec.json.encode({"type": "reviewed", "review": _rounded(told)})


def _rounded(told: object) -> object:
    if isinstance(told, float):
        return round(told, 5)
    if isinstance(told, dict):
        return {key: _rounded(value) for key, value in told.items()}
    if isinstance(told, list | tuple):
        return [_rounded(value) for value in told]
    return told
