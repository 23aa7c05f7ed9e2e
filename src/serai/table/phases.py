"""The phases of a table: which entry leads to which."""

from __future__ import annotations

from serai.table.entries import Acted, AnyEntry, Closed, Ended, Entry, Started
from serai.table.messages import Phase

_LEADS_TO: dict[type[Entry], Phase] = {Started: "playing", Ended: "over", Closed: "closed"}


def phase_after(phase: Phase, entry: AnyEntry) -> Phase:
    """The phase of a table that was in ``phase`` and takes in this entry."""
    if isinstance(entry, Acted) and entry.result is not None:
        return "over"
    return _LEADS_TO.get(type(entry), phase)
