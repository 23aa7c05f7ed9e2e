"""The bodies of REST requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from serai.core.parts import Reason
from serai.wire.frames import AnyFrame, Frame, SeatInfo, TableInfo, TableRules
from serai.wire.messages import MAX_TEXT, Count, MessageId, Name, SeatNumber, Value, Word

GAME_ACTIONS = 6000
"""Actions and draws after which a table's game takes no more. Without a limit, a game in which nobody ever rolls would
have no end; it is far more than any game that people play."""
LAST_DRAWS = 16
"""The most draws that follow one action."""
MAX_ACTIONS = GAME_ACTIONS + LAST_DRAWS
"""The longest game that a table can record, and so the longest record that is read."""
MAX_FRAMES = MAX_ACTIONS + 2
"""Frames of such a game: of the set-up, the actions, and an agreed end."""
ACTION_LINE, RECORD_HEAD = 24, 8 * 1024
"""Bytes, at most, of an action in a record and of all that stands around the actions."""
MAX_RECORD = MAX_ACTIONS * ACTION_LINE + RECORD_HEAD
"""Characters of such a record."""


class OptionInfo(msgspec.Struct, frozen=True):
    """One choice of a game's set-up: what a form needs to offer it."""

    name: str
    type: str
    default: Any
    label: str
    choices: tuple[Any, ...]
    optional: bool


class BotStanding(msgspec.Struct, frozen=True):
    """How strong a bot was found to be, among all bots of its game."""

    bot: str
    rating: float
    """On the scale of Elo; the game's yardstick is 1500."""
    low: float
    high: float
    """The 95 % interval."""
    wins: float
    """Its share of victories at tables with all others."""
    seats: int
    """At each of these tables."""


class WarmingBot(msgspec.Struct, frozen=True):
    """A bot that is still being tried: it is listed among the others as soon as it has decided once."""

    bot: str
    seconds: int
    """About how long it still needs."""
    level: int | None
    """Its place among all levels of the game, from 0; ``None`` if it is no level."""


class GameInfo(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    name: str
    rules: str
    players: tuple[int, int]
    """The least and the most."""
    options: tuple[OptionInfo, ...]
    bots: tuple[str, ...]
    """Those that are ready, weakest first."""
    levels: tuple[str, ...]
    """Those of them that people choose from, weakest first; none in a game whose bots are not ranked."""
    company: dict[str, tuple[str, ...]]
    """By level: the bots that play where only the level was chosen, itself first."""
    against_bots: dict[str, Any]
    """The options, off their defaults, of a game that is begun against bots without any questions."""
    standings: tuple[BotStanding, ...]
    """The published ladder of those bots, best first; none in a game without one."""
    warming: tuple[WarmingBot, ...]
    """Bots that are not ready yet, since the server has just started, weakest first."""
    odds: bool
    """Whether this server can work out odds of this game."""
    advice: bool
    """Whether it can say beforehand what an action would mean."""
    hints: bool
    """Whether players can ask here what the coach would do."""
    lesson: bool
    """Whether it brings a guided game."""
    exercises: bool
    """Whether it brings positions to train with."""
    insights: bool
    """Whether it brings what many games of it teach."""
    reviews: bool
    """Whether finished games are reviewed here."""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table shall be; its creator is the host and takes a seat by joining, like everybody."""

    game: Word
    seats: Annotated[int, Meta(ge=1, le=16)] | UnsetType = UNSET
    """How many (open) seats to begin with; the fewest the game allows if left out."""
    options: dict[str, Any] = {}
    table_rules: TableRules = msgspec.field(default_factory=TableRules)
    bots: dict[SeatNumber, Word] = {}
    """Seats that bots take at once."""


class Continue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Play on from a moment of a finished game, of a table or in a record, against bots of one kind."""

    turn: Count
    """How many actions of players were done."""
    seat: SeatNumber
    """Whose place the caller may take: what that seat could not see is drawn anew."""
    bot: Word
    table: Word | UnsetType = UNSET
    record: Annotated[str, Meta(max_length=MAX_RECORD)] | UnsetType = UNSET


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat: the one named, else the one that waits for this visitor, else the first open one."""

    id: MessageId
    name: Name
    value: Value
    seat: SeatNumber | UnsetType = UNSET


class Joined(msgspec.Struct, frozen=True):
    """The seat taken, and the entry that says so."""

    seat: int
    n: int


class Seen(msgspec.Struct, frozen=True):
    """A table as a visitor sees it."""

    table: TableInfo
    yours: tuple[int, ...]
    link: str
    """The invitation: everybody who opens it can take an open seat or watch."""
    local: bool
    """Whether only this server's own computer can open it."""


class Spoken(msgspec.Struct, frozen=True):
    """A code, to be said aloud, that leads to a table for some seconds."""

    code: str
    seconds: int


class Called(msgspec.Struct, frozen=True):
    """The table of a code."""

    table: str


class MyGame(msgspec.Struct, frozen=True):
    """A finished game that the caller had a seat in."""

    table: str
    game: str
    date: str
    seats: tuple[SeatInfo, ...]
    yours: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    agreed: bool
    """Whether it was ended by agreement."""


class FramesPage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Some of a table's frames."""

    frames: tuple[AnyFrame, ...]
    next: int | None = None
    """Where to go on: the rest comes ``after`` this number; left out when there is no more so far."""


class Handover(msgspec.Struct, frozen=True):
    """A secret code that moves the caller's seats to another device, once and for some seconds."""

    code: str
    link: str
    """A page of this server that claims the code."""
    qr: str
    """The link as a drawing (SVG)."""
    seconds: int


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code as somebody typed it."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class Claim(Code, frozen=True, forbid_unknown_fields=True):
    """The same, to be used up now."""

    drop: bool = False
    """Whether this device may forget the games that it has finished itself."""


class Offered(msgspec.Struct, frozen=True):
    """What claiming a code would mean for this device."""

    here: bool = False
    """The visitor is at this device already."""
    tables: int = 0
    """Seats of its own in games that are not over: while there are any, nothing can be claimed."""
    games: int = 0
    """Finished games of its own that it would know nothing of any more."""


class Claimed(msgspec.Struct, frozen=True):
    """The seats are here now."""

    tables: tuple[str, ...]
    """Those of games that are not over."""


class Draw(msgspec.Struct, frozen=True):
    """One draw of a finished game, so that it can be checked without knowing the rules."""

    n: int
    outcomes: tuple[str, ...]
    weights: tuple[int, ...]
    drawn: str


class Draws(msgspec.Struct, frozen=True):
    """All draws of a finished game, with what they were drawn from."""

    commit: str
    mix: str
    secret: str
    values: tuple[str, ...]
    """The players' own values in seat order: their SHA-256 is the mix."""
    draws: tuple[Draw, ...]
    players: int
    inherited: int = 0
    """How many of the first draws were taken over from another game, and so not drawn from this secret."""
    first: int | None = None
    """The seat that was drawn to begin, if that was left to chance: under a label of its own, among the players."""


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be replayed, as ``seat`` (``null``: an onlooker) saw it, from the frame ``after`` that number on."""

    record: Annotated[str, Meta(max_length=MAX_RECORD)]
    seat: SeatNumber | None = None
    after: Annotated[int, Meta(ge=-1, le=MAX_FRAMES)] = -1


class ReplayMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position of a record, after the frame of that number, as ``seat`` (``null``: an onlooker) saw it."""

    record: Annotated[str, Meta(max_length=MAX_RECORD)]
    n: Annotated[int, Meta(ge=1, le=MAX_FRAMES)]
    seat: SeatNumber | None = None


class Replayed(msgspec.Struct, frozen=True):
    """A recorded game as the frames that its table sent, with all that is needed to check its draws."""

    seat: int | None
    table: TableInfo
    """As it was in the end."""
    frames: tuple[AnyFrame, ...]
    draws: Draws
    """Without the players' own values: a record does not hold them."""
    next: int | None = None
    """Where to go on: the rest comes ``after`` this number."""


class Exercises(msgspec.Struct, frozen=True):
    """What there is to train with."""

    game: str
    today: str
    """The exercise of the day, the same for everybody."""
    themes: dict[str, tuple[str, ...]]
    """By theme the ids of its exercises."""


class InsightBar(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval."""

    name: str
    """By which the sentence calls it; of its insight's bars no two have the same."""
    label: str
    """What it is the figure of: the end of a key of the catalogues."""
    values: dict[str, int | str]
    """The values in that text."""
    value: float
    low: float
    high: float


class Insight(msgspec.Struct, frozen=True):
    """Something that many games of a game teach: a sentence of the catalogues, and the figures that it stands on."""

    key: str
    unit: str
    bars: tuple[InsightBar, ...]
    games: int
    mark: float | None
    """A value to compare the figures with."""
    exercise: str | None
    """The id of an exercise that shows it."""


class Insights(msgspec.Struct, frozen=True):
    """How to play a game well."""

    game: str
    games: int
    """How many games all figures are from."""
    insights: tuple[Insight, ...]


class Posed(msgspec.Struct, frozen=True):
    """A position in which one action is clearly best, without the answer."""

    id: str
    theme: str
    seat: int
    """Who is to act."""
    table: TableInfo
    frame: Frame


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody would do there: one of the frame's ``actions``."""

    action: dict[str, Any]


class Weighed(msgspec.Struct, frozen=True):
    """An action and what it is worth to who does it."""

    action: str
    """Its notation."""
    wins: float
    """The share of victory."""
    error: float
    score: float
    reasons: tuple[Reason, ...]
    against: str
    """The action that the reasons compare it with, in notation; empty where they compare nothing."""


class Judged(msgspec.Struct, frozen=True):
    """What an answer was worth."""

    right: bool
    chosen: Weighed
    best: tuple[Weighed, ...]
    """The best first, then the next."""
    lead: float
    """By how much the best is better than the next."""
    error: float


class ToReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record of a finished game to be reviewed."""

    record: Annotated[str, Meta(max_length=MAX_RECORD)]


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused: a key with values, and the reason in English."""

    key: str
    values: dict[str, Any]
    text: str


class Odds(msgspec.Struct, frozen=True):
    """The odds of a position: a value of the game's own type, or ``null`` where there are none."""

    game: str
    odds: Any
    on: int | UnsetType = UNSET
    """At a table: how many entries had changed the game."""


class Advice(msgspec.Struct, frozen=True):
    """What a game says of a position before anybody acts: a value of the game's own type."""

    game: str
    advice: Any
    on: int
    """How many entries had changed the game."""


class AskHints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of the caller's wants to know what the coach would do, in the position that it has before it."""

    seat: SeatNumber
    on: Count


class Hint(msgspec.Struct, frozen=True):
    """One of the best actions, and what it is worth to the seat."""

    action: Any
    """One of those that the last frame offered."""
    notation: str
    wins: float
    """Its share of victory."""
    error: float
    """The standard error of that."""
    score: float
    """Pounds or points, on average."""
    reasons: tuple[Reason, ...]
    against: str
    """The action that the reasons compare it with, in notation; empty where they compare nothing."""


class Hints(msgspec.Struct, frozen=True):
    """The best actions, best first."""

    on: int
    hints: tuple[Hint, ...]


# -- people: what is kept about them, what they report, what the host does ---------------------------------------------


class KeptTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table keeps about a visitor."""

    table: str
    game: str = ""
    phase: str = ""
    date: str = ""
    names: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    """Everything they said there; a ready-made phrase in brackets."""
    entries: int = 0
    """How many changes of the table are theirs: actions, talk and all others."""
    damaged: bool = False
    """The table cannot be read; their name may be in it."""


class Kept(msgspec.Struct, frozen=True):
    """All that is kept about a visitor."""

    visitor: str
    """The hash by which the server knows them."""
    tables: tuple[KeptTable, ...]
    devices: int
    """Devices that were noted because the visitor moved between them."""
    reports_by_you: tuple[str, ...]
    reports_about_you: int


class ReportPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word to the host about who has a seat."""

    seat: SeatNumber
    text: Annotated[str, Meta(max_length=MAX_TEXT)] = ""


class ReportInfo(msgspec.Struct, frozen=True):
    """A report, as the host sees it."""

    id: int
    """0: not stored yet."""
    at: float
    table: str
    seat: int
    name: str
    visitor: str
    """Who is reported."""
    address: str
    """From where the reported player was connected then; empty if that was another server process."""
    reporter: str
    text: str


class BanInfo(msgspec.Struct, frozen=True):
    """What the host forbids an address or a visitor."""

    subject: str
    """``address:…`` or ``visitor:…``."""
    kind: Literal["ban", "silence"]
    """``ban``: everything; ``silence``: to say something."""
    until: float
    """By the wall clock."""
    why: str


class NewBan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Shut out or silence an address or a visitor for a while."""

    subject: Annotated[str, Meta(min_length=1, max_length=100)]
    """An address, or a visitor as the lists show them."""
    kind: Literal["ban", "silence"]
    hours: Annotated[float, Meta(gt=0, le=87_600)]
    why: Annotated[str, Meta(max_length=MAX_TEXT)] = ""


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An address, or a visitor as the lists show them."""

    subject: Annotated[str, Meta(min_length=1, max_length=100)]


class Lifted(msgspec.Struct, frozen=True):
    """How many there were."""

    count: int


class HostTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table, as the host sees it in the list."""

    id: str
    phase: str
    public: bool
    at: str
    """The day of its last entry, or of the one that ended the game."""
    entries: int
    game: str = ""
    """Empty unless this process has the table in memory; so are the rest."""
    names: tuple[str, ...] = ()
    connected: int = 0
    made_by: str = ""
    """The address from which it was made, while that is known."""


class HostTables(msgspec.Struct, frozen=True):
    """How many tables there are by phase, and the newest of them."""

    counts: dict[str, int]
    tables: tuple[HostTable, ...]


class SeatedHere(msgspec.Struct, frozen=True):
    """A person at a table, as the host sees them."""

    seat: int
    name: str
    visitor: str


class Connected(msgspec.Struct, frozen=True):
    """Somebody who is connected to a table at this process."""

    table: str
    address: str
    visitor: str
    """Empty: an onlooker without a token."""
    seat: int | None
    name: str
