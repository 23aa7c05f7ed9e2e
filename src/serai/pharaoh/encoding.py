"""Das Gold des Pharao in numbers: the actions and what a seat sees. ``kernel.observe`` writes the same."""

from __future__ import annotations

from functools import partial
from operator import mul
from typing import get_args

from serai.lab.encoding import MOST, PLACES, Encoding, Field, remembered, rotated, signed
from serai.pharaoh.rules.actions import ALL_ACTIONS, AnyAction, Photo, Tile, Treasure
from serai.pharaoh.rules.board import RingShape
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CELL_NUMBERS,
    CELLS,
    COUNTDOWN,
    FALLEN,
    FREE_ACTS,
    LAMPS,
    LOST_ARCHAEOLOGIST,
    LOST_HELPER,
    MASK,
    MOVES,
    NOWHERE,
    PHOTO_POINTS,
    PHOTOS,
    PLAYERS,
    SIZE,
    TILE_COUNTS,
    TILE_NAMES,
    TREASURE_COUNTS,
    TREASURE_VALUES,
    Cells,
    Lying,
    treasure_name,
)
from serai.pharaoh.rules.rules import Options, PharaohState, TurnReach

_SEATS = PLAYERS[-1]
VALUES = (*TREASURE_VALUES, MASK)
_BY_SEAT = (tuple(map(str, range(_SEATS))),)
_BY_VALUE = (tuple(map(str, TREASURE_VALUES)),)
_BY_TREASURE = (tuple(map(treasure_name, VALUES)),)
_BY_CELL = (CELL_NAMES,)
_LAST_CELL = CELLS[-1]
_LEAST_POINTS = LOST_ARCHAEOLOGIST + LOST_HELPER
_MOST_POINTS = PHOTO_POINTS * len(PHOTOS) + sum(map(mul, TREASURE_VALUES, TREASURE_COUNTS)) + MASK
REACHES = get_args(TurnReach)
RINGS = get_args(RingShape)


def option_numbers(options: Options) -> tuple[int, ...]:
    """The options that change the rules, from ``no_sealed_tiles`` to ``ring``, as small numbers."""
    return (
        options.no_sealed_tiles,
        REACHES.index(options.turn_reach),
        options.hide_scores,
        options.frightened_drop,
        options.event_without_way_ends_turn,
        options.mask_exit_ends_turn,
        RINGS.index(options.ring),
    )


def _calm_left(view: PharaohState) -> int:
    """After how many more quiet rounds than this one the pyramid begins to fall by itself (11.5)."""
    restless = view.options.restless
    return MOST if restless is None or view.falling else min(restless - (view.round - view.stirred), MOST)


class PharaohEncoding(Encoding[PharaohState, AnyAction]):
    """489 actions, 15 draws, 333 numbers to see."""

    state_type = PharaohState
    actions = tuple(action for action in ALL_ACTIONS if not isinstance(action, Tile | Photo | Treasure))
    draws = tuple(action for action in ALL_ACTIONS if isinstance(action, Tile | Photo | Treasure))
    fields = (
        Field("players", "how many play", PLAYERS[0], _SEATS, one_hot=True),
        Field("seat", "the observer's seat, since `steal` names seats as they are", 0, _SEATS - 1, one_hot=True),
        Field("start", "option: the cell of the start tile", 0, _LAST_CELL, one_hot=True),
        Field("no_sealed_tiles", "option", 0, 1),
        Field("turn_reach", "option: 0 linked, 1 opening", 0, 1),
        Field("hide_scores", "option; it changes nothing here", 0, 1),
        Field("frightened_drop", "option", 0, 1),
        Field("event_without_way_ends_turn", "option", 0, 1),
        Field("mask_exit_ends_turn", "option", 0, 1),
        Field("ring_shape", "option `ring`: 0 king, 1 rook", 0, 1),
        Field("rounds_left", "how many rounds may come after this one; 127 if there is no limit", 0, MOST),
        Field("restless", "option: after how many quiet rounds the pyramid falls by itself, 0 for never", 0, MOST),
        Field(
            "calm_left",
            "how many more quiet rounds it stands after this one; 127 if it falls already, or never does so by itself",
            0,
            MOST,
        ),
        Field("round", "the round, from 1", 1, MOST, scale=50),
        Field("turn", "whose turn it is", 0, _SEATS - 1, one_hot=True),
        Field("first", "who begins a round", 0, _SEATS - 1, one_hot=True),
        Field("moves_left", "moves left in this turn", 0, MOVES, one_hot=True),
        Field("acts_left", "free acts left in this turn", 0, FREE_ACTS),
        Field("site", "the cell of the tile being turned over, -1 if there is none", NOWHERE, _LAST_CELL, one_hot=True),
        Field(
            "drawn",
            f"the kind of tile that came up there ({', '.join(TILE_NAMES)}), -1 if there is none",
            NOWHERE,
            len(TILE_NAMES) - 1,
            one_hot=True,
        ),
        Field("unseen", "how many of this kind nobody has seen", 0, max(TILE_COUNTS), (TILE_NAMES,)),
        Field("stack", "treasures of this value not yet drawn", 0, max(TREASURE_COUNTS), _BY_VALUE),
        Field("lost", "treasures that fell", 0, max(TREASURE_COUNTS), _BY_TREASURE),
        Field("mask_at", "the cell where the mask lies, -1 if it does not", NOWHERE, _LAST_CELL, one_hot=True),
        Field("mask_chamber", "the cell where the mask was found, -1 before that", NOWHERE, _LAST_CELL, one_hot=True),
        Field("finder", "who found it, -1 before that", NOWHERE, _SEATS - 1, one_hot=True),
        Field(
            "countdown",
            "ends of the finder's turns until that chamber falls, 0 when no countdown runs",
            0,
            COUNTDOWN + 1,
            one_hot=True,
        ),
        Field("clock", "at the end of whose turns rings fall, -1 for nobody", NOWHERE, _SEATS - 1, one_hot=True),
        Field("ring", "the last ring that fell, 0 for none", 0, 2 * SIZE),
        Field(
            "centre",
            "the cell about which rings fall, or are going to; -1 while nothing is",
            NOWHERE,
            _LAST_CELL,
            one_hot=True,
        ),
        Field(
            "photo",
            "who has this photo, -1 while it is in the camera",
            NOWHERE,
            _SEATS - 1,
            (tuple(map(str, range(1, len(PHOTOS) + 1))),),
            one_hot=True,
        ),
        Field("archaeologist", "the cell where it stands, -1 when lost", NOWHERE, _LAST_CELL, _BY_SEAT, one_hot=True),
        Field("helper", "the cell where it stands, -1 when lost", NOWHERE, _LAST_CELL, _BY_SEAT, one_hot=True),
        Field("carried", "the value carried (5 is the mask), 0 for nothing", 0, MASK, _BY_SEAT, one_hot=True),
        Field("supply", "lamps not put up", 0, LAMPS, _BY_SEAT),
        Field("points", "points as they stand", _LEAST_POINTS, _MOST_POINTS, _BY_SEAT, scale=10),
        Field(
            "later",
            "how many others' scores have stood as they are for longer: of equal scores the one with less here wins",
            0,
            _SEATS - 1,
            _BY_SEAT,
        ),
        Field("museum", "treasures in safety", 0, max(TREASURE_COUNTS), _BY_SEAT + _BY_TREASURE),
        Field(
            "tile",
            "what lies there: 0 face down, 1 to 15 the openings of a passage, 16 to 20 the chambers, 21 the start, "
            "22 fallen",
            0,
            FALLEN,
            _BY_CELL,
            one_hot=True,
        ),
        Field("treasure", "how many treasures of this value lie there", 0, max(TREASURE_COUNTS), _BY_VALUE + _BY_CELL),
        Field("lamp", "1 where that seat has a lamp", 0, 1, _BY_SEAT + _BY_CELL),
    )

    def number_bytes(self, view: PharaohState, seat: int) -> bytes:
        """All but what nobody knows (12.1)."""
        options, players = view.options, view.players
        place_of = PLACES[players][seat]
        mask_at, treasures = _lying(view.lying)
        return b"".join(
            (
                bytes((players, seat)),
                _settings(options),
                signed(
                    (
                        MOST if options.max_rounds is None else min(options.max_rounds - view.round, MOST),
                        min(options.restless or 0, MOST),
                        _calm_left(view),
                        min(view.round, MOST),
                        place_of[view.turn],
                        place_of[options.first],
                        view.moves_left,
                        view.acts_left,
                        view.site,
                        view.drawn,
                        *view.unseen,
                        *view.stack,
                        *map(view.lost.count, VALUES),
                        mask_at,
                        view.mask_chamber,
                        place_of[view.finder],
                        view.countdown,
                        place_of[view.clock],
                        view.ring,
                        view.centre,
                        *[place_of[owner] for owner in view.photos],
                    )
                ),
                _by_seat(view.archaeologists, seat),
                _by_seat(view.helpers, seat),
                _by_seat(view.carried, seat),
                _by_seat(view.supplies, seat),
                _by_seat(view.points, seat),
                _later(view.changed, seat),
                _museums(view.museums, seat),
                bytes(view.tiles),
                treasures,
                _lamps(view.lamps, seat),
            )
        )


_by_seat = remembered(partial(rotated, seats=_SEATS))


@remembered
def _settings(options: Options) -> bytes:
    return bytes((CELL_NUMBERS[options.entrance], *option_numbers(options)))


@remembered
def _later(changed: tuple[int, ...], seat: int) -> bytes:
    return rotated(tuple([sum(other < mine for other in changed) for mine in changed]), seat, _SEATS)


@remembered
def _museums(museums: tuple[tuple[int, ...], ...], seat: int) -> bytes:
    counted = [museum.count(value) for museum in museums[seat:] + museums[:seat] for value in VALUES]
    return bytes(counted).ljust(len(VALUES) * _SEATS, b"\0")


@remembered
def _lying(lying: Lying) -> tuple[int, bytes]:
    """Where the mask lies, and how many other treasures, by value and cell."""
    treasures = bytearray(len(TREASURE_VALUES) * len(CELLS))
    mask_at = NOWHERE
    for cell, value in lying:
        if value == MASK:
            mask_at = cell
        else:
            treasures[TREASURE_VALUES.index(value) * len(CELLS) + cell] += 1
    return mask_at, bytes(treasures)


@remembered
def _lamps(lamps: tuple[Cells, ...], seat: int) -> bytes:
    lit = bytearray(_SEATS * len(CELLS))
    for place, cells in enumerate(lamps[seat:] + lamps[:seat]):
        for cell in cells:
            lit[place * len(CELLS) + cell] = 1
    return bytes(lit)


ENCODING = PharaohEncoding()
