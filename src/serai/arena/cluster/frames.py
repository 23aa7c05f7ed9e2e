"""What a worker and its process say to each other: the length in eight bytes, then a pickle."""

from __future__ import annotations

import pickle
from typing import IO, Any, NamedTuple

_LENGTH = 8


class Answer(NamedTuple):
    """What came of something that was asked."""

    value: Any
    error: Exception | None
    seconds: float
    """How long it took."""


def pack(content: Any) -> bytes:
    """As it travels."""
    return pickle.dumps(content, pickle.HIGHEST_PROTOCOL)


def unpack(packed: bytes) -> Any:
    """What was packed. Whoever has a part in a cluster can run anything on it anyway: it is for people who trust it."""
    return pickle.loads(packed)  # noqa: S301


def write_frame(stream: IO[bytes], content: bytes) -> None:
    """Send something to the other side."""
    stream.write(len(content).to_bytes(_LENGTH))
    stream.write(content)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes:
    """The next that the other side sent; ``EOFError`` if it is gone."""
    length = _exactly(stream, _LENGTH)
    return _exactly(stream, int.from_bytes(length))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    parts = []
    while count:
        part = stream.read(min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
