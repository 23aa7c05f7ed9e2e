"""Whether a table is kept as it was written: its entries by the chain, its listing by the entries."""

from __future__ import annotations

from serai.server.store.base import Whole
from serai.table.chain import history
from serai.table.errors import Damaged
from serai.table.messages import Phase
from serai.table.phases import phase_after


def expect_sound(table: str, whole: Whole) -> None:
    """``Damaged`` if anything is missing or was changed; whether the game can be played is not asked."""
    phase: Phase = "lobby"
    for entry in history(table, whole.entries):
        phase = phase_after(phase, entry)
    expect_listed(table, whole, len(whole.entries) - 1, phase)


def expect_listed(table: str, whole: Whole, n: int, phase: Phase) -> None:
    """``Damaged`` if the listing does not tell of a table whose last entry is ``n`` and led to that phase."""
    if n < 0:
        raise Damaged.at(table, "its entries are missing")
    if whole.phase is None:
        raise Damaged.at(table, "it is not listed")
    if whole.last > n:
        raise Damaged.at(table, f"its last entries are missing: {n + 1} are left of {whole.last + 1}")
    if whole.last < n:
        raise Damaged.at(table, f"it has {n + 1} entries, but only {whole.last + 1} are listed")
    if whole.phase != phase:
        raise Damaged.at(table, f"it is listed in phase '{whole.phase}', but its entries end in '{phase}'")
