"""What a game is, without any game in it: values, chance, records. No I/O, no clock, no global randomness."""

from serai.core.chance import CHANCE, Actor, Chance
from serai.core.dealer import Dealer
from serai.core.game import Action, Event, Game, State
from serai.core.notation import Detail, PositionNotation
from serai.core.option import Option
from serai.core.play import Play, Ply, advance, deal
from serai.core.record import Record, Seat

__all__ = [
    "CHANCE",
    "Action",
    "Actor",
    "Chance",
    "Dealer",
    "Detail",
    "Event",
    "Game",
    "Option",
    "Play",
    "Ply",
    "PositionNotation",
    "Record",
    "Seat",
    "State",
    "advance",
    "deal",
]
