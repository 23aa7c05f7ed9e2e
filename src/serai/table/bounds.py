"""How much a table takes in besides its game: no history grows for ever while no game moves on.

Everything is counted from the entries, so that a restart changes nothing.
"""

from __future__ import annotations

from collections import Counter

from serai.core.errors import phrase
from serai.table.entries import Acted, Agreed, AnyEntry, Muted, OptionsSet, Paused, Said, Seated, Undone
from serai.table.errors import Refusal
from serai.table.messages import Phase

LOBBY = 200
"""Changes of seats and options before the start, of everybody together; a large round of people needs some dozens."""
TALK, TALK_OF_ONE = 1000, 300
"""Things said at one table, by everybody and by one visitor."""
MUTES, MUTES_OF_ONE = 300, 30
"""Anybody may mute, and need not have a seat."""
ASIDES, ASIDES_PER_MOVE = 60, 0.5
"""Pauses, agreements, leaving, taking over, hosting: so many of one visitor in a game, and more with each of its moves.
Going on after a pause and coming back are always possible: they undo what was counted."""
UNDOS, UNDOS_PER_ACTION = 20, 1
"""Actions that one seat may take back in a game, and more with each of its actions that stand."""
ACTIONS = 6000
"""Actions and draws of one game. Pharaoh's limit of 200 rounds comes before; without it, or where nobody ever rolls, a
game would have no end."""

phrase(
    {
        "table.bounds.lobby": "this table was changed {most} times before its start: start the game, or make a new one",
        "table.bounds.talk": "enough was said at this table ({most} times); after a rematch there is room again",
        "table.bounds.mutes": "enough was muted at this table ({most} times)",
        "table.bounds.asides": "{most} times is enough while the game hardly moves: wait until it has moved on",
        "table.bounds.undos": "you have taken back {most} actions: play on first",
        "table.bounds.actions": "this game has {most} actions: agree to end it",
    }
)


class Tally:
    """What a table has taken in so far, by kind and by visitor."""

    def __init__(self) -> None:
        self._all: Counter[str] = Counter()
        self._of: Counter[tuple[str, str | int]] = Counter()
        """By kind and visitor; undos by kind and seat."""

    def count(self, entry: AnyEntry, phase: Phase) -> None:
        """One more, at a table that was in this phase."""
        if isinstance(entry, Acted):  # most entries are
            return
        kind = _kind(entry, phase)
        if kind:
            self._all[kind] += 1
            self._of[kind, entry.seat if isinstance(entry, Undone) else entry.visitor] += 1

    def check(self, entry: AnyEntry, phase: Phase, moves: int, standing: int, actions: int) -> None:
        """Refuse an entry that would be too much: in a game with so many moves, of which so many of this entry's seat
        stand, and so many actions with the draws.
        """
        if isinstance(entry, Acted):
            if actions >= ACTIONS:
                raise Refusal("table.bounds.actions", most=ACTIONS)
            return
        kind = _kind(entry, phase)
        match kind:
            case "lobby":
                _below(kind, self._all[kind], LOBBY)
            case "talk":
                _below(kind, self._all[kind], TALK)
                _below(kind, self._of[kind, entry.visitor], TALK_OF_ONE)
            case "mutes":
                _below(kind, self._all[kind], MUTES)
                _below(kind, self._of[kind, entry.visitor], MUTES_OF_ONE)
            case "asides":
                _below(kind, self._of[kind, entry.visitor], ASIDES + int(ASIDES_PER_MOVE * moves))
            case "undos" if isinstance(entry, Undone):
                _below(kind, self._of[kind, entry.seat], UNDOS + UNDOS_PER_ACTION * standing)


def _kind(entry: AnyEntry, phase: Phase) -> str:
    """What it counts as; nothing if it moves the game on, or is the table's own doing."""
    match entry:
        case Seated() | OptionsSet() if phase == "lobby":
            return "lobby"
        case Seated(why="return") | Paused(on=False):
            return ""
        case Seated() | Paused() | Agreed() if entry.visitor:
            return "asides"
        case Said():
            return "talk"
        case Muted():
            return "mutes"
        case Undone():
            return "undos"
    return ""


def _below(kind: str, so_far: int, most: int) -> None:
    if so_far >= most:
        raise Refusal(f"table.bounds.{kind}", most=most)
