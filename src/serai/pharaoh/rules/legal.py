"""Legal actions, each rule once: ``actions`` lists them, ``step`` checks them, refusals name them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from serai.pharaoh.rules.actions import (
    ARCHAEOLOGISTS,
    DROP,
    END,
    HELPERS,
    LAMP,
    LAYS,
    PHOTO_DRAWS,
    REVEALS,
    STEALS,
    TAKES,
    TILES,
    TREASURES,
    TURNS,
    UNLAMP,
    AnyAction,
    Lay,
    Reveal,
    Turn,
)
from serai.pharaoh.rules.board import EXITS, ORIENTATIONS, SHAPE_OF
from serai.pharaoh.rules.pieces import FACE_DOWN, FALLEN, NOWHERE, Tiles, is_passage
from serai.pharaoh.rules.ways import linked, walks

if TYPE_CHECKING:
    from serai.pharaoh.rules.rules import PharaohState


def turn_actions(state: PharaohState, seat: int) -> tuple[AnyAction, ...]:
    """Everything that a player may do in their turn (chapters 3 to 8)."""
    found: list[AnyAction] = []
    if state.moves_left:
        tiles, lamps = state.tiles, state.lamps[seat]
        found += [ARCHAEOLOGISTS[cell] for cell in walks(tiles, lamps, state.archaeologists[seat])]
        found += [HELPERS[cell] for cell in walks(tiles, lamps, state.helpers[seat])]
        found += reveals(state, seat)
        found += turns(state, seat)
        found += lamp_acts(state, seat)
    if state.acts_left:
        found += free_acts(state, seat)
    found.append(END)
    return tuple(found)


# -- moves (chapters 4 to 7; walking is in ``ways``) -------------------------------------------------------------------


def reveals(state: PharaohState, seat: int) -> list[Reveal]:
    """The neighbouring tiles that the archaeologist may turn over (5.1)."""
    stands, tiles = state.archaeologists[seat], state.tiles
    if stands == NOWHERE:
        return []
    return [REVEALS[cell] for cell, _ in EXITS[stands][tiles[stands]] if tiles[cell] == FACE_DOWN]


def lays(state: PharaohState) -> tuple[Lay, ...]:
    """The ways in which the drawn passage tile may be laid (5.2)."""
    ways = tuple(LAYS[openings] for openings in ORIENTATIONS[state.drawn])
    if state.options.no_sealed_tiles:
        return tuple(way for way in ways if not sealed(state.tiles, state.site, way.openings))
    return ways


def turns(state: PharaohState, seat: int) -> Sequence[Turn]:
    """The other ways in which the helper may turn a passage tile within its reach (6.1)."""
    tiles = state.tiles
    found: list[Turn] = []
    for cell in turnable(state, seat):
        found += _OTHER_WAYS[cell][tiles[cell]]
    return _unsealed(state, found)


def turns_of(state: PharaohState, cell: int) -> Sequence[Turn]:
    """The other ways in which the tile there may lie: none unless it is a passage (6.1)."""
    return _unsealed(state, _OTHER_WAYS[cell].get(state.tiles[cell], ()))


def _unsealed(state: PharaohState, turns: Sequence[Turn]) -> Sequence[Turn]:
    """With the option ``no_sealed_tiles`` only those that seal no tile (5.2)."""
    if not state.options.no_sealed_tiles:
        return turns
    return [turn for turn in turns if not sealed(state.tiles, turn.cell, turn.openings)]


def turnable(state: PharaohState, seat: int) -> list[int]:
    """The cells with a passage tile that the helper reaches (6.1)."""
    stands, tiles = state.helpers[seat], state.tiles
    if stands == NOWHERE:
        return []
    if state.options.turn_reach == "linked":
        near = linked(tiles, stands)
    else:
        near = [cell for cell, _ in EXITS[stands][tiles[stands]]]
    found = [cell for cell in near if is_passage(tiles[cell])]
    if is_passage(tiles[stands]):
        found.append(stands)
        found.sort()
    return found


def sealed(tiles: Tiles, cell: int, openings: int) -> bool:
    """Whether no opening faces a cell that still exists (5.2)."""
    return all(tiles[other] == FALLEN for other, _ in EXITS[cell][openings])


def lamp_acts(state: PharaohState, seat: int) -> tuple[AnyAction, ...]:
    """Putting up a lamp where the helper stands (7.1), or taking the own one down (7.2)."""
    stands = state.helpers[seat]
    if stands in state.lamps[seat]:
        return (UNLAMP,)
    return (LAMP,) if stands != NOWHERE and stands != state.start and state.supplies[seat] else ()


# -- free acts (chapter 8) ---------------------------------------------------------------------------------------------


def free_acts(state: PharaohState, seat: int) -> list[AnyAction]:
    """With hands full the archaeologist may drop, else take what lies there (8.1) or steal from those there (8.2)."""
    if state.carried[seat]:
        return [DROP]
    stands = state.archaeologists[seat]
    here = [value for cell, value in state.lying if cell == stands]
    found: list[AnyAction] = [TAKES[value] for value in dict.fromkeys(here)]
    for victim, value in enumerate(state.carried):
        if value and state.archaeologists[victim] == stands:
            found.append(STEALS[victim])
    return found


# -- chance (2.2) ------------------------------------------------------------------------------------------------------


def draws(state: PharaohState) -> tuple[AnyAction, ...]:
    """The possible draws: tiles, photos or treasures."""
    return tuple(compress(*_pieces(state)))


def draw_weights(state: PharaohState) -> tuple[int, ...]:
    """The number of pieces behind each of :func:`draws`."""
    return tuple(filter(None, _pieces(state)[1]))


def _pieces(state: PharaohState) -> tuple[tuple[AnyAction, ...], tuple[int, ...]]:
    """Every draw of the kind that is due, and the number of pieces left."""
    if state.drawn == NOWHERE:
        return TILES, state.unseen
    if not state.photo:
        return PHOTO_DRAWS, tuple(int(owner == NOWHERE) for owner in state.photos)
    return TREASURES, state.stack


_OTHER_WAYS = {
    cell: {
        code: tuple(turn for way, turn in turned.items() if SHAPE_OF[way] == SHAPE_OF[code] and way != code)
        for code in turned
    }
    for cell, turned in TURNS.items()
}
"""By cell, and the openings with which a passage tile lies there: all its turns."""
