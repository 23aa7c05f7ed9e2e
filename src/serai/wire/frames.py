"""Frames: what a table sends to one viewer, and what a table looks like to everybody.

:mod:`serai.table.frames` makes them.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

SeatKind = Literal["open", "person", "bot"]
Phase = Literal["lobby", "playing", "over", "closed"]
Clock = Literal[0, 30, 60, 180, 600, 86_400]
"""Seconds a turn; 0 for as long as it takes."""


class TableRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's rules. They stand from its making on, and a rematch keeps them."""

    odds: bool = True
    """Whether those around the table may look at the odds, where the game has them."""
    hints: bool = False
    """Whether players may ask what the coach would do, where the game has one. Not among strangers, who could not tell
    who asks for what; nor on one screen, where all would see what a seat knows.
    """
    advice: bool = True
    """Whether the page shows what the game knows of an action beforehand: why it is illegal, how far it leads."""
    clock: Clock | None = None
    """Seconds a turn, 0 for no clock. Left out when a table is made: what is usual, 180 if public, else 0."""
    one_device: bool = False
    """Whether all sit at one screen: it shows only what everybody may see, and the legal actions."""
    draw_first: bool = False
    """Whether the dealer draws who begins, whatever the options say."""
    public: bool = False
    """Whether strangers find the table; if so, only ready-made phrases are said there."""


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
    """In how many positions this seat was given hints."""


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


class ChatFrame(Chat, frozen=True, omit_defaults=True, tag="chat", tag_field="type"):
    """Somebody said something."""


class MutedFrame(msgspec.Struct, frozen=True, tag="muted", tag_field="type"):
    """The seats this visitor does not hear; nobody else learns of it."""

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
    """The seat whose time runs; ``null`` while no person is to act."""
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
