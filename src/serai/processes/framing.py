"""Length-prefixed messages through a pipe: eight bytes of length, then the message.

MessagePack (:class:`Messages`) carries what may come from somebody else's code, pickle what our own processes say to
each other. One implementation serves blocking streams and asyncio.
"""

from __future__ import annotations

import pickle
import struct
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

LENGTH = struct.Struct(">Q")


class BadMessage(Exception):
    """Bytes that are no message: too many, or not decodable. The text says which, after the word "its answer"."""


def frame(body: bytes) -> bytes:
    return LENGTH.pack(len(body)) + body


def write_message(stream: BinaryIO, body: bytes) -> None:
    stream.write(LENGTH.pack(len(body)))
    stream.write(body)
    stream.flush()


def read_message(stream: BinaryIO) -> bytes:
    """The next message of a blocking stream; ``EOFError`` when the other side is gone."""
    (length,) = LENGTH.unpack(_exactly(stream, LENGTH.size))
    return _exactly(stream, length)


async def receive_message(stream: asyncio.StreamReader, limit: int | None = None) -> bytes:
    """The next message of an asyncio stream; ``EOFError`` at its end, ``BadMessage`` if it is longer than ``limit``."""
    (length,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
    if limit is not None and length > limit:
        raise BadMessage(f"has {length} bytes, more than {limit}")
    return await stream.readexactly(length)


def _exactly(stream: BinaryIO, count: int) -> bytes:
    """``read`` of a stream may return less than was asked for; a large message is read in parts."""
    part = stream.read(min(count, _PART))
    if len(part) == count:
        return part
    parts, rest = [part], count - len(part)
    while rest:
        part = stream.read(min(rest, _PART))
        if not part:
            raise EOFError
        parts.append(part)
        rest -= len(part)
    return b"".join(parts)


_PART = 1 << 20


# -- codecs ------------------------------------------------------------------------------------------------------------


class Messages(Generic[T]):
    """MessagePack codec for messages of one type, a tagged Struct or a union of them."""

    def __init__(self, kind: Any, limit: int | None = None) -> None:
        """``limit``: bytes of a message; one from code that is not ours is bounded."""
        self._decoder: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kind)
        self.limit = limit

    def decode(self, body: bytes) -> T:
        """The message; ``BadMessage`` for anything else."""
        try:
            return self._decoder.decode(body)
        except (msgspec.DecodeError, RecursionError):
            raise BadMessage("cannot be understood") from None


def encode(message: msgspec.Struct) -> bytes:
    return msgspec.msgpack.encode(message)


def pack(value: Any) -> bytes:
    """A value as a pickle, for a process of our own."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def unpack(packed: bytes) -> Any:
    """What :func:`pack` packed. Unpickling runs code: never for what somebody else's bot may have sent."""
    return pickle.loads(packed)  # noqa: S301
