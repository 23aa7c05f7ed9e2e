"""Das Gold des Pharao (2007): explore a pyramid, carry its treasures out, and run when the death mask leaves."""

from serai.core import CHANCE
from serai.pharaoh.game import GAME, Pharaoh
from serai.pharaoh.rules.actions import (
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
from serai.pharaoh.rules.events import AnyEvent
from serai.pharaoh.rules.rules import Options, PharaohState

__all__ = [
    "CHANCE",
    "GAME",
    "AnyAction",
    "AnyEvent",
    "Archaeologist",
    "Drop",
    "End",
    "Helper",
    "Lamp",
    "Lay",
    "Options",
    "Pharaoh",
    "PharaohState",
    "Photo",
    "Reveal",
    "Steal",
    "Take",
    "Tile",
    "Treasure",
    "Turn",
    "Unlamp",
]
