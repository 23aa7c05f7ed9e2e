"""What a game is, without any game in it: values, chance, records, errors. No I/O, no clock, no global randomness."""

from serai.core.chance import CHANCE, Actor, Chance
from serai.core.dealer import Dealer
from serai.core.errors import (
    BadNotation,
    BadOptions,
    BadRecord,
    Hidden,
    IllegalAction,
    NotOver,
    SeraiError,
    UnknownName,
    phrase,
)
from serai.core.game import Action, Event, Game, State
from serai.core.notation import Detail, PositionNotation
from serai.core.option import Option
from serai.core.play import Play, Ply, advance, deal
from serai.core.playouts import HABIT, Memory, Playouts
from serai.core.record import Record, Seat
from serai.core.simulation import Simulator, Tally

__all__ = [
    "CHANCE",
    "HABIT",
    "Action",
    "Actor",
    "BadNotation",
    "BadOptions",
    "BadRecord",
    "Chance",
    "Dealer",
    "Detail",
    "Event",
    "Game",
    "Hidden",
    "IllegalAction",
    "Memory",
    "NotOver",
    "Option",
    "Play",
    "Playouts",
    "Ply",
    "PositionNotation",
    "Record",
    "Seat",
    "SeraiError",
    "Simulator",
    "State",
    "Tally",
    "UnknownName",
    "advance",
    "deal",
    "phrase",
]
