"""Whether a position that somebody wrote down can be played on from there."""

from __future__ import annotations

from collections.abc import Iterator

from serai.core import CHANCE
from serai.pharaoh import legal
from serai.pharaoh.pieces import (
    CELL_NAMES,
    CELLS,
    CHAMBER_NAMES,
    FACE_DOWN,
    FALLEN,
    FIRST_CHAMBER,
    LAMPS,
    MASK,
    NOWHERE,
    PHOTOS,
    is_chamber,
)
from serai.pharaoh.rules import PharaohState


def complaints(state: PharaohState) -> Iterator[str]:
    """What is wrong with a position, one sentence each."""
    yield from _figures(state)
    yield from _lamps(state)
    yield from _treasures(state)
    yield from _chambers(state)
    yield from _fallen(state)
    yield from _draw(state)


def treasures_in_play(state: PharaohState) -> list[int]:
    """The values of all treasures that have left the stack, the mask included."""
    carried = [value for value in state.carried if value]
    return [
        *(value for _, value in state.lying),
        *carried,
        *state.lost,
        *(value for one in state.museums for value in one),
    ]


def _is_open(state: PharaohState, cell: int) -> bool:
    return state.tiles[cell] not in (FACE_DOWN, FALLEN)


def _figures(state: PharaohState) -> Iterator[str]:
    for seat in range(state.players):
        for cell in (state.archaeologists[seat], state.helpers[seat]):
            if cell != NOWHERE and not _is_open(state, cell):
                yield f"a figure of seat {seat} stands on {CELL_NAMES[cell]}, which does not lie open"
        if state.carried[seat] and state.archaeologists[seat] in (NOWHERE, state.start):
            yield f"seat {seat} can carry a treasure only inside the pyramid"
        if state.changed[seat] > state.plies:
            yield f"seat {seat}'s score cannot have changed after the last ply: write 'turn … ply=N'"


def _lamps(state: PharaohState) -> Iterator[str]:
    for seat, lamps in enumerate(state.lamps):
        if len(set(lamps)) < len(lamps) or len(lamps) + state.supplies[seat] > LAMPS:
            yield f"seat {seat} has {LAMPS} lamps, at most one on a cell"
        for cell in lamps:
            if not _is_open(state, cell) or cell == state.start:
                yield f"no lamp can stand on {CELL_NAMES[cell]}"


def _treasures(state: PharaohState) -> Iterator[str]:
    for cell, _ in state.lying:
        if not _is_open(state, cell) or cell == state.start:
            yield f"no treasure can lie on {CELL_NAMES[cell]}"
    if treasures_in_play(state).count(MASK) != (state.mask_chamber != NOWHERE):
        yield "the mask is in one place if a line 'mask …' says where it was found, and nowhere if none does"


def _chambers(state: PharaohState) -> Iterator[str]:
    found = len(CHAMBER_NAMES) - sum(state.unseen[FIRST_CHAMBER:])
    taken = len(PHOTOS) - state.photos.count(NOWHERE)
    if taken > found:
        yield f"{taken} photos are taken, but only {found} chambers have been seen"
    if state.photo and state.photos[state.photo - 1] != state.turn:
        yield f"photo {state.photo} is being looked at, so it belongs to seat {state.turn}"


def _fallen(state: PharaohState) -> Iterator[str]:
    gone: set[int] = set()
    if state.clock != NOWHERE:
        gone.update(cell for cell, number in enumerate(state.falls) if 0 <= number <= state.ring)
    for cell in CELLS:
        if (state.tiles[cell] == FALLEN) != (cell in gone):
            yield f"{CELL_NAMES[cell]} {'has' if cell in gone else 'has not'} fallen (x) after {state.ring} rings"
    if state.countdown and not is_chamber(state.tiles[state.mask_chamber]):
        yield f"the mask was found in a chamber, but {CELL_NAMES[state.mask_chamber]} holds none"


def _draw(state: PharaohState) -> Iterator[str]:
    if any(count < 0 for count in state.unseen):
        yield "that tile is not in the box any more"
    if state.actor is CHANCE and not legal.draws(state):
        yield "nothing is left that could be drawn here"
    if state.site != NOWHERE and state.archaeologists[state.turn] == NOWHERE:
        yield f"seat {state.turn} has no archaeologist that could reveal anything"
