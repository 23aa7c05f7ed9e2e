"""What a program that plays reads and writes: one JSON object a line, field by field as docs/process-bots.md tells.

Whoever plays games writes :class:`Hello`, :class:`NewGame`, :class:`Decide`, :class:`Over` and :class:`Quit` to the
program's standard input. The program answers the first with :class:`Greeting` and each third with :class:`Choice`, and
says nothing else. Fields that are added later do not change this; what a program does not know it leaves alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

_T = TypeVar("_T")

PROTOCOL = 1
"""Its version; another one cannot be understood by a program that speaks this one."""
MAX_LINE = 64 * 1024
"""Bytes of an answer: one is far smaller."""
MAX_RANDOM = 1 << 53
"""The random numbers of decisions are below this: whole in every language."""


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """The first line. It is answered when the program is ready to play."""

    protocol: int = PROTOCOL


class Greeting(msgspec.Struct, frozen=True, tag="hello"):
    """The answer to it."""

    protocol: int
    """The version that the program speaks."""
    name: str = ""
    """What it calls itself."""
    games: list[str] | None = None
    """The games that it plays; without this field all."""
    events: bool = False
    """Whether it wants to be told what happens between its decisions."""


class NewGame(msgspec.Struct, frozen=True, tag="game"):
    """A game begins: whatever was before is to be forgotten. There is no answer."""

    game: str
    """Its name, as in ``serai games``."""
    rules: str
    """The version of its rules."""
    seat: int
    """The program's own, counted from 0."""
    players: int
    """How many play."""
    options: Any
    """The settled options, by name."""


class Decide(msgspec.Struct, frozen=True, tag="decide"):
    """It is the program's turn. Flat lists come first, so that simple programs need not read the rest."""

    actions: Sequence[str]
    """Every legal action in notation, in a fixed order."""
    numbers: Sequence[int] | None
    """The same in the numbers of the game's encoding; null for a game that has none."""
    seconds: float | None
    """So long may it think; null: as long as it likes."""
    random: int
    """A random number of its own, the same whenever the same game is played again."""
    view: Any
    """The position as the program's seat sees it; null for whatever is hidden."""
    events: Sequence[msgspec.Raw]
    """What happened since its last decision, as its seat sees it; empty unless it wants events."""


class Choice(msgspec.Struct, frozen=True):
    """The answer to it: an action in notation or its number; or why there is none, which is a fault."""

    action: str | None = None
    number: int | None = None
    fault: str | None = None


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game has ended. There is no answer."""

    scores: Sequence[int]
    """What each seat has."""
    winners: Sequence[int]
    """Their seats."""
    events: Sequence[msgspec.Raw]
    """What happened since its last decision."""


class Quit(msgspec.Struct, frozen=True, tag="quit"):
    """Nothing more will come; the input ends, and so should the program."""


Told = Hello | NewGame | Decide | Over | Quit
"""All that a program is told."""

_encoder = msgspec.json.Encoder()
_greetings = msgspec.json.Decoder(Greeting)
_choices = msgspec.json.Decoder(Choice)


class Misspoken(Exception):
    """No line of this protocol; the message says what it is instead, after the name of the bot."""


def written(message: Told) -> bytes:
    """The message as a line."""
    return _encoder.encode(message) + b"\n"


def read_greeting(line: bytes) -> Greeting:
    """The answer to ``hello``."""
    greeting = _read(_greetings, line, '{"type": "hello", "protocol": 1}')
    if greeting.protocol != PROTOCOL:
        raise Misspoken(f"speaks version {greeting.protocol} of the protocol; version {PROTOCOL} is spoken here")
    return greeting


def read_choice(line: bytes) -> Choice:
    """The answer to ``decide``."""
    choice = _read(_choices, line, '{"action": "…"} or {"number": …}')
    if sum(answer is not None for answer in (choice.action, choice.number, choice.fault)) != 1:
        raise Misspoken(f'answered {shown(line)}, which has to name one thing: {{"action": "…"}} or {{"number": …}}')
    return choice


def shown(line: bytes) -> str:
    """A line as one can be told of it: short, and without what a terminal would take for a command."""
    text = ascii(line.decode(errors="replace").rstrip("\n"))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_SHOWN = 120


def _read(decoder: msgspec.json.Decoder[_T], line: bytes, wanted: str) -> _T:
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise Misspoken(f"answered {shown(line)}, where {wanted} is wanted: {error}") from None
    except (msgspec.DecodeError, RecursionError):
        raise Misspoken(f"answered {shown(line)}, which is no JSON; wanted is {wanted} on a line of its own") from None
