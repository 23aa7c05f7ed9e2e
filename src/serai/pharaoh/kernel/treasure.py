"""Treasures on the board and in museums, compiled (chapter 8 of the rules)."""

from __future__ import annotations

from serai.core.jit import inlined
from serai.pharaoh.kernel.layout import CARRIED, CHANGED, LYING, MASK_AT, MUSEUM, PLIES, POINTS
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import MASK, NOWHERE

FIRST_VALUE = 2
"""The treasures are worth 2 and 3: kinds 0 and 1. The mask is kind 2."""


@inlined
def kind_of(value: int) -> int:
    """The kind of a treasure of this value."""
    return 2 if value == MASK else value - FIRST_VALUE


@inlined
def lies(row: Row, kind: int) -> int:
    """The cells on which a treasure of this kind lies."""
    if kind == 2:
        return 0 if row[MASK_AT] == NOWHERE else 1 << row[MASK_AT]
    base = LYING + 3 * kind
    return int(row[base] | row[base + 1] | row[base + 2])


@inlined
def lay_out(row: Row, cell: int, value: int) -> None:
    """One more treasure lies on this cell: its count goes up, with the carry from set to set."""
    if value == MASK:
        row[MASK_AT] = cell
        return
    base = LYING + 3 * (value - FIRST_VALUE)
    bit = 1 << cell
    carry = row[base] & bit
    row[base] ^= bit
    more = row[base + 1] & carry
    row[base + 1] ^= carry
    row[base + 2] ^= more


@inlined
def pick_up(row: Row, cell: int, value: int) -> None:
    """One treasure less lies on this cell."""
    if value == MASK:
        row[MASK_AT] = NOWHERE
        return
    base = LYING + 3 * (value - FIRST_VALUE)
    bit = 1 << cell
    borrow = bit & ~row[base]
    row[base] ^= bit
    more = borrow & ~row[base + 1]
    row[base + 1] ^= borrow
    row[base + 2] ^= more


@inlined
def bank(row: Row, seat: int) -> None:
    """What this seat's archaeologist carries goes into its collection (8.3)."""
    value = row[CARRIED + seat]
    row[CARRIED + seat] = 0
    row[MUSEUM + 3 * seat + kind_of(value)] += 1
    row[POINTS + seat] += value
    row[CHANGED + seat] = row[PLIES]
