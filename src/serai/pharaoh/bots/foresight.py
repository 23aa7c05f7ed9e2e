"""What a bot can foresee: how many moves away things are, and whether a figure gets out before its cell falls."""

from __future__ import annotations

from serai.pharaoh.pieces import CELLS, MOVES, NOWHERE, Cells, Tiles
from serai.pharaoh.rules import PharaohState
from serai.pharaoh.ways import walks

MARGIN = 1
"""Rings that may fall sooner than they should, because somebody steals the mask."""


def moves_from(tiles: Tiles, lamps: Cells, source: int) -> list[int]:
    """How many moves every cell is away for a player with these lamps; ``NOWHERE`` where no way leads."""
    far = [NOWHERE for _ in CELLS]
    far[source] = 0
    queue = [source]
    for here in queue:
        onward = far[here] + 1
        for other in walks(tiles, lamps, here):
            if far[other] == NOWHERE:
                far[other] = onward
                queue.append(other)
    return far


class Foresight:
    """The collapse as one player must expect it: a ring after every one of their turns, this one included."""

    def __init__(self, view: PharaohState, home: list[int]) -> None:
        self.collapsing = view.mask_chamber != NOWHERE
        self._view = view
        self._home = home
        self._fallen = view.ring if view.clock != NOWHERE else -1
        self._rings = view.falls

    def gets_home(self, cell: int, moves: int, *, rings: int = 0) -> bool:
        """Whether a figure there, with so many moves left this turn, reaches the start before its cell falls."""
        if not self.collapsing:
            return True
        home, turn, left = self._home, 1, moves
        fallen = self._fallen + rings
        if home[cell] == NOWHERE:
            return False
        tiles, lamps = self._view.tiles, self._view.lamps[self._view.turn]
        while home[cell]:
            if not left:
                if self._rings[cell] <= fallen + turn:
                    return False
                turn, left = turn + 1, MOVES
            cell = next(other for other in walks(tiles, lamps, cell) if home[other] == home[cell] - 1)
            left -= 1
            if self._rings[cell] <= fallen + turn - 1 and home[cell]:
                return False
        return True

    def must_leave(self, cell: int) -> bool:
        """Whether next turn could be too late for a figure there."""
        if not self.collapsing or not self._home[cell]:
            return False
        return not self.gets_home(cell, 0, rings=MARGIN)

    def trip_is_safe(self, far: list[int], cell: int, leaves_mask_chamber: bool) -> bool:
        """Whether one can go to that cell (``far`` moves away) and home again before the way falls."""
        if not self.collapsing:
            return True
        left = self._view.moves_left - far[cell]
        turns = 0
        while left < 0:
            turns, left = turns + 1, left + MOVES
        if self._view.countdown:
            if turns >= self._view.countdown:
                return False
            turns = 0  # nothing falls while the mask stays in its chamber
        if self._rings[cell] <= self._fallen + turns:
            return False
        return self.gets_home(cell, min(left, 1) if leaves_mask_chamber else left, rings=turns)
