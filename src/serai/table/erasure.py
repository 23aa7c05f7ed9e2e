"""Forgetting a person: their entries without name and talk, under a pseudonym, while the chain stays whole.

What the person *did* stays, since it is the others' game too: their actions, the values they added to the mix, which
seat they had. What says *who* they were goes: their name, everything they said, and their visitor, in whose place a
random pseudonym of this one table stands, so that their seats at different tables have nothing in common any more.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from serai.table.chain import Stored, history, root, seal_of, secret_in
from serai.table.entries import AnyEntry, Created, Muted, Said, Seated, Sitting, write_entry


def names(entry: bytes, visitor: str) -> bool:
    """Whether a stored entry names this visitor."""
    return visitor.encode() in entry


def erased(said: Said) -> bool:
    """Whether nothing is left of what was said."""
    return not said.text and not said.phrase


def erase(table: str, stored: Sequence[Stored], visitor: str, pseudonym: str) -> list[Stored]:
    """Those entries of a table that name this visitor, rewritten and sealed; ``Damaged`` if the table is."""
    rewritten: list[Stored] = []
    secret, before = b"", root(table)
    for row, entry in zip(stored, history(table, stored), strict=True):
        secret = secret or secret_in(row.entry) or b""
        if names(row.entry, visitor):
            text = write_entry(_without(entry, visitor, pseudonym))
            seal = seal_of(secret, before, row.chained, row.n, text)
            rewritten.append(Stored(row.n, text, row.chained + seal))
        before = row.chained
    return rewritten


def _without(entry: AnyEntry, visitor: str, pseudonym: str) -> AnyEntry:
    own = entry.visitor == visitor
    if own:
        entry = replace(entry, visitor=pseudonym, id="")  # their program chose the id
    match entry:
        case Said() if own:
            return replace(entry, text="", phrase="", name="")
        case Created():
            return replace(entry, seats=_seats_without(entry.seats, visitor, pseudonym))
        case Seated():
            host = pseudonym if entry.host == visitor else entry.host
            return replace(entry, seats=_seats_without(entry.seats, visitor, pseudonym), host=host)
        case Muted() if entry.whom == visitor:
            return replace(entry, whom=pseudonym)
        case _:
            return entry


def _seats_without(seats: Sequence[Sitting], visitor: str, pseudonym: str) -> tuple[Sitting, ...]:
    return tuple(
        replace(sitting, name="", visitor=pseudonym) if sitting.visitor == visitor else sitting for sitting in seats
    )
