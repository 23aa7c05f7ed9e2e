"""The chain through a table's entries: each is kept with a link that vouches for it and for all before it.

The link of entry ``n`` is BLAKE2b, 32 bytes, with the table's secret as key, over ``chain ‖ before ‖ n ‖ entry``: five
letters, the link before (before the first: the SHA-256 of the table's id), n as eight bytes, big end first, and the
entry as it is stored. A lost, changed or moved entry shows; and whoever does not know the secret learns nothing from a
link about what an entry hides. (One is made at every move; Python's HMAC would let the interpreter go each time.)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator

import msgspec

from serai.core.dealer import SECRET_BYTES
from serai.table.entries import AnyEntry, read_entry
from serai.table.errors import Damaged


class Stored(msgspec.Struct, frozen=True):
    """An entry as a store keeps it."""

    n: int
    entry: bytes
    link: bytes


def root(table: str) -> bytes:
    """What stands before the first link of a table."""
    return hashlib.sha256(table.encode()).digest()


def link_of(secret: bytes, before: bytes, n: int, entry: bytes) -> bytes:
    """The link of an entry that follows upon the link ``before``."""
    told = b"chain" + before + n.to_bytes(8, "big") + entry
    return hashlib.blake2b(told, key=secret, digest_size=32).digest()


def first_link(table: str, secret: str, entry: bytes) -> bytes:
    """The link of the entry with which a table begins."""
    return link_of(bytes.fromhex(secret), root(table), 0, entry)


def secret_in(entry: bytes) -> bytes | None:
    """The secret of the table that begins with this entry, whatever else it says; ``None`` if it tells none."""
    try:
        secret = bytes.fromhex(msgspec.json.decode(entry, type=_Secretive).secret)
    except (msgspec.DecodeError, ValueError):
        return None
    return secret if len(secret) == SECRET_BYTES else None


class _Secretive(msgspec.Struct):
    secret: str


def read(table: str, secret: bytes, before: bytes, n: int, stored: Stored) -> AnyEntry:
    """The entry that was stored as number ``n`` of a table; ``Damaged`` if it is not that, or cannot be read."""
    _expect_number(table, n, stored)
    if not hmac.compare_digest(stored.link, link_of(secret, before, n, stored.entry)):
        raise Damaged.at(table, f"entry {n} does not fit the chain: it, its link or what stood before it was changed")
    try:
        return read_entry(stored.entry)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Damaged.at(table, f"entry {n} is none that this Serai can read") from None


def history(table: str, stored: Iterable[Stored]) -> Iterator[AnyEntry]:
    """The entries of a table from its first; ``Damaged`` at the first that is missing or not what was kept."""
    secret, before = b"", root(table)
    for n, one in enumerate(stored):
        if n == 0:
            secret = _first_secret(table, one)
        yield read(table, secret, before, n, one)
        before = one.link


def _first_secret(table: str, first: Stored) -> bytes:
    _expect_number(table, 0, first)
    secret = secret_in(first.entry)
    if secret is None:
        raise Damaged.at(table, "entry 0 does not say how the table was made")
    return secret


def _expect_number(table: str, n: int, stored: Stored) -> None:
    if stored.n != n:
        missing = f"entry {n} is" if stored.n == n + 1 else f"entries {n} to {stored.n - 1} are"
        raise Damaged.at(table, f"{missing} missing")
