"""What a table stores: the numbered, append-only list of entries, from which all else follows.

Entries are private: they hold the dealer's secret and who sits behind which seat. What a viewer gets are frames.
``visitor`` is never the token itself but what the server derived from it; ``id`` is the sender's, kept so that a
repeat is known again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from serai.core.record import Origin
from serai.table.messages import SeatKind
from serai.table.rules import TableRules


class Sitting(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat, with what only the table knows."""

    kind: SeatKind = "open"
    name: str = ""
    bot: str = ""
    """The bot of a bot's seat."""
    visitor: str = ""
    value: str = ""
    """A person's part in the mix, in hex; empty while a rematch seat waits for its person."""
    left: bool = False
    stand_in: str = ""
    """The bot that plays for a person."""

    @property
    def player(self) -> str:
        """The bot that decides for this seat, or an empty text when its person does."""
        return self.bot or self.stand_in

    @property
    def own(self) -> bool:
        """Whether no bot decides for a person's seat: its person does, or nobody while they have left."""
        return self.kind == "person" and not self.stand_in

    @property
    def playing(self) -> bool:
        """Whether a person plays here, in person."""
        return self.own and not self.left


class Result(msgspec.Struct, frozen=True):
    """How a game ended; stored, so that it can be read even by a Serai that plays by other rules."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", kw_only=True):
    """One change of a table."""

    visitor: str = ""
    id: str = ""
    when: float = 0.0
    """At a table with a clock, seconds since 1970: whoever reads it later knows how long a turn has lasted."""


class Inherited(msgspec.Struct, frozen=True):
    """What a game that goes on from a position of another takes over from it."""

    origin: Origin
    actions: tuple[str, ...]
    """From the other's set-up on, with what the seat could not see drawn anew."""


class Created(Entry, frozen=True, tag="created"):
    """Entry 0: what is played, and the secret that is committed to from here on."""

    game: str
    rules: str
    options: dict[str, Any]
    table_rules: TableRules
    seats: tuple[Sitting, ...]
    secret: str
    at: str
    inherited: Inherited | None = None


class Seated(Entry, frozen=True, tag="seated"):
    """Who sits where, and who is host, from now on; ``why`` is the message that asked for it."""

    why: str
    seats: tuple[Sitting, ...]
    host: str
    seat: int | None = None
    """The seat that a person took."""


class OptionsSet(Entry, frozen=True, tag="options_set"):
    """The set-up's options, settled."""

    options: dict[str, Any]


class Started(Entry, frozen=True, tag="started"):
    """The game began: the mix, and the chance actions of the set-up."""

    mix: str
    actions: tuple[str, ...]
    at: str
    first: int | None = None
    """The seat that was drawn to begin, at a table where that is left to chance."""


class Acted(Entry, frozen=True, tag="acted"):
    """A seat's action and the chance actions that followed it, in notation: one entry, nothing can part them."""

    seat: int
    actions: tuple[str, ...]
    result: Result | None = None
    """Of the action that ended the game."""


class Undone(Entry, frozen=True, tag="undone"):
    """A seat took its last action back."""

    seat: int


class Hinted(Entry, frozen=True, tag="hinted"):
    """A seat was told what the coach would do in a position: its result was reached with hints."""

    seat: int
    on: int
    """The position, by how many entries had changed the game."""


class Said(Entry, frozen=True, tag="said"):
    """Chat."""

    seat: int
    text: str = ""
    phrase: str = ""
    name: str = ""
    """Of who said it, while seats may still change hands: before the start."""


class Muted(Entry, frozen=True, tag="muted"):
    """A visitor does not want to hear another one any more, or again."""

    whom: str
    on: bool


class Paused(Entry, frozen=True, tag="paused"):
    """The game stands still, or goes on."""

    on: bool


class Agreed(Entry, frozen=True, tag="agreed"):
    """A visitor agrees, or no longer, to end the game."""

    on: bool


class Ended(Entry, frozen=True, tag="ended"):
    """The last one agreed: the game ends and is scored as it stands."""

    result: Result


class Closed(Entry, frozen=True, tag="closed"):
    """The table was made under rules that are no longer played here: it can only be read."""

    rules: str


class Followed(Entry, frozen=True, tag="followed"):
    """There is a rematch, at another table."""

    table: str


AnyEntry = (
    Created
    | Seated
    | OptionsSet
    | Started
    | Acted
    | Undone
    | Hinted
    | Said
    | Muted
    | Paused
    | Agreed
    | Ended
    | Closed
    | Followed
)
write_entry: Callable[[AnyEntry], bytes] = msgspec.json.Encoder().encode
"""The entry as it is stored."""
read_entry: Callable[[bytes], AnyEntry] = msgspec.json.Decoder(AnyEntry).decode
"""The entry that was stored."""
