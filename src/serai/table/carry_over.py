"""Entries of format 5 brought to format 6: each gets its link, and a table's first one tells its rules as one value."""

from __future__ import annotations

from typing import Any

import msgspec

from serai.table.chain import Stored, link_of, root, secret_in
from serai.table.rules import TableRules


class CarryOver:
    """Takes the entries of all tables, one table after the other and each in order; keeps no more than the last link.

    What is missing or cannot be read stays so: once the links are there, the table is known as damaged.
    """

    def __init__(self) -> None:
        self._table = ""
        self._secret: bytes | None = None
        self._before = b""

    def carried_over(self, table: str, n: int, entry: bytes) -> Stored:
        """The entry as it is kept from now on."""
        if table != self._table:
            self._table, self._before = table, root(table)
            self._secret = secret_in(entry) if n == 0 else None
        if self._secret is None:
            return Stored(n, entry, b"")
        if n == 0:
            entry = _with_rules(entry)
        self._before = link_of(self._secret, self._before, n, entry)
        return Stored(n, entry, self._before)


def _with_rules(entry: bytes) -> bytes:
    """The entry with which a table begins, its rules in one place; no table had a clock, and none gets one now."""
    created: dict[str, Any] = msgspec.json.decode(entry)
    odds, public = created.pop("odds", True), created.pop("public", False)
    return msgspec.json.encode(created | {"table_rules": TableRules(odds=odds, clock=0, public=public)})
