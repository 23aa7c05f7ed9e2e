"""What any part of the server may have to say no with, besides a table's own refusals."""

from __future__ import annotations

from serai.core.errors import KeyedError, phrase


class NotFound(KeyedError):
    """There is no such thing here."""


phrase({"table.unknown": "there is no such table"})
