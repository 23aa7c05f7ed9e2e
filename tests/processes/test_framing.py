"""Messages through pipes: whole, bounded, and lost with the process that should have sent them."""

from __future__ import annotations

import asyncio
import io
import os

import msgspec
import pytest

from serai.processes import framing


class Word(msgspec.Struct, frozen=True, tag="word"):
    text: str


class Number(msgspec.Struct, frozen=True, tag="number"):
    value: int


WORDS: framing.Messages[Word | Number] = framing.Messages(Word | Number, limit=100)


class Trickle(io.RawIOBase):
    """A stream that gives one byte at a time."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    def read(self, size: int = -1) -> bytes:
        return self._content.read(min(size, 1))


@pytest.mark.parametrize("body", [b"", b"x", bytes(70_000)])
def test_a_message_comes_out_as_it_went_in(body: bytes) -> None:
    stream = io.BytesIO()
    framing.write_message(stream, body)
    framing.write_message(stream, b"next")
    assert stream.getvalue() == framing.frame(body) + framing.frame(b"next")
    for source in (io.BytesIO(stream.getvalue()), Trickle(stream.getvalue())):
        assert framing.read_message(source) == body  # type: ignore[arg-type]
        assert framing.read_message(source) == b"next"  # type: ignore[arg-type]
        with pytest.raises(EOFError):
            framing.read_message(source)  # type: ignore[arg-type]


def test_half_a_message_is_the_end() -> None:
    with pytest.raises(EOFError):
        framing.read_message(io.BytesIO(framing.frame(b"whole")[:-1]))


def received(content: bytes, limit: int | None = None) -> bytes:
    async def receive() -> bytes:
        reader = asyncio.StreamReader()
        reader.feed_data(content)
        reader.feed_eof()
        return await framing.receive_message(reader, limit)

    return asyncio.run(receive())


def test_asyncio_reads_the_same_messages_and_none_that_is_too_long() -> None:
    assert received(framing.frame(b"word"), limit=4) == b"word"
    with pytest.raises(framing.BadMessage, match="has 5 bytes, more than 4"):
        received(framing.frame(b"words"), limit=4)
    with pytest.raises(framing.BadMessage):
        received(b"\xff" * 8, limit=4)
    for cut in (b"", framing.frame(b"word")[:3], framing.frame(b"word")[:-1]):
        with pytest.raises(EOFError):
            received(cut)


def test_only_messages_of_the_type_are_decoded() -> None:
    assert WORDS.decode(framing.encode(Word("roll"))) == Word("roll")
    assert WORDS.decode(framing.encode(Number(7))) == Number(7)
    deep = b"\x91" * 5000
    for other in (b"", b"\xc1", b"\x07", deep, msgspec.msgpack.encode({"type": "other"}), os.urandom(64)):
        with pytest.raises(framing.BadMessage, match="cannot be understood"):
            WORDS.decode(other)


def test_our_own_processes_may_pickle() -> None:
    assert framing.unpack(framing.pack({"numbers": range(3)})) == {"numbers": range(3)}
