"""What goes through the pipe between a bot's process and whoever started it.

Both ways each message is four bytes of length and then MessagePack. A request is answered before the next one comes.
What a bot's process sends is not to be trusted: it is bounded, and may be anything.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

import msgspec

MAX_ANSWER = 64 * 1024
"""Bytes: an action is far smaller."""
MAX_FAULT = 1000
"""Characters that are kept of what went wrong."""


class Confine(msgspec.Struct, frozen=True, tag="confine"):
    """Clear the environment, bound the memory and shut this process in, before the one bot of it is loaded."""

    bot: str
    walls: bool = True
    """Whether to shut it in."""


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """Make a bot for a seat."""

    key: str
    game: str
    bot: str


class Decide(msgspec.Struct, frozen=True, tag="decide"):
    """Show a bot what happened since, then let it decide. Views and events are JSON."""

    key: str
    events: list[bytes]
    view: bytes


class Rise(msgspec.Struct, frozen=True, tag="rise"):
    """These bots are needed no more."""

    keys: list[str]


class Try(msgspec.Struct, frozen=True, tag="try"):
    """Let a bot of that kind decide once at a game of its own, to see whether it can play here."""

    game: str
    bot: str


class Warm(msgspec.Struct, frozen=True, tag="warm"):
    """Let bots of that kind load what makes them faster; those that sit down from now on use it."""

    game: str
    bot: str


class Answer(msgspec.Struct, frozen=True):
    """What came of a request: an action as JSON, what is to be known of a bot, or what went wrong."""

    action: bytes = b""
    watches: bool = False
    """Whether the bot wants to be shown events."""
    warms: bool = False
    """Whether there is something that makes it faster."""
    fault: str = ""
    extra: str = ""
    """The extra of Serai whose lack is the fault."""
    exposed: bool = False
    """Whether the fault is that the bot cannot be kept from what it must not see."""
    readable: list[str] = []
    """What a confined process can read, files and folders."""


Request = Confine | Sit | Decide | Rise | Try | Warm
LENGTH = struct.Struct(">I")

_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


class Garbage(Exception):
    """No message of this protocol."""


def framed(message: Request | Answer) -> bytes:
    """The message as it goes through the pipe."""
    body = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(body)) + body


def answer_length(head: bytes) -> int:
    """How many bytes the answer has, from the four in front of it."""
    length: int = LENGTH.unpack(head)[0]
    if length > MAX_ANSWER:
        raise Garbage(f"its answer has {length} bytes, more than {MAX_ANSWER}")
    return length


def read_answer(body: bytes) -> Answer:
    """The answer that these bytes are."""
    try:
        return _answers.decode(body)
    except (msgspec.DecodeError, RecursionError):
        raise Garbage("its answer cannot be understood") from None


def read_request(source: BinaryIO) -> Request | None:
    """The next request; ``None`` once there are no more."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return _requests.decode(source.read(LENGTH.unpack(head)[0]))
