"""Reviews of the games that were played at tables: worked out once, and gone with the table."""

from __future__ import annotations

from typing import Protocol


class ReviewStore(Protocol):
    """For each table the review by the evaluator that judged it last, as bytes that mean nothing here."""

    async def kept(self, table: str, evaluator: str) -> bytes | None:
        """The review of that table by that evaluator, if it is kept."""

    async def keep(self, table: str, evaluator: str, review: bytes) -> None:
        """Keep a review in place of that by any other evaluator; nothing is kept of a table that is gone."""
