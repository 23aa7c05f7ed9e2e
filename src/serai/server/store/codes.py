"""Codes short enough to be said aloud: each leads to one table, for a while."""

from __future__ import annotations

from typing import Protocol

import msgspec


class Called(msgspec.Struct, frozen=True):
    """What a table is called."""

    code: str
    until: float
    """By the wall clock."""


class CodeStore(Protocol):
    """Tables by code. No two tables have the same one at a time, and no table has two."""

    async def call(self, table: str, code: str, until: float, now: float) -> Called | None:
        """Let a table be called by that code, unless it is called by another one already, which it then keeps; ``None``
        if the code is another table's.
        """

    async def called(self, code: str, now: float) -> str:
        """The table of that code; an empty text if there is none, or no longer."""
