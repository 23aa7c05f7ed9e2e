"""Quotas: how many entries of each kind a table accepts, so that no history grows for ever while its game stands.

Everything is counted from the entries, so a restart changes nothing.
"""

from __future__ import annotations

from collections import Counter

from serai.errors import phrase
from serai.table.entries import Acted, Agreed, AnyEntry, Muted, OptionsSet, Paused, Said, Seated, Undone
from serai.table.errors import Refusal
from serai.wire.bodies import GAME_ACTIONS
from serai.wire.frames import Phase

LOBBY = 200
"""Changes of seats and options before the start, by everybody together; a large group needs a few dozen."""
TALK, TALK_OF_ONE = 1000, 300
"""Chat lines at one table: by everybody, and by one visitor."""
MUTES, MUTES_OF_ONE = 300, 30
"""Mutes at one table: by everybody, and by one visitor, who needs no seat for it."""
ASIDES, ASIDES_PER_MOVE = 60, 0.5
"""Pauses, agreements, leaving, taking over, becoming host: how many one visitor may make, and how many more with each
move of the game. Resuming and returning are always possible: they undo what was counted."""
UNDOS, UNDOS_PER_ACTION = 20, 1
"""Undos of one seat in a game, and how many more with each of its actions that stand."""

phrase(
    {
        "table.bounds.lobby": "seats and options were changed {most} times: start the game, or make a new table",
        "table.bounds.talk": "the chat of this table is full ({most} lines); a rematch has room again",
        "table.bounds.mutes": "no more mutes at this table: there were {most}",
        "table.bounds.asides": "{most} pauses and the like are enough for now: wait until the game has moved on",
        "table.bounds.undos": "you have undone {most} actions: play on first",
        "table.bounds.actions": "this game has {most} actions, which is the limit: agree to end it",
    }
)


class Usage:
    """Counts the entries of a table, by kind and by visitor."""

    def __init__(self) -> None:
        self._all: Counter[str] = Counter()
        self._of: Counter[tuple[str, str | int]] = Counter()
        """By kind and visitor; undos by seat."""

    def count(self, entry: AnyEntry, phase: Phase) -> None:
        """Count an entry of a table that was in this phase."""
        if isinstance(entry, Acted):  # most entries are
            return
        kind = _kind(entry, phase)
        if kind:
            self._all[kind] += 1
            self._of[kind, entry.seat if isinstance(entry, Undone) else entry.visitor] += 1

    def check(self, entry: AnyEntry, phase: Phase, *, moves: int, standing: int, actions: int) -> None:
        """Refuse an entry over its quota, in a game of ``moves`` moves whose record has ``actions`` actions.

        ``standing``: for an undo, how many moves of its seat stand.
        """
        if isinstance(entry, Acted):
            if actions >= GAME_ACTIONS:
                raise Refusal("table.bounds.actions", most=GAME_ACTIONS)
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
    """The quota that it counts for; none if it moves the game on or nobody asked for it."""
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
