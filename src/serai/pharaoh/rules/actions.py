"""The actions of Das Gold des Pharao: small values whose ``str()`` is their notation, and the list of them all."""

from __future__ import annotations

from typing import ClassVar, Literal

from serai.core import Action
from serai.pharaoh.rules.board import SHAPE_OF
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CELLS,
    MASK,
    PHOTOS,
    PLAYERS,
    SIDE_NAMES,
    TILE_NAMES,
    TREASURE_VALUES,
    treasure_name,
)


class _CellAction(Action, frozen=True):
    cell: int

    def __str__(self) -> str:
        return f"{self.kind} {CELL_NAMES[self.cell]}"


class _BareAction(Action, frozen=True):
    def __str__(self) -> str:
        return self.kind


class Archaeologist(_CellAction, frozen=True, tag="archaeologist"):
    """The archaeologist walks to a cell (rules 4.2, 4.3)."""

    kind: ClassVar[Literal["archaeologist"]] = "archaeologist"


class Helper(_CellAction, frozen=True, tag="helper"):
    """The helper walks to a cell (rules 4.2, 4.3)."""

    kind: ClassVar[Literal["helper"]] = "helper"


class Reveal(_CellAction, frozen=True, tag="reveal"):
    """The archaeologist turns over a neighbouring tile (rule 5.1); which tile it is, is a chance action of its own."""

    kind: ClassVar[Literal["reveal"]] = "reveal"


class Lay(Action, frozen=True, tag="lay"):
    """Lay the passage tile just revealed, with these openings (rule 5.2)."""

    kind: ClassVar[Literal["lay"]] = "lay"
    openings: int

    def __str__(self) -> str:
        return f"lay {SIDE_NAMES[self.openings]}"


class Turn(Action, frozen=True, tag="turn"):
    """The helper turns a passage tile so that it has these openings (rule 6.1)."""

    kind: ClassVar[Literal["turn"]] = "turn"
    cell: int
    openings: int

    def __str__(self) -> str:
        return f"turn {CELL_NAMES[self.cell]} {SIDE_NAMES[self.openings]}"


class Lamp(_BareAction, frozen=True, tag="lamp"):
    """The helper puts up a lamp where it stands (rule 7.1)."""

    kind: ClassVar[Literal["lamp"]] = "lamp"


class Unlamp(_BareAction, frozen=True, tag="unlamp"):
    """The helper takes down the own lamp where it stands (rule 7.2)."""

    kind: ClassVar[Literal["unlamp"]] = "unlamp"


class Take(Action, frozen=True, tag="take"):
    """The archaeologist picks up a treasure of this value, 5 being the mask (rule 8.1)."""

    kind: ClassVar[Literal["take"]] = "take"
    value: int

    def __str__(self) -> str:
        return f"take {treasure_name(self.value)}"


class Drop(_BareAction, frozen=True, tag="drop"):
    """The archaeologist leaves its treasure lying (rule 8.1)."""

    kind: ClassVar[Literal["drop"]] = "drop"


class Steal(Action, frozen=True, tag="steal"):
    """The archaeologist takes what that seat's archaeologist carries (rule 8.2)."""

    kind: ClassVar[Literal["steal"]] = "steal"
    seat: int

    def __str__(self) -> str:
        return f"steal {self.seat}"


class End(_BareAction, frozen=True, tag="end"):
    """End the turn (rule 3.1)."""

    kind: ClassVar[Literal["end"]] = "end"


class Tile(Action, frozen=True, tag="tile"):
    """The tile that was turned over is of this kind (chance)."""

    kind: ClassVar[Literal["tile"]] = "tile"
    tile: int

    def __str__(self) -> str:
        return f"tile {TILE_NAMES[self.tile]}"


class Photo(Action, frozen=True, tag="photo"):
    """The photo of this number, from 1, comes out of the camera (chance)."""

    kind: ClassVar[Literal["photo"]] = "photo"
    number: int

    def __str__(self) -> str:
        return f"photo {self.number}"


class Treasure(Action, frozen=True, tag="treasure"):
    """A treasure of this value is drawn from the stack (chance)."""

    kind: ClassVar[Literal["treasure"]] = "treasure"
    value: int

    def __str__(self) -> str:
        return f"treasure {self.value}"


AnyAction = (
    Archaeologist | Helper | Reveal | Lay | Turn | Lamp | Unlamp | Take | Drop | Steal | End | Tile | Photo | Treasure
)

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
"""Every possible action, in the order of ``actions()``; its index is its number in compiled code."""
