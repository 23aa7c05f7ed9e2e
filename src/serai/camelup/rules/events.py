"""The events of Camel Up, in steps small enough to animate. Spaces, camels and seats are numbers."""

from __future__ import annotations

from typing import Self

import msgspec

from serai.camelup.rules.pieces import Deck, Stack
from serai.core import Event


class CamelPlaced(Event, frozen=True, tag="camel_placed"):
    """Set-up: a camel came to its first space, on top of ``stack`` (rule 2.3)."""

    camel: int
    space: int
    stack: Stack


class LegBegan(Event, frozen=True, tag="leg_began"):
    """All dice are in the pyramid; the marker's holder begins (rules 2.4, 6.4, 6.5)."""

    leg: int
    marker: int


class LegTileTaken(Event, frozen=True, tag="leg_tile_taken"):
    """A player took the top leg tile of a colour."""

    seat: int
    camel: int
    value: int


class DesertPlaced(Event, frozen=True, tag="desert_placed"):
    """A player put their desert tile on a space; ``moved_from`` is 0 when it lay in front of them."""

    seat: int
    space: int
    side: int
    moved_from: int


class CardLaid(Event, frozen=True, tag="card_laid"):
    """A player laid a race card, the ``place``-th of its deck (from 1); only they know its colour."""

    seat: int
    deck: Deck
    camel: int | None
    place: int

    def seen_by(self, seat: int | None) -> Self:
        if seat is not None and seat == self.seat:
            return self
        return msgspec.structs.replace(self, camel=None)


class PyramidTileTaken(Event, frozen=True, tag="pyramid_tile_taken"):
    """A player took a pyramid tile and shakes the pyramid."""

    seat: int


class DieDrawn(Event, frozen=True, tag="die_drawn"):
    """A die fell out and lies on its tent."""

    seat: int
    camel: int
    pips: int


class UnitLifted(Event, frozen=True, tag="unit_lifted"):
    """The moving camel and its riders, bottom to top, leave ``space``; ``left`` stay there."""

    space: int
    unit: Stack
    left: Stack


class UnitHopped(Event, frozen=True, tag="unit_hopped"):
    """The unit hopped over these spaces, one by one; the last is where it ends for now."""

    unit: Stack
    spaces: tuple[int, ...]


class DesertMet(Event, frozen=True, tag="desert_met"):
    """The unit ended on a desert tile (rule 4.3)."""

    space: int
    side: int
    owner: int


class PoundPaid(Event, frozen=True, tag="pound_paid"):
    """The owner of that tile got a pound and now has ``money``."""

    seat: int
    amount: int
    money: int


class UnitLanded(Event, frozen=True, tag="unit_landed"):
    """The unit stands on top of ``stack`` (rules 4.2, 4.4)."""

    unit: Stack
    space: int
    stack: Stack


class UnitSlidUnder(Event, frozen=True, tag="unit_slid_under"):
    """After a mirage the unit stands underneath ``stack`` (rule 4.4)."""

    unit: Stack
    space: int
    stack: Stack


class FinishCrossed(Event, frozen=True, tag="finish_crossed"):
    """The unit went over the finish line: the race is over (rule 7.1)."""

    unit: Stack
    space: int


class LegEnded(Event, frozen=True, tag="leg_ended"):
    """A leg is about to be scored; camels from first to last."""

    leg: int
    ranking: Stack


class TileScore(msgspec.Struct, frozen=True):
    """What one leg tile brings."""

    camel: int
    value: int
    amount: int


class LegScored(Event, frozen=True, tag="leg_scored"):
    """One player's leg: tile by tile, the sum, what was really paid (rule 6.3) and the money after."""

    seat: int
    tiles: tuple[TileScore, ...]
    pyramid_tiles: int
    total: int
    paid: int
    money: int


class RaceEnded(Event, frozen=True, tag="race_ended"):
    """The race cards are about to be turned over: who won and who came last."""

    winner: int
    loser: int


class CardScored(Event, frozen=True, tag="card_scored"):
    """One race card: ``amount`` by the table, ``paid`` what was really paid (rule 7.3), the money after."""

    deck: Deck
    place: int
    seat: int
    camel: int
    right: bool
    amount: int
    paid: int
    money: int


class GameEnded(Event, frozen=True, tag="game_ended"):
    """Final money by seat, and who won."""

    money: tuple[int, ...]
    winners: tuple[int, ...]


AnyEvent = (
    CamelPlaced
    | LegBegan
    | LegTileTaken
    | DesertPlaced
    | CardLaid
    | PyramidTileTaken
    | DieDrawn
    | UnitLifted
    | UnitHopped
    | DesertMet
    | PoundPaid
    | UnitLanded
    | UnitSlidUnder
    | FinishCrossed
    | LegEnded
    | LegScored
    | RaceEnded
    | CardScored
    | GameEnded
)
