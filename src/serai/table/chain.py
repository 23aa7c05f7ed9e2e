"""The hash chain of a table's entries: each is stored with a link over itself and all before it.

The link of entry ``n`` is BLAKE2b, 32 bytes, with the table's secret as key, over ``chain ‖ before ‖ n ‖ entry``: five
letters, the previous link (for the first entry: the SHA-256 of the table's id), n as eight bytes, big-endian, and the
entry as it is stored. So a lost, changed or moved entry is noticed, and without the secret a link reveals nothing of
its entry. (A keyed BLAKE2b, since a link is made at every move and Python's HMAC would release the GIL each time.)

An entry in which a person was forgotten (:mod:`serai.table.erasure`) is other bytes than those that its link was made
of, and these are gone for good. Its link stays, so that all links after it still fit, and records that players have
downloaded too. Behind the link stands a **seal**: BLAKE2b, keyed likewise, over ``sealed ‖ before ‖ link ‖ n ‖ entry``.
It shows that the table's own server, and nobody without the secret, put this entry there.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator

import msgspec

from serai.core.dealer import SECRET_BYTES
from serai.table.entries import AnyEntry, read_entry
from serai.table.errors import Damaged

LINK_BYTES = 32


class Stored(msgspec.Struct, frozen=True):
    """An entry as it is stored."""

    n: int
    entry: bytes
    link: bytes
    """With the seal behind it, if the entry was rewritten."""

    @property
    def chained(self) -> bytes:
        """The link alone: what comes before the next link."""
        return self.link[:LINK_BYTES]

    @property
    def sealed(self) -> bool:
        """Whether the entry was rewritten."""
        return len(self.link) > LINK_BYTES


def root(table: str) -> bytes:
    """What comes before the first link of a table."""
    return hashlib.sha256(table.encode()).digest()


def link_of(secret: bytes, before: bytes, n: int, entry: bytes) -> bytes:
    """The link of an entry that follows the link ``before``."""
    data = b"chain" + before + n.to_bytes(8, "big") + entry
    return hashlib.blake2b(data, key=secret, digest_size=LINK_BYTES).digest()


def seal_of(secret: bytes, before: bytes, link: bytes, n: int, entry: bytes) -> bytes:
    """The seal of a rewritten entry that follows the link ``before`` and keeps its own ``link``."""
    data = b"sealed" + before + link + n.to_bytes(8, "big") + entry
    return hashlib.blake2b(data, key=secret, digest_size=LINK_BYTES).digest()


def first_link(table: str, secret: str, entry: bytes) -> bytes:
    """The link of a table's first entry."""
    return link_of(bytes.fromhex(secret), root(table), 0, entry)


def secret_in(entry: bytes) -> bytes | None:
    """The secret in a table's first entry; ``None`` if there is none that can be read."""
    try:
        secret = bytes.fromhex(msgspec.json.decode(entry, type=_Secretive).secret)
    except (msgspec.DecodeError, ValueError):
        return None
    return secret if len(secret) == SECRET_BYTES else None


class _Secretive(msgspec.Struct):
    secret: str


def read(table: str, secret: bytes, before: bytes, n: int, stored: Stored) -> AnyEntry:
    """The stored entry, which must be number ``n`` of the table; ``Damaged`` if it is not or cannot be read."""
    _expect_number(table, n, stored)
    if stored.sealed:
        due = stored.chained + seal_of(secret, before, stored.chained, n, stored.entry)
    else:
        due = link_of(secret, before, n, stored.entry)
    if not hmac.compare_digest(stored.link, due):
        raise Damaged.at(table, f"entry {n} does not fit the chain: it, its link or an entry before it was changed")
    try:
        return read_entry(stored.entry)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Damaged.at(table, f"entry {n} cannot be read by this version of Serai") from None


def history(table: str, stored: Iterable[Stored]) -> Iterator[AnyEntry]:
    """The entries of a table from its first on; ``Damaged`` at the first that is missing or was changed."""
    secret, before = b"", root(table)
    for n, row in enumerate(stored):
        if n == 0:
            secret = _first_secret(table, row)
        yield read(table, secret, before, n, row)
        before = row.chained


def _first_secret(table: str, first: Stored) -> bytes:
    _expect_number(table, 0, first)
    secret = secret_in(first.entry)
    if secret is None:
        raise Damaged.at(table, "entry 0 does not hold the table's secret")
    return secret


def _expect_number(table: str, n: int, stored: Stored) -> None:
    if stored.n != n:
        missing = f"entry {n} is" if stored.n == n + 1 else f"entries {n} to {stored.n - 1} are"
        raise Damaged.at(table, f"{missing} missing")
