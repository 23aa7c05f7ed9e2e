"""Camel Up (2014): five camels race round a pyramid, carrying each other, while the players bet on them."""

from serai.camelup.game import GAME, CamelUp
from serai.camelup.rules.actions import AnyAction, Die, Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.rules.events import AnyEvent
from serai.camelup.rules.pieces import BLUE, CAMEL_NAMES, CAMELS, GREEN, ORANGE, WHITE, YELLOW
from serai.camelup.rules.rules import CamelUpState, Options
from serai.core import CHANCE

__all__ = [
    "BLUE",
    "CAMELS",
    "CAMEL_NAMES",
    "CHANCE",
    "GAME",
    "GREEN",
    "ORANGE",
    "WHITE",
    "YELLOW",
    "AnyAction",
    "AnyEvent",
    "CamelUp",
    "CamelUpState",
    "Die",
    "Leg",
    "Loser",
    "Mirage",
    "Oasis",
    "Options",
    "Roll",
    "Winner",
]
