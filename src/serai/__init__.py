"""Serai: a table for two Egyptian board games, and a library to study them with."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from serai.core.chance import CHANCE
from serai.core.game import Action, Event, Game, State
from serai.core.record import Record
from serai.core.registry import game as _game
from serai.core.registry import games

if TYPE_CHECKING:
    from serai.arena.simulate import simulate
    from serai.bots.referee import play
    from serai.camelup.game import CamelUp
    from serai.pharaoh.game import Pharaoh

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Action",
    "Event",
    "Game",
    "Record",
    "State",
    "__version__",
    "game",
    "games",
    "play",
    "simulate",
]

_LOADED_ON_FIRST_USE = {"play": "serai.bots.referee", "simulate": "serai.arena.simulate"}


@overload
def game(name: Literal["camelup"]) -> CamelUp: ...
@overload
def game(name: Literal["pharaoh"]) -> Pharaoh: ...
@overload
def game(name: str) -> Game: ...
def game(name: str) -> Game:
    """The game of that name."""
    return _game(name)


def __getattr__(name: str) -> Any:
    if name in _LOADED_ON_FIRST_USE:
        return getattr(import_module(_LOADED_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, those included that are loaded on first use."""
    return __all__
