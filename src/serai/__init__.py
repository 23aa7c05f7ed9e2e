"""Serai: a table for two Egyptian board games, and a library to study them with."""

from serai.core.chance import CHANCE
from serai.core.errors import (
    BadNotation,
    BadOptions,
    BadRecord,
    Hidden,
    IllegalAction,
    NotOver,
    SeraiError,
    UnknownName,
)
from serai.core.registry import game, games

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "BadNotation",
    "BadOptions",
    "BadRecord",
    "Hidden",
    "IllegalAction",
    "NotOver",
    "SeraiError",
    "UnknownName",
    "__version__",
    "game",
    "games",
]
