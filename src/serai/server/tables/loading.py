"""A table from what the store keeps of it, or the reason why it cannot be."""

from __future__ import annotations

from serai.core.errors import UnknownName
from serai.server.store.base import Whole
from serai.server.store.soundness import expect_listed
from serai.table.errors import Damaged
from serai.table.presence import GRACE_SECONDS
from serai.table.table import Table, load


def loaded(table_id: str, whole: Whole, now: float, grace: float = GRACE_SECONDS) -> Table:
    """The table, played as it was; ``Damaged`` if that is not what was kept, ``UnknownName`` without its game."""
    if not whole.entries:
        raise Damaged.at(table_id, "its entries are missing")
    try:
        table = load(table_id, whole.entries, now, grace)
    except (Damaged, UnknownName):
        raise
    except Exception as error:
        # whatever it is that cannot be played, it is wrong with this table only
        raise Damaged.at(table_id, f"its game cannot be played out ({type(error).__name__}: {error})") from error
    expect_listed(table_id, whole, table.n, table.phase)
    return table
