"""What is written down while clients play and servers fail: every try with its answer, and all that each line told."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

Answer = Literal["done", "refused", "unknown"]
FAILED = "server.error"
"""The key with which a server tells of a fault of its own."""


class Try(msgspec.Struct, kw_only=True):
    """One sending of a message; those of one visitor with the same id are one invocation, however often it was sent.

    Times are of the one clock of all clients.
    """

    client: str
    visitor: str
    table: str
    id: str
    message: dict[str, Any]
    begun: float
    ended: float | None = None
    answer: Answer = "unknown"
    n: int = -1
    """The entry that it became, where it was done."""
    key: str = ""
    """Why it was refused, or why nobody knows."""


class Told(msgspec.Struct, frozen=True):
    """A text that a client received, as it was."""

    at: float
    text: str


class Line(msgspec.Struct, kw_only=True):
    """One connection of a client to a table: through which seat, what it said it had seen, and what it heard."""

    client: str
    visitor: str
    table: str
    seat: int | None
    seen: int | None
    opened: float
    server: int = 0
    told: list[Told] = msgspec.field(default_factory=list)
    code: int = 0
    """With which the server closed it."""


class Read(msgspec.Struct, kw_only=True):
    """Something that a client asked for by REST, and what it was told."""

    client: str
    table: str
    what: Literal["table", "record"]
    status: int
    text: str


class Done(msgspec.Struct, frozen=True):
    """A fault that was made."""

    kind: str
    target: int
    how: str
    begun: float
    ended: float


class History(msgspec.Struct, kw_only=True):
    """A whole run."""

    tries: list[Try] = msgspec.field(default_factory=list)
    lines: list[Line] = msgspec.field(default_factory=list)
    """In the order in which they were opened."""
    reads: list[Read] = msgspec.field(default_factory=list)
    """Pages of frames are kept as lines."""
    faults: list[Done] = msgspec.field(default_factory=list)
    tokens: list[str] = msgspec.field(default_factory=list)
    """What proves who the clients are: nobody is ever told any of these."""
    writers: dict[str, dict[int, str]] = msgspec.field(default_factory=dict)
    """By table and number: which server wrote the entry."""
    holders: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """By table: which servers held its lease, one after the other."""

    def tables(self) -> list[str]:
        """All tables that clients came to, in the order in which they did."""
        return list(dict.fromkeys([line.table for line in self.lines] + [one.table for one in self.tries]))

    def write(self, file: Path) -> None:
        """Keep it, for whoever wants to know what happened."""
        file.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1))

    @classmethod
    def read(cls, file: Path) -> History:
        """What was kept."""
        return msgspec.json.decode(file.read_bytes(), type=cls)
