"""Which actions are legal, quickly: all actions are made once, and a state only picks from them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from serai.pharaoh.actions import (
    AnyAction,
    Archaeologist,
    Drop,
    End,
    Helper,
    Lamp,
    Lay,
    Photo,
    Reveal,
    Steal,
    Take,
    Tile,
    Treasure,
    Turn,
    Unlamp,
)
from serai.pharaoh.board import EXITS, ORIENTATIONS, SHAPE_OF
from serai.pharaoh.pieces import (
    CELLS,
    FACE_DOWN,
    FALLEN,
    MASK,
    NOWHERE,
    OPENINGS,
    PHOTOS,
    PLAYERS,
    TILE_NAMES,
    TREASURE_VALUES,
    Tiles,
    is_passage,
)
from serai.pharaoh.ways import linked, walks

if TYPE_CHECKING:
    from serai.pharaoh.rules import PharaohState

ARCHAEOLOGISTS = tuple(map(Archaeologist, CELLS))
HELPERS = tuple(map(Helper, CELLS))
REVEALS = tuple(map(Reveal, CELLS))
LAYS = {openings: Lay(openings) for openings in sorted(SHAPE_OF)}
TURNS = {cell: {openings: Turn(cell, openings) for openings in LAYS} for cell in CELLS}
LAMP, UNLAMP, DROP, END = Lamp(), Unlamp(), Drop(), End()
TAKES = {value: Take(value) for value in (*TREASURE_VALUES, MASK)}
STEALS = tuple(map(Steal, range(PLAYERS[-1])))
TILES = tuple(map(Tile, range(len(TILE_NAMES))))
PHOTO_DRAWS = tuple(Photo(number) for number in range(1, len(PHOTOS) + 1))
TREASURES = tuple(map(Treasure, TREASURE_VALUES))
ALL_ACTIONS: tuple[AnyAction, ...] = (
    *ARCHAEOLOGISTS,
    *HELPERS,
    *REVEALS,
    *LAYS.values(),
    *(turn for turns in TURNS.values() for turn in turns.values()),
    LAMP,
    UNLAMP,
    *TAKES.values(),
    DROP,
    *STEALS,
    END,
    *TILES,
    *PHOTO_DRAWS,
    *TREASURES,
)
"""Every action there can be."""


def turn_actions(state: PharaohState, seat: int) -> tuple[AnyAction, ...]:
    """What a player may do in their turn (chapters 3 to 8)."""
    found: list[AnyAction] = []
    if state.moves_left:
        _add_moves(state, seat, found)
    if state.acts_left:
        _add_free_acts(state, seat, found)
    found.append(END)
    return tuple(found)


def _add_moves(state: PharaohState, seat: int, found: list[AnyAction]) -> None:
    tiles, lamps = state.tiles, state.lamps[seat]
    archaeologist, helper = state.archaeologists[seat], state.helpers[seat]
    if archaeologist != NOWHERE:
        found += [ARCHAEOLOGISTS[cell] for cell in walks(tiles, lamps, archaeologist)]
    if helper != NOWHERE:
        found += [HELPERS[cell] for cell in walks(tiles, lamps, helper)]
    if archaeologist != NOWHERE:
        exits = EXITS[archaeologist][OPENINGS[tiles[archaeologist]]]
        found += [REVEALS[cell] for cell, _ in exits if tiles[cell] == FACE_DOWN]
    if helper != NOWHERE:
        sealed_refused = state.options.no_sealed_tiles
        for cell in turnable(state, helper):
            if sealed_refused:
                turns = TURNS[cell]
                found += [turns[way] for way in other_ways(tiles[cell]) if not sealed(tiles, cell, way)]
            else:
                found += _turns_of(cell, tiles[cell])
        if helper in lamps:
            found.append(UNLAMP)
        elif state.supplies[seat] and helper != state.start:
            found.append(LAMP)


def _add_free_acts(state: PharaohState, seat: int, found: list[AnyAction]) -> None:
    if state.carried[seat]:
        found.append(DROP)
        return
    cell = state.archaeologists[seat]
    if cell == NOWHERE:
        return
    if state.lying:
        found += [TAKES[value] for value in dict.fromkeys(value for place, value in state.lying if place == cell)]
    for victim, value in enumerate(state.carried):
        if value and state.archaeologists[victim] == cell:
            found.append(STEALS[victim])


# -- single questions (asked again by ``step``) ------------------------------------------------------------------------


def may_reveal(tiles: Tiles, stands: int, cell: int) -> bool:
    """Whether an archaeologist standing there may turn over this cell (5.1)."""
    if stands == NOWHERE:
        return False
    exits = EXITS[stands][OPENINGS[tiles[stands]]]
    return any(cell == other and tiles[other] == FACE_DOWN for other, _ in exits)


def lays(tiles: Tiles, site: int, kind: int, sealed_refused: bool) -> tuple[AnyAction, ...]:
    """How the drawn passage tile may be laid (5.2)."""
    return tuple(LAYS[way] for way in ORIENTATIONS[kind] if not (sealed_refused and sealed(tiles, site, way)))


def may_lay(tiles: Tiles, site: int, kind: int, openings: int, sealed_refused: bool) -> bool:
    """Whether the drawn passage tile may be laid with these openings (5.2)."""
    return openings in ORIENTATIONS[kind] and not (sealed_refused and sealed(tiles, site, openings))


def sealed(tiles: Tiles, cell: int, openings: int) -> bool:
    """Whether no opening faces a cell that still exists (5.2)."""
    return all(tiles[other] == FALLEN for other, _ in EXITS[cell][openings])


def may_turn(state: PharaohState, helper: int, cell: int, openings: int) -> bool:
    """Whether a helper standing there may turn this cell's tile so (6.1)."""
    if helper == NOWHERE or cell not in turnable(state, helper) or openings not in other_ways(state.tiles[cell]):
        return False
    return not (state.options.no_sealed_tiles and sealed(state.tiles, cell, openings))


def may_steal(state: PharaohState, seat: int, victim: int) -> bool:
    """Whether this seat may take what the other carries (8.2)."""
    if state.carried[seat] or victim not in range(state.players) or not state.carried[victim]:
        return False
    return state.archaeologists[seat] == state.archaeologists[victim]


def turnable(state: PharaohState, helper: int) -> list[int]:
    """The cells whose passage tile this helper may turn, ascending (6.1)."""
    tiles = state.tiles
    if state.options.turn_reach == "linked":
        near = linked(tiles, helper)
    else:
        near = [cell for cell, _ in EXITS[helper][OPENINGS[tiles[helper]]]]
    found = [cell for cell in near if is_passage(tiles[cell])]
    if is_passage(tiles[helper]):
        found.append(helper)
        found.sort()
    return found


@cache
def other_ways(code: int) -> tuple[int, ...]:
    """The other orientations of a passage tile that lies with these openings."""
    return tuple(way for way in ORIENTATIONS[SHAPE_OF[code]] if way != code)


@cache
def _turns_of(cell: int, code: int) -> tuple[Turn, ...]:
    return tuple(TURNS[cell][way] for way in other_ways(code))


# -- chance (2.2) ------------------------------------------------------------------------------------------------------


def draws(state: PharaohState) -> tuple[AnyAction, ...]:
    """What can come up now: a tile, a photo or a treasure."""
    if state.drawn == NOWHERE:
        return _present(TILES, state.unseen)
    if not state.photo:
        return _present(PHOTO_DRAWS, _in_camera(state.photos))
    return _present(TREASURES, state.stack)


def draw_weights(state: PharaohState) -> tuple[int, ...]:
    """How many pieces stand behind each of :func:`draws`."""
    if state.drawn == NOWHERE:
        counts = state.unseen
    elif not state.photo:
        counts = _in_camera(state.photos)
    else:
        counts = state.stack
    return tuple(count for count in counts if count)


def _in_camera(photos: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(owner == NOWHERE) for owner in photos)


def _present(actions: tuple[AnyAction, ...], counts: tuple[int, ...]) -> tuple[AnyAction, ...]:
    return tuple(action for action, count in zip(actions, counts, strict=True) if count)
