"""Serai: a table for two Egyptian board games, and a library to study them with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from serai.core import registry
from serai.core.chance import CHANCE
from serai.core.errors import (
    BadArgument,
    BadNotation,
    BadOptions,
    BadRecord,
    Hidden,
    IllegalAction,
    MissingExtra,
    NotOver,
    SeraiError,
    UnknownName,
)
from serai.core.registry import games
from serai.needs import tell_what_is_missing

if TYPE_CHECKING:
    from serai.arena.simulation import simulate
    from serai.camelup.game import CamelUp
    from serai.core.game import Game
    from serai.pharaoh.game import Pharaoh

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "BadArgument",
    "BadNotation",
    "BadOptions",
    "BadRecord",
    "Hidden",
    "IllegalAction",
    "MissingExtra",
    "NotOver",
    "SeraiError",
    "UnknownName",
    "__version__",
    "game",
    "games",
    "simulate",
]


tell_what_is_missing()


@overload
def game(name: Literal["camelup"]) -> CamelUp: ...
@overload
def game(name: Literal["pharaoh"]) -> Pharaoh: ...
@overload
def game(name: str) -> Game: ...
def game(name: str) -> Game:
    """The game of that name; of the games of the house an editor knows the type."""
    return registry.game(name)


def __getattr__(name: str) -> Any:
    """What takes longer to load is loaded when it is first asked for."""
    if name == "simulate":
        from serai.arena.simulation import simulate

        return simulate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
