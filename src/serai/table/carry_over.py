"""Entries of format 5 as format 6 keeps them: what they said stays said, in the words of today."""

from __future__ import annotations

from typing import Any

import msgspec

from serai.table.rules import TableRules


class _Kind(msgspec.Struct):
    type: str


def carried_over(entry: bytes) -> bytes:
    """An entry of format 5 in format 6: what a table was made with is one value now, its rules.

    No table had a clock, and none gets one by being carried over.
    """
    if msgspec.json.decode(entry, type=_Kind).type != "created":
        return entry
    created: dict[str, Any] = msgspec.json.decode(entry)
    created["table_rules"] = TableRules(odds=created.pop("odds", True), clock=0, public=created.pop("public"))
    return msgspec.json.encode(created)
