"""Tables at which bots play among themselves, counted by the address that made them."""

from __future__ import annotations

from collections import Counter


class BotsOnly:
    """Which tables these are."""

    def __init__(self) -> None:
        self._address: dict[str, str] = {}
        self._tables: Counter[str] = Counter()

    def note(self, table: str, address: str) -> None:
        """Count this table as one of that address; with an empty address, or one that is not known, do not."""
        before = self._address.pop(table, "")
        if before:
            self._tables[before] -= 1
            if not self._tables[before]:
                del self._tables[before]
        if address:
            self._address[table] = address
            self._tables[address] += 1

    def of(self, address: str) -> int:
        """How many this address has."""
        return self._tables[address]
