"""What one entry did to a table: the game before and after it, and what a frame for any viewer is made from."""

from __future__ import annotations

from typing import Any

import msgspec

from serai.core.play import Play
from serai.table.entries import AnyEntry
from serai.table.messages import TableInfo


class Snapshot:
    """A state of the game with the views taken of it; ``shown`` once nothing is hidden any more, ``shared`` where all
    look at one screen.
    """

    __slots__ = ("_actions", "_views", "shared", "shown", "state")

    def __init__(self, state: Any, shown: bool = False, shared: bool = False) -> None:
        self.state = state
        self.shown = shown
        self.shared = shared
        self._views: dict[int | None, Any] = {}
        self._actions: tuple[Any, ...] | None = None

    def view(self, seat: int | None) -> Any:
        """The state as this seat may see it."""
        if self.shown:
            return self.state
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self.state.seen_by(seat)
        return view

    def eyes(self, seat: int | None) -> int | None:
        """With whose eyes whoever looks through this seat is told of the game: on a screen that all look at, nothing
        stands that not everybody may see.
        """
        return None if self.shared else seat

    def actions(self) -> tuple[Any, ...]:
        """What the actor may do."""
        if self._actions is None:
            self._actions = self.state.actions()
        return self._actions

    def forget(self) -> None:
        """Drop what can be worked out again."""
        self._views.clear()
        self._actions = None


class Effect(msgspec.Struct, frozen=True):
    """What one entry did, kept so that its frame can be made for any viewer at any time."""

    n: int
    on: int
    entry: AnyEntry
    before: Snapshot | None
    after: Snapshot | None
    play: Play | None
    info: TableInfo | None
    """The table after it, if the entry changed that."""
    offers: int | None
    """The seat whose person may act now."""
    undo: int | None
    """The seat whose last action may be taken back now."""
    unheard: frozenset[str]
    """For chat: visitors who do not hear it."""
    muted: tuple[int, ...]
    """For a mute: the seats its visitor does not hear from now on."""
    holders: tuple[str, ...]
    """The visitor behind each seat."""
