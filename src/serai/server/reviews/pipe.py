"""What goes through the pipe between the server and a process that reviews.

Both ways each message is four bytes of length and then MessagePack. A request gets any number of ``Step`` and one
answer; while it is worked on only ``Stop`` may follow.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

import msgspec

from serai.table.bodies import Problem


class Name(msgspec.Struct, frozen=True, tag="name"):
    """Who judges this game here?"""

    game: str


class Judge(msgspec.Struct, frozen=True, tag="judge"):
    """Review this record."""

    record: str
    effort: str


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Nobody waits for the review any more."""


class Step(msgspec.Struct, frozen=True, tag="step"):
    """One more action has been judged."""

    done: int
    of: int


class Named(msgspec.Struct, frozen=True, tag="named"):
    """The evaluator's name."""

    evaluator: str


class Made(msgspec.Struct, frozen=True, tag="made"):
    """The review, as the line that is sent, packed."""

    line: bytes


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """Why there is no answer."""

    problem: Problem


class Stopped(msgspec.Struct, frozen=True, tag="stopped"):
    """As was wished."""


Request = Name | Judge | Stop
Answer = Named | Made | Refused | Stopped

LENGTH = struct.Struct(">I")
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_answers: msgspec.msgpack.Decoder[Answer | Step] = msgspec.msgpack.Decoder(Answer | Step)


def framed(message: Request | Answer | Step) -> bytes:
    """The message as it goes through the pipe."""
    body = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(body)) + body


def read_answer(body: bytes) -> Answer | Step:
    """The answer that these bytes are."""
    return _answers.decode(body)


def read_request(source: BinaryIO) -> Request | None:
    """The next request; ``None`` once there are no more."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return _requests.decode(source.read(LENGTH.unpack(head)[0]))
