"""What any part of the server may have to say no with, besides a table's own refusals."""

from __future__ import annotations

from serai.core.errors import KeyedError, phrase


class NotFound(KeyedError):
    """There is no such thing here."""


class BadAddress(ValueError):
    """A host chose an address that cannot be; the message says why."""


class ClientGone(Exception):
    """Whoever asked is not there any more: there is nobody to answer, and no fault."""


phrase({"table.unknown": "there is no such table"})
