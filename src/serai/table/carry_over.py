"""Entries of format 5 brought to format 6: each gets its link."""

from __future__ import annotations

from serai.table.chain import Stored, link_of, root, secret_in


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
        self._before = link_of(self._secret, self._before, n, entry)
        return Stored(n, entry, self._before)
