"""What travels between a table and those around it: messages from a visitor, frames to a viewer.

Every message that may change the table carries an ``id`` chosen by its sender, so that a repeat changes nothing. A
message that plays on the game says ``on``: how many game-changing entries its sender had seen.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from serai.table.rules import TableRules

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
    Look
    | Act
    | Undo
    | Say
    | Mute
    | Arrange
    | PlaceBot
    | Vacate
    | SetOptions
    | Start
    | TakeHost
    | Pause
    | Resume
    | TakeOver
    | Return
    | Leave
    | Agree
    | Rematch
)

# -- what a table looks like -------------------------------------------------------------------------------------------

SeatKind = Literal["open", "person", "bot"]
Phase = Literal["lobby", "playing", "over", "closed"]


class SeatInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat as everybody sees it."""

    kind: SeatKind
    name: str = ""
    bot: str = ""
    """The bot's name: of a bot's seat, or of a person's stand-in."""
    joined: bool = True
    """False for a person whose seat at a rematch waits for them."""
    left: bool = False
    agrees: bool = False
    value: str = ""
    """After the start: the person's part in the mix."""
    hints: int = 0
    """In how many positions this seat was told what the coach would do."""


class TableInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table without its game: who sits where and how things stand."""

    id: str
    game: str
    rules: str
    phase: Phase
    table_rules: TableRules
    options: dict[str, Any]
    seats: tuple[SeatInfo, ...]
    host: int | None
    """The host's first seat, or ``null`` while the host has none."""
    commit: str
    mix: str = ""
    """From the start on."""
    secret: str = ""
    """From the end on."""
    paused: bool = False
    agreed: bool = False
    """Whether the game was ended by agreement."""
    scores: tuple[int, ...] = ()
    """After the end."""
    winners: tuple[int, ...] = ()
    next: str = ""
    """The table of the rematch."""
    notice: str = ""
    """Why a table is closed: a key."""
    hides: bool = True
    """Whether a seat may know what others do not."""
    continued: bool = False
    """Whether the game began in a position of another."""


# -- frames to a viewer ------------------------------------------------------------------------------------------------


class Chat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that was said: text or phrase."""

    n: int
    seat: int
    text: str = ""
    phrase: str = ""
    name: str = ""
    """Who said it, if that was before the start: by now the seat may be somebody else's."""


class Welcome(msgspec.Struct, frozen=True, omit_defaults=True, tag="welcome", tag_field="type"):
    """Everything from scratch: at the beginning, after ``look`` and after too large a gap."""

    n: int
    """The number of the last entry; the next frame has a larger one."""
    on: int
    seat: int | None
    """The seat looked through."""
    yours: tuple[int, ...]
    """The seats this visitor holds."""
    table: TableInfo
    view: Any = None
    """The game as the seat may see it; left out before the start."""
    actions: tuple[Any, ...] = ()
    scores: tuple[int, ...] = ()
    """The running score by seat; left out before the start, and where this seat may not know it."""
    chat: tuple[Chat, ...] = ()
    muted: tuple[int, ...] = ()
    undo: bool = False
    """Whether this seat may take back its last action."""
    build: str = ""
    """The server's build of the page: a page of another one loads itself anew when that disturbs nobody."""


class Frame(msgspec.Struct, frozen=True, omit_defaults=True, tag="frame", tag_field="type"):
    """The game went on (or, after an undo, back): replace the fields in ``patch``, play the ``events``."""

    n: int
    on: int
    by: int | None = None
    """The seat that acted; left out when the game started or ended by agreement."""
    action: Any = None
    """What it did, as this seat may see it; left out when nobody acted."""
    events: tuple[Any, ...] = ()
    """What followed, draws included, as this seat may see it."""
    patch: dict[str, Any] = {}
    """The fields of this seat's view that changed, with their new values; the whole view at the start."""
    actions: tuple[Any, ...] = ()
    """What this seat may do now; left out when it is not to act."""
    scores: tuple[int, ...] = ()
    """The running score by seat; left out where this seat may not know it."""
    back: bool = False
    """True for an undo."""
    undo: bool = False
    """Whether this seat may take back its last action."""
    table: TableInfo | UnsetType = UNSET
    """Only when the table changed too: at the start and at the end."""


class TableFrame(msgspec.Struct, frozen=True, omit_defaults=True, tag="table", tag_field="type"):
    """Something about the table changed, not about the game."""

    n: int
    seat: int | None
    """The seat this connection looks through; it follows when seats are given or rearranged before the start."""
    yours: tuple[int, ...]
    table: TableInfo
    actions: tuple[Any, ...] | UnsetType = UNSET
    """Only when it changed what this seat may do (a pause, a stand-in): what it may do now."""


class ChatFrame(msgspec.Struct, frozen=True, omit_defaults=True, tag="chat", tag_field="type"):
    """Somebody said something."""

    n: int
    seat: int
    text: str = ""
    phrase: str = ""
    name: str = ""
    """Who said it, if that was before the start: by now the seat may be somebody else's."""


class MutedFrame(msgspec.Struct, frozen=True, tag="muted", tag_field="type"):
    """The seats this visitor does not hear; told to nobody else."""

    n: int
    muted: tuple[int, ...]


AnyFrame = Frame | TableFrame | ChatFrame | MutedFrame
"""What has a number and is sent again to a client that asks for the rest."""


class Away(msgspec.Struct, frozen=True):
    """A person without a connection; after ``grace`` seconds (0: now) the others may let a bot play on."""

    seat: int
    grace: int


class Presence(msgspec.Struct, frozen=True, tag="presence", tag_field="type"):
    """Who is away. Not an entry: sent on connecting and on every change, never repeated."""

    away: tuple[Away, ...]
    watching: int
    """How many connections look on without a seat."""


class TurnTime(msgspec.Struct, frozen=True, tag="clock", tag_field="type"):
    """How the clock stands, at a table that has one. Not an entry: sent on connecting and on every change."""

    seat: int | None
    """The seat whose time is told; ``null`` while no person is to act."""
    left: float
    """Seconds, from when this was sent."""
    of: int
    """How many a turn has."""
    running: bool
    """False while time stands still: in a pause."""


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="type"):
    """The message of that id is saved, as entry ``n``; also the answer to its repeat."""

    id: str
    n: int


class Refused(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    """The message of that id changed nothing: the reason as a key with values, and in English."""

    id: str
    key: str
    values: dict[str, Any]
    text: str


class Closing(msgspec.Struct, frozen=True, tag="closing", tag_field="type"):
    """The server shuts down; tables are safe. Connect again in a few seconds."""

    reason: str


class Trouble(msgspec.Struct, frozen=True, tag="trouble", tag_field="type"):
    """The server cannot save for the moment, for the reason of that key; an empty key: it can again."""

    key: str


AnyReply = (
    Welcome | Frame | TableFrame | ChatFrame | MutedFrame | Presence | TurnTime | Done | Refused | Closing | Trouble
)
"""Everything a client may receive."""
