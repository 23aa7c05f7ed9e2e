"""The types of advice, as they are sent to the page. Cells and seats are numbers, -1 is nowhere."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from serai.pharaoh.rules.pieces import Cells, Figure, Omen

Hand = Literal["archaeologist", "helper", "turn"]
"""What a player has selected while touching a cell: a figure, or the helper who is to turn tiles."""
Kind = Literal["walk", "reveal", "turn", "lamp", "unlamp"]
"""What a figure can do that costs a move."""


class Why(msgspec.Struct, frozen=True):
    """Why touching a cell does nothing: the refusal of the action that was meant."""

    hand: Hand
    cell: int
    key: str
    values: dict[str, Any]


class Lack(msgspec.Struct, frozen=True):
    """Why a figure cannot do one kind of thing at all."""

    kind: Kind
    key: str
    values: dict[str, Any]


class Ability(msgspec.Struct, frozen=True):
    """What one of the actor's figures can do now, and why it cannot do the rest."""

    figure: Figure
    can: tuple[Kind, ...]
    lacks: tuple[Lack, ...]


class Reached(msgspec.Struct, frozen=True):
    """A cell that one of the actor's figures can still walk to this turn."""

    figure: Figure
    cell: int
    steps: Cells
    """Where each move ends, this cell last. Only by the last move may something happen."""
    way: Cells
    """All cells that are passed, in order, both ends included."""


class Collapse(msgspec.Struct, frozen=True):
    """When cells fall, if nobody takes the mask or, while the fall is only announced, calms the pyramid (11.5.2)."""

    seat: int
    """The player whose turns count."""
    turns: Cells
    """By cell: at the end of which of their turns it falls, the running one being the first; -1 for never."""


class Home(msgspec.Struct, frozen=True):
    """How a figure gets home, if nobody takes the mask or moves a wall, and its player moves no other."""

    seat: int
    figure: Figure
    moves: int
    """-1 where no way leads home now."""
    way: Cells
    """All cells that are passed, in order, both ends included; empty where there is no way."""
    turns: int | None = None
    """Its player's turns, a running one included, for which that way holds; none while nothing falls."""
    safe: bool | None = None
    """Whether it can be home in time; none while nothing falls."""


class Danger(msgspec.Struct, frozen=True):
    """What ending the turn now would cost one of the actor's figures."""

    figure: Figure
    lost: bool
    """It falls at once; otherwise it would be safe if it went now, and would not be any more."""


class ShutIn(msgspec.Struct, frozen=True):
    """A figure that has a way home, and would have none if a tile were laid or turned like this."""

    cell: int
    openings: int
    seat: int
    figure: Figure
    alone: bool
    """The other figure of its player is not with it to open another way (rule 5.2)."""


class OmenWay(msgspec.Struct, frozen=True):
    """The way that mummy or curse would take, if a chamber lay on a cell that can be revealed now (rule 9.2)."""

    cell: int
    steps: tuple[tuple[int, int], ...]
    """From cell to cell, over all shortest ways; empty where no way leads out: nothing would happen."""


class PhotoLeft(msgspec.Struct, frozen=True):
    """A photo that is still in the camera, and what it shows."""

    number: int
    treasures: int
    omen: Omen


class Advice(msgspec.Struct, frozen=True):
    """All advice of a view. What concerns the actor is empty while nobody is to act."""

    whys: tuple[Why, ...]
    """Why touching a cell does nothing."""
    abilities: tuple[Ability, ...]
    """What each of the actor's figures can do now, and why it cannot do the rest."""
    reach: tuple[Reached, ...]
    """Cells that they can still walk to this turn."""
    dangers: tuple[Danger, ...]
    """What ending the turn now would cost them."""
    shut_in: tuple[ShutIn, ...]
    """Figures that laying or turning a tile would leave without a way home."""
    omens: tuple[OmenWay, ...]
    """The way that mummy or curse would take from a cell that can be revealed now."""
    homes: tuple[Home, ...]
    """How every figure gets home."""
    collapse: Collapse | None
    """None while nothing is going to fall."""
    photos: tuple[PhotoLeft, ...]
    """Photos that may still be drawn."""
