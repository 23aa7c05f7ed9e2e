"""What a tile would do: whom it shuts in as it is laid or turned, which way an omen takes; and what is left to find."""

from __future__ import annotations

from serai.core.tuples import put
from serai.pharaoh.actions import AnyAction, Lay, Reveal, Turn
from serai.pharaoh.advice.answer import OmenWay, PhotoLeft, ShutIn
from serai.pharaoh.advice.escape import FIGURES, place
from serai.pharaoh.pieces import CHAMBER_CODE, NOWHERE, PHOTOS
from serai.pharaoh.rules import PharaohState
from serai.pharaoh.shutting import is_alone
from serai.pharaoh.ways import distances, linked, shortest_way


def shut_in(state: PharaohState, actions: tuple[AnyAction, ...]) -> tuple[ShutIn, ...]:
    """For every way to lay or turn a tile that is on offer, the figures that would lose their way home by it."""
    before = distances(state.tiles, state.start)
    found: list[ShutIn] = []
    for action in actions:
        if isinstance(action, Lay | Turn):
            cell = action.cell if isinstance(action, Turn) else state.site
            tiles = put(state.tiles, cell, action.openings)
            after = distances(tiles, state.start)
            for seat in range(state.players):
                for figure in FIGURES:
                    stands = place(state, seat, figure)
                    if stands != NOWHERE and before[stands] != NOWHERE and after[stands] == NOWHERE:
                        alone = is_alone(state, tiles, seat, stands)
                        found.append(ShutIn(cell, action.openings, seat, figure, alone))
    return tuple(found)


def omens(state: PharaohState, actions: tuple[AnyAction, ...]) -> tuple[OmenWay, ...]:
    """The shortest ways to the start from every cell that can be revealed, if it turned out to be a chamber."""
    return tuple(
        OmenWay(action.cell, _steps_out(state, action.cell)) for action in actions if isinstance(action, Reveal)
    )


def photos(state: PharaohState) -> tuple[PhotoLeft, ...]:
    """What is still in the camera."""
    return tuple(
        PhotoLeft(number, shown.treasures, shown.omen)
        for number, (shown, owner) in enumerate(zip(PHOTOS, state.photos, strict=True), start=1)
        if owner == NOWHERE
    )


def _steps_out(state: PharaohState, chamber: int) -> tuple[tuple[int, int], ...]:
    tiles = put(state.tiles, chamber, CHAMBER_CODE)
    way, far = shortest_way(tiles, chamber, state.start), distances(tiles, chamber)
    return tuple((one, other) for one in way for other in linked(tiles, one) if other in way and far[other] > far[one])
