"""Entries: the numbered, append-only list that a table stores, and from which all else follows.

Entries are private: they hold the dealer's secret and the visitor behind each seat. Viewers get frames instead.
``visitor`` is never the token itself but what the server derives from it; ``id`` is the sender's, kept so that a
repeated message is recognised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from serai.core.record import Origin
from serai.wire.frames import Phase, SeatKind, TableRules


class Sitting(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat, with what only the table knows of it."""

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
        """Whether a person is playing this seat."""
        return self.own and not self.left


class Result(msgspec.Struct, frozen=True):
    """How a game ended; stored, so that a Serai with other rules can read it too."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", kw_only=True):
    """One change of a table."""

    visitor: str = ""
    id: str = ""
    when: float = 0.0
    """At a table with a clock, seconds since 1970: after a restart it shows how long a turn has lasted."""


class Inherited(msgspec.Struct, frozen=True):
    """What a game takes over from the one it goes on from."""

    origin: Origin
    actions: tuple[str, ...]
    """From the other game's set-up on, with what the seat could not see drawn anew."""


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
    """The game's options from now on, all of them."""

    options: dict[str, Any]


class Started(Entry, frozen=True, tag="started"):
    """The game began: the mix, and the chance actions of the set-up."""

    mix: str
    actions: tuple[str, ...]
    at: str
    first: int | None = None
    """The seat that was drawn to begin, at a table where that is left to chance."""


class Acted(Entry, frozen=True, tag="acted"):
    """A seat's action and the chance actions that followed it, in notation: one entry, so nothing can part them."""

    seat: int
    actions: tuple[str, ...]
    result: Result | None = None
    """Set by the action that ended the game."""


class Undone(Entry, frozen=True, tag="undone"):
    """A seat took its last action back."""

    seat: int


class Hinted(Entry, frozen=True, tag="hinted"):
    """A seat was given hints for a position: its result was reached with help."""

    seat: int
    on: int
    """The position, as the number of entries that had changed the game."""


class Said(Entry, frozen=True, tag="said"):
    """Chat."""

    seat: int
    text: str = ""
    phrase: str = ""
    name: str = ""
    """The speaker's name, stored only before the start, while seats may still change hands."""


class Muted(Entry, frozen=True, tag="muted"):
    """A visitor muted another one, or unmuted them."""

    whom: str
    on: bool


class Paused(Entry, frozen=True, tag="paused"):
    """The game was paused, or goes on."""

    on: bool


class Agreed(Entry, frozen=True, tag="agreed"):
    """A visitor agrees, or no longer agrees, to end the game."""

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
    Created | Seated | OptionsSet | Started | Acted | Undone | Hinted | Said | Muted | Paused | Agreed | Ended
    | Closed | Followed
)  # fmt: skip
write_entry: Callable[[AnyEntry], bytes] = msgspec.json.Encoder().encode
"""The entry as it is stored."""
read_entry: Callable[[bytes], AnyEntry] = msgspec.json.Decoder(AnyEntry).decode
"""The entry that was stored."""

# -- what entries say without being played out, so that tables under older rules count too -----------------------------

_LEADS_TO: dict[type[Entry], Phase] = {Started: "playing", Ended: "over", Closed: "closed"}


def phase_after(phase: Phase, entry: AnyEntry) -> Phase:
    """The phase that this entry leads to from ``phase``."""
    if isinstance(entry, Acted) and entry.result is not None:
        return "over"
    return _LEADS_TO.get(type(entry), phase)


class FinishedGame(msgspec.Struct, frozen=True):
    """Who played what, when, and how it ended."""

    game: str
    date: str
    seats: tuple[Sitting, ...]
    result: Result
    agreed: bool
    hints: dict[int, int] = {}
    """By seat: for how many positions it was given hints."""


def finished_game(entries: Iterable[AnyEntry]) -> FinishedGame | None:
    """The game of these entries in brief; ``None`` if it has no end."""
    game = date = ""
    seats: tuple[Sitting, ...] = ()
    result: Result | None = None
    agreed = False
    hinted: set[tuple[int, int]] = set()
    for entry in entries:
        match entry:
            case Created():
                game, seats = entry.game, entry.seats
            case Seated():
                seats = entry.seats
            case Started():
                date = entry.at
            case Acted() | Ended() if entry.result is not None:
                result, agreed = entry.result, isinstance(entry, Ended)
            case Hinted():
                hinted.add((entry.seat, entry.on))
            case _:
                pass
    if result is None:
        return None
    return FinishedGame(game, date, seats, result, agreed, Counter(seat for seat, _ in hinted))
