"""What a seat sees of a row, as numbers: the same as ``serai.pharaoh.encoding`` makes of a view."""

from __future__ import annotations

from serai.lab.driver import Array
from serai.lab.jit import inlined, lean
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.legal import Row, falling, openings_at
from serai.pharaoh.rules.pieces import CHAMBER_CODE, FALLEN, PHOTOS, START, TILE_COUNTS

_KINDS_OF_TILE = len(TILE_COUNTS)
_PHOTO_COUNT = len(PHOTOS)
_CHAMBER_COUNT = START - CHAMBER_CODE


@lean
def observe(row: Row, seat: int, seen: Array) -> None:
    """Write what ``seat`` sees of a game: all but what nobody knows (12.1)."""
    for place in range(at.SEEN_SIZE):
        seen[place] = 0
    seen[at.SEEN_PLAYERS] = row[at.PLAYERS]
    seen[at.SEEN_SEAT] = seat
    for place in range(at.START_CELL, at.RING_SHAPE + 1):
        seen[at.SEEN_RULES + place - at.START_CELL] = row[place]
    seen[at.SEEN_ROUNDS_LEFT] = at.MOST_SEEN
    if row[at.MAX_ROUNDS]:
        seen[at.SEEN_ROUNDS_LEFT] = min(row[at.MAX_ROUNDS] - row[at.ROUND], at.MOST_SEEN)
    seen[at.SEEN_RESTLESS] = min(row[at.RESTLESS], at.MOST_SEEN)
    seen[at.SEEN_CALM_LEFT] = at.MOST_SEEN
    if row[at.RESTLESS] and not falling(row):
        seen[at.SEEN_CALM_LEFT] = min(row[at.RESTLESS] - (row[at.ROUND] - row[at.STIRRED]), at.MOST_SEEN)
    seen[at.SEEN_ROUND] = min(row[at.ROUND], at.MOST_SEEN)
    seen[at.SEEN_TURN] = _from(row, seat, row[at.TURN])
    seen[at.SEEN_FIRST] = _from(row, seat, row[at.FIRST])
    seen[at.SEEN_MOVES_LEFT] = row[at.MOVES_LEFT]
    seen[at.SEEN_ACTS_LEFT] = row[at.ACTS_LEFT]
    seen[at.SEEN_SITE] = row[at.SITE]
    seen[at.SEEN_DRAWN] = row[at.DRAWN]
    for kind in range(_KINDS_OF_TILE):
        seen[at.SEEN_UNSEEN + kind] = row[at.UNSEEN + kind]
    for kind in range(2):
        seen[at.SEEN_STACK + kind] = row[at.STACK + kind]
    for kind in range(3):
        seen[at.SEEN_LOST + kind] = row[at.LOST + kind]
    seen[at.SEEN_MASK_AT] = row[at.MASK_AT]
    seen[at.SEEN_MASK_CHAMBER] = row[at.MASK_CHAMBER]
    seen[at.SEEN_FINDER] = _from(row, seat, row[at.FINDER])
    seen[at.SEEN_COUNTDOWN] = row[at.COUNTDOWN]
    seen[at.SEEN_CLOCK] = _from(row, seat, row[at.CLOCK])
    seen[at.SEEN_RING] = row[at.RING]
    seen[at.SEEN_CENTRE] = row[at.CENTRE]
    for photo in range(_PHOTO_COUNT):
        seen[at.SEEN_PHOTO + photo] = _from(row, seat, row[at.PHOTO_OWNER + photo])
    for other in range(row[at.PLAYERS]):
        _show_player(row, other, _from(row, seat, other), seen)
    _show_board(row, seen)


@inlined
def _from(row: Row, seat: int, other: int) -> int:
    """A seat counted from the observer; nobody stays nobody."""
    if other < 0:
        return other
    return other - seat if other >= seat else other - seat + row[at.PLAYERS]


@lean
def _show_player(row: Row, seat: int, place: int, seen: Array) -> None:
    seen[at.SEEN_ARCHAEOLOGIST + place] = row[at.ARCHAEOLOGIST + seat]
    seen[at.SEEN_HELPER + place] = row[at.HELPER + seat]
    seen[at.SEEN_CARRIED + place] = row[at.CARRIED + seat]
    seen[at.SEEN_SUPPLY + place] = row[at.SUPPLY + seat]
    seen[at.SEEN_POINTS + place] = row[at.POINTS + seat]
    for other in range(row[at.PLAYERS]):
        seen[at.SEEN_LATER + place] += row[at.CHANGED + other] < row[at.CHANGED + seat]
    for kind in range(3):
        seen[at.SEEN_MUSEUM + 3 * place + kind] = row[at.MUSEUM + 3 * seat + kind]
    for cell in range(at.CELL_COUNT):
        seen[at.SEEN_LAMPS + at.CELL_COUNT * place + cell] = row[at.LAMPS + seat] >> cell & 1


@lean
def _show_board(row: Row, seen: Array) -> None:
    for cell in range(at.CELL_COUNT):
        seen[at.SEEN_TILE + cell] = FALLEN if row[at.FALLEN] >> cell & 1 else openings_at(row, cell)
        for kind in range(2):
            lying = 0
            for place in range(3):
                lying |= (row[at.LYING + 3 * kind + place] >> cell & 1) << place
            seen[at.SEEN_TREASURE + at.CELL_COUNT * kind + cell] = lying
    seen[at.SEEN_TILE + row[at.START_CELL]] = START
    for chamber in range(_CHAMBER_COUNT):
        if row[at.CHAMBER_AT + chamber] >= 0:
            seen[at.SEEN_TILE + row[at.CHAMBER_AT + chamber]] = CHAMBER_CODE + chamber
