"""When every cell falls, who can still be home in time, and what ending the turn would cost.

All of it follows from the rules if everybody only ends their turns and a single figure walks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from serai.pharaoh.advice.answer import Collapse, Danger, Home
from serai.pharaoh.rules.actions import ARCHAEOLOGISTS, END, AnyAction
from serai.pharaoh.rules.pieces import CELLS, FALLEN, FIGURES, MASK, NOWHERE, Cells, Figure
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import route, walks


def collapse(state: PharaohState) -> Collapse | None:
    """When each cell falls, in turns of the player whose turns count."""
    if not state.falls:
        return None
    if state.falling:
        seat = state.finder if state.countdown else state.clock
        first = state.countdown or -state.ring
    else:  # announced: the player who ends the rounds will be the clock (11.5.4)
        seat, first = (state.options.first - 1) % state.players, 1
    turns = tuple(
        NOWHERE if ring == NOWHERE or code == FALLEN else first + ring
        for ring, code in zip(state.falls, state.tiles, strict=True)
    )
    return Collapse(seat, turns)


class Future:
    """The positions in which each player's next turns begin, if nobody does anything from now on."""

    def __init__(self, state: PharaohState) -> None:
        # a tile that is still in hand lies nowhere yet
        self._states = [replace(state, actor=state.turn, site=NOWHERE, drawn=NOWHERE, photo=0, due=0)]

    def turns_of(self, seat: int, *, ended: bool = False) -> Iterator[PharaohState]:
        """Each of their turns, a running one as it stands unless it has ``ended``; last the end of the game."""
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
    """The way home of every figure that is not lost; without a ``future`` nothing falls yet."""
    found: list[Home] = []
    for seat in range(state.players):
        for figure in FIGURES:
            cell = state.cell_of(seat, figure)
            if cell != NOWHERE:
                steps, way = walks_from(state, seat, cell, len(CELLS)).get(state.start, ((), ()))
                moves = len(steps) if way else NOWHERE
                if future is None:
                    found.append(Home(seat, figure, moves, way))
                else:
                    safe = is_safe(state, future, seat, figure)
                    found.append(Home(seat, figure, moves, way, _holds(future, seat, way), safe))
    return tuple(found)


def walks_from(
    state: PharaohState, seat: int, stands: int, moves: int, ends: Callable[[int, int], bool] | None = None
) -> dict[int, tuple[Cells, Cells]]:
    """Every cell that this many moves reach: where each move of a shortest walk ends, and all cells that it passes.

    No walk goes on after a move, from cell to cell, of which ``ends`` is true.
    """
    tiles, lamps = state.tiles, state.lamps[seat]
    found: dict[int, tuple[Cells, Cells]] = {stands: ((), (stands,))}
    edge = [stands]
    for _ in range(moves):
        onward: list[int] = []
        for here in edge:
            steps, way = found[here]
            for cell in walks(tiles, lamps, here):
                if cell not in found:
                    found[cell] = (*steps, cell), way + route(tiles, lamps, here, cell)[1:]
                    if ends is None or not ends(here, cell):
                        onward.append(cell)
        edge = onward
    return found


def is_safe(state: PharaohState, future: Future, seat: int, figure: Figure, *, ended: bool = False) -> bool:
    """Whether a figure can be home with what it carries before it falls, or still stands when the last round ends."""
    cell = state.cell_of(seat, figure)
    turns = future.turns_of(seat, ended=ended)
    holds_mask = figure == "archaeologist" and state.carried[seat] == MASK and bool(state.countdown)
    if holds_mask and cell == state.mask_chamber:
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
    """The figures of the seat to act that are lost if the turn ends now, or could not be saved any more."""
    if future is None or END not in actions:
        return ()
    after = state.apply(END)
    found: list[Danger] = []
    for figure in FIGURES:
        if state.cell_of(seat, figure) == NOWHERE:
            continue
        if after.cell_of(seat, figure) == NOWHERE:
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
