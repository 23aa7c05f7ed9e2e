"""What comes: when every cell falls, who can still be home in time, and what ending the turn would mean.

All of it is what the rules do when everybody only ends their turns, and a single figure walks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from serai.pharaoh.actions import ARCHAEOLOGISTS, END, AnyAction
from serai.pharaoh.advice.answer import Collapse, Danger, Home
from serai.pharaoh.pieces import FALLEN, MASK, NOWHERE, Cells, Figure
from serai.pharaoh.rules import PharaohState
from serai.pharaoh.ways import route, walks

FIGURES: tuple[Figure, ...] = ("archaeologist", "helper")


def collapse(state: PharaohState) -> Collapse | None:
    """When each cell falls, told in turns of the player whose turns count."""
    if state.mask_chamber == NOWHERE:
        return None
    first = state.countdown or -state.ring
    turns = tuple(
        NOWHERE if ring == NOWHERE or code == FALLEN else first + ring
        for ring, code in zip(state.falls, state.tiles, strict=True)
    )
    return Collapse(state.finder if state.countdown else state.clock, turns)


class Future:
    """The positions in which each player's next turns begin, if nobody does anything from now on."""

    def __init__(self, state: PharaohState) -> None:
        # a tile that is still in hand lies nowhere yet
        self._states = [replace(state, actor=state.turn, site=NOWHERE, drawn=NOWHERE, photo=0, due=0)]

    def turns_of(self, seat: int, *, ended: bool = False) -> Iterator[PharaohState]:
        """Each of their turns, a running one as it stands unless it has ``ended``; at last what is left of the game."""
        at = int(ended)
        while True:
            if at == len(self._states):
                self._states.append(self._states[-1].apply(END))
            state = self._states[at]
            if state.over or state.turn == seat:
                yield state
            if state.over:
                return
            at += 1


def homes(state: PharaohState, future: Future | None) -> tuple[Home, ...]:
    """The way home of every figure that is not lost; there is no ``future`` to be afraid of before the mask."""
    found: list[Home] = []
    for seat in range(state.players):
        for figure in FIGURES:
            cell = place(state, seat, figure)
            if cell != NOWHERE:
                steps, way = way_home(state, seat, cell)
                moves = len(steps) if way else NOWHERE
                if future is None:
                    found.append(Home(seat, figure, moves, way))
                else:
                    safe = is_safe(state, future, seat, figure)
                    found.append(Home(seat, figure, moves, way, _holds(future, seat, way), safe))
    return tuple(found)


def place(state: PharaohState, seat: int, figure: Figure) -> int:
    """Where a figure stands."""
    return (state.archaeologists if figure == "archaeologist" else state.helpers)[seat]


def way_home(state: PharaohState, seat: int, cell: int) -> tuple[Cells, Cells]:
    """Where each move of a shortest walk to the start ends, and all cells it passes; both empty if there is none."""
    tiles, lamps = state.tiles, state.lamps[seat]
    came_from = {cell: NOWHERE}
    queue = [cell]
    for here in queue:
        for other in walks(tiles, lamps, here):
            if other not in came_from:
                came_from[other] = here
                queue.append(other)
    if state.start not in came_from:
        return (), ()
    ends = [state.start]
    while ends[-1] != cell:
        ends.append(came_from[ends[-1]])
    ends.reverse()
    way = [cell, *(step for one, other in pairwise(ends) for step in route(tiles, lamps, one, other)[1:])]
    return tuple(ends[1:]), tuple(way)


def is_safe(state: PharaohState, future: Future, seat: int, figure: Figure, *, ended: bool = False) -> bool:
    """Whether a figure can be home with what it carries before it falls, or still stands when the last round ends."""
    cell = place(state, seat, figure)
    turns = future.turns_of(seat, ended=ended)
    if figure == "archaeologist" and state.carried[seat] == MASK and cell == state.mask_chamber:
        return _is_safe_with_mask(turns, seat)
    return _is_safe_from({cell}, turns, seat)


def _is_safe_from(cells: set[int], turns: Iterator[PharaohState], seat: int) -> bool:
    for turn in turns:
        cells = _walked(turn, seat, {cell for cell in cells if turn.tiles[cell] != FALLEN})
        if turn.start in cells or (turn.over and cells):
            return True
        if not cells:
            return False
    return False


def _is_safe_with_mask(turns: Iterator[PharaohState], seat: int) -> bool:
    """The same for who holds the mask in its chamber, which falls when they leave and makes them clock (10.2)."""
    for turn in turns:
        chamber = turn.mask_chamber
        if turn.over or turn.tiles[chamber] == FALLEN:
            return turn.archaeologists[seat] != NOWHERE
        exits = walks(turn.tiles, turn.lamps[seat], chamber) if turn.moves_left else []
        if turn.start in exits:
            return True
        if exits:
            # the same falls, whichever way they go
            after = Future(turn.apply(ARCHAEOLOGISTS[exits[0]]))
            if _is_safe_from(set(exits), after.turns_of(seat), seat):
                return True
    return False


def dangers(
    state: PharaohState, seat: int, actions: tuple[AnyAction, ...], future: Future | None
) -> tuple[Danger, ...]:
    """The figures of the seat to act that it would cost to end the turn now, or which could not be saved any more."""
    if future is None or END not in actions:
        return ()
    after = state.apply(END)
    found: list[Danger] = []
    for figure in FIGURES:
        if place(state, seat, figure) == NOWHERE:
            continue
        if place(after, seat, figure) == NOWHERE:
            found.append(Danger(figure, lost=True))
        elif is_safe(state, future, seat, figure) and not is_safe(state, future, seat, figure, ended=True):
            found.append(Danger(figure, lost=False))
    return tuple(found)


def _walked(turn: PharaohState, seat: int, cells: set[int]) -> set[int]:
    """Where a figure that stands on one of these cells can be at the end of that turn."""
    reached, edge = set(cells), cells
    for _ in range(0 if turn.over else turn.moves_left):
        edge = {other for cell in edge for other in walks(turn.tiles, turn.lamps[seat], cell)} - reached
        reached |= edge
    return reached


def _holds(future: Future, seat: int, way: Cells) -> int:
    """In how many of that player's turns the whole way still stands."""
    count = 0
    for turn in future.turns_of(seat):
        if turn.over or not way or any(turn.tiles[cell] == FALLEN for cell in way):
            return count
        count += 1
    return count
