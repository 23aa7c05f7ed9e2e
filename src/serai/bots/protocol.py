"""The protocol of programs that play: one JSON object a line, as docs/process-bots.md describes it field by field.

The program reads :class:`Hello`, :class:`NewGame`, :class:`Decide`, :class:`Over` and :class:`Quit` on its standard
input. It answers ``Hello`` with :class:`Greeting` and ``Decide`` with :class:`Choice`, and writes nothing else. Later
versions may add fields and messages; a program ignores what it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

_T = TypeVar("_T")

PROTOCOL = 1
"""The version. A program that speaks another one is refused."""
MAX_RANDOM = 1 << 53
"""The random numbers of decisions are below this, so every language can hold them exactly."""


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """The first line. It is answered when the program is ready to play."""

    protocol: int = PROTOCOL


class Greeting(msgspec.Struct, frozen=True, tag="hello"):
    """The answer to it."""

    protocol: int
    """The version that the program speaks."""
    name: str = ""
    """Its name."""
    games: list[str] | None = None
    """The games that it plays; all if this field is missing."""
    events: bool = False
    """Whether it wants to know what happens between its decisions."""


class NewGame(msgspec.Struct, frozen=True, tag="game"):
    """A game begins, and the last one is to be forgotten. There is no answer."""

    game: str
    """Its name, as in ``serai games``."""
    rules: str
    """The version of its rules."""
    seat: int
    """The program's own, counted from 0."""
    players: int
    """The number of players."""
    options: Any
    """The settled options, by name."""


class Decide(msgspec.Struct, frozen=True, tag="decide"):
    """It is the program's turn. Flat lists come first, so that simple programs need not read the rest."""

    actions: Sequence[str]
    """Every legal action in notation, in a fixed order."""
    numbers: Sequence[int] | None
    """The same in the numbers of the game's encoding; null for a game that has none."""
    seconds: float | None
    """The time limit; null for none."""
    random: int
    """A random number of its own, the same whenever the same game is played again."""
    view: Any
    """The position as the program's seat sees it; null for what is hidden."""
    events: Sequence[msgspec.Raw]
    """What happened since its last decision, as its seat sees it; empty unless it wants events."""


class Choice(msgspec.Struct, frozen=True):
    """The answer to it: an action in notation, or its number, or a fault, which says why there is no action."""

    action: str | None = None
    number: int | None = None
    fault: str | None = None


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game has ended. There is no answer. One that was cut short as too long has no scores and no winners."""

    scores: Sequence[int]
    """By seat."""
    winners: Sequence[int]
    """Their seats."""
    events: Sequence[msgspec.Raw]
    """What happened since its last decision."""


class Quit(msgspec.Struct, frozen=True, tag="quit"):
    """The input ends, and so should the program."""


ToProgram = Hello | NewGame | Decide | Over | Quit
"""All messages to a program."""

_encoder = msgspec.json.Encoder()
_greetings = msgspec.json.Decoder(Greeting)
_choices = msgspec.json.Decoder(Choice)


class BadLine(Exception):
    """A line that is not of this protocol; the message says what is wrong, after the name of the bot."""


def write_line(message: ToProgram) -> bytes:
    return _encoder.encode(message) + b"\n"


def read_greeting(line: bytes) -> Greeting:
    """The answer to ``hello``."""
    greeting = _read(_greetings, line, '{"type": "hello", "protocol": 1}')
    if greeting.protocol != PROTOCOL:
        raise BadLine(f"speaks version {greeting.protocol} of the protocol; this Serai speaks version {PROTOCOL}")
    return greeting


def read_choice(line: bytes) -> Choice:
    """The answer to ``decide``."""
    choice = _read(_choices, line, '{"action": "…"} or {"number": …}')
    if sum(answer is not None for answer in (choice.action, choice.number, choice.fault)) != 1:
        raise BadLine(
            f'answered {shown(line)}, which must have exactly one field: {{"action": "…"}} or {{"number": …}}'
        )
    return choice


def shown(line: bytes) -> str:
    """A line as an error repeats it: short, and without characters that a terminal would obey."""
    text = ascii(line.decode(errors="replace").rstrip("\n"))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_SHOWN = 120


def _read(decoder: msgspec.json.Decoder[_T], line: bytes, wanted: str) -> _T:
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise BadLine(f"answered {shown(line)}, where {wanted} was expected: {error}") from None
    except (msgspec.DecodeError, RecursionError):
        raise BadLine(f"answered {shown(line)}, which is no JSON; expected was {wanted} on a line of its own") from None
