"""How positions of a game are written: what a command line or a form needs to ask for one."""

from __future__ import annotations

import msgspec


class Detail(msgspec.Struct, frozen=True):
    """Something that a player at a real table may add to a position."""

    name: str
    form: str
    """What its value looks like: ``g2,b1``, or a word for it."""
    help: str
    """What it says, as an English sentence."""


class PositionNotation(msgspec.Struct, frozen=True):
    """The writing of positions in words, by an example, and with what may be added."""

    example: str
    help: str
    """How it is read, as an English sentence."""
    details: tuple[Detail, ...] = ()
