"""Messages from a visitor to a table.

Every message that may change the table carries an ``id`` chosen by its sender, so that a repeat changes nothing. A
message that plays on the game says ``on``: how many game-changing entries its sender had seen.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

MAX_NAME = 40
MAX_TEXT = 280
MAX_MESSAGE = 8192
"""Bytes: no message of this protocol comes near."""

MessageId = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[!-~]+$")]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Count = Annotated[int, Meta(ge=0)]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Value = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
"""32 random bytes from a player's own device, in hex: their part in the mix."""
Word = Annotated[str, Meta(min_length=1, max_length=64)]

Phrase = Literal[
    "hello", "thanks", "well_played", "good_luck", "oops", "hurry", "moment", "again", "goodbye",
    "joy", "wow", "sorrow", "bravo",
]  # fmt: skip
"""Ready-made things to say: keys, put into words by the page in its own language."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Something a visitor wants of the table."""


class Look(Message, frozen=True, tag="look"):
    """Look through one of the own seats, or with ``null`` as an onlooker. Answered by a welcome."""

    seat: SeatNumber | None


class Ping(Message, frozen=True, tag="ping"):
    """Check the connection: answered by ``done`` with the last number. (Pages do not see the pings of WebSocket.)"""

    id: MessageId


class Act(Message, frozen=True, tag="act"):
    """Play an action for the seat looked through: one of the ``actions`` that the last frame offered."""

    id: MessageId
    on: Count
    action: msgspec.Raw


class Undo(Message, frozen=True, tag="undo"):
    """Take back the last action of the seat looked through."""

    id: MessageId
    on: Count


class Say(Message, frozen=True, tag="say"):
    """Say something: free text, or a ready-made phrase (public tables know only these)."""

    id: MessageId
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)] | UnsetType = UNSET
    phrase: Phrase | UnsetType = UNSET


class Mute(Message, frozen=True, tag="mute"):
    """Stop (or with ``on`` false: start again) hearing what a seat says. Nobody else learns of it."""

    id: MessageId
    seat: SeatNumber
    on: bool = True


class Arrange(Message, frozen=True, tag="arrange"):
    """The host's new order: old seat numbers, ``null`` for a new open seat. Seats left out are removed."""

    id: MessageId
    order: Annotated[list[SeatNumber | None], Meta(min_length=1, max_length=16)]


class PlaceBot(Message, frozen=True, tag="place_bot"):
    """The host gives an open seat, or that of another bot, to a bot."""

    id: MessageId
    seat: SeatNumber
    bot: Word


class Vacate(Message, frozen=True, tag="vacate"):
    """The host makes a seat open: its bot or person goes."""

    id: MessageId
    seat: SeatNumber


class SetOptions(Message, frozen=True, tag="set_options"):
    """The host's choices for the set-up; what is not named falls back to its default."""

    id: MessageId
    options: dict[str, Any]


class Start(Message, frozen=True, tag="start"):
    """The host starts the game: every seat is taken, every person has joined."""

    id: MessageId


class TakeHost(Message, frozen=True, tag="take_host"):
    """Become the host, when the host is gone or has been away for longer than the grace time."""

    id: MessageId


class Pause(Message, frozen=True, tag="pause"):
    """Stop the game for everybody, until somebody resumes it."""

    id: MessageId


class Resume(Message, frozen=True, tag="resume"):
    """Go on after a pause."""

    id: MessageId


class TakeOver(Message, frozen=True, tag="take_over"):
    """Let a bot play for a person who left or has been away for longer than the grace time."""

    id: MessageId
    seat: SeatNumber
    bot: Word


class Return(Message, frozen=True, tag="return"):
    """Take the own seat back from its stand-in, or after having left."""

    id: MessageId
    seat: SeatNumber


class Leave(Message, frozen=True, tag="leave"):
    """Give up a seat: before the start it becomes open, later a bot may play on for it."""

    id: MessageId
    seat: SeatNumber


class Agree(Message, frozen=True, tag="agree"):
    """Agree (or no longer agree) to end the game now; it ends once everybody agrees who did not leave it themselves."""

    id: MessageId
    on: bool = True


class Rematch(Message, frozen=True, tag="rematch"):
    """After the end: a new table with the same people, whose seats wait for them."""

    id: MessageId
    step: Literal[-1, 0, 1] = 0
    """1: every bot that has a stronger level above it gives its seat to that; -1: to the one below."""


AnyMessage = (
    Look | Ping | Act | Undo | Say | Mute | Arrange | PlaceBot | Vacate | SetOptions | Start | TakeHost | Pause | Resume
    | TakeOver | Return | Leave | Agree | Rematch
)  # fmt: skip
