"""Camel Up in numbers: the actions and, field by field, what a seat sees. ``kernel.observe`` writes the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serai.camelup.rules.actions import ALL_ACTIONS, AnyAction, Die
from serai.camelup.rules.pieces import (
    CAMEL_NAMES,
    CAMELS,
    FACES,
    FIRST_DESERT_SPACE,
    LAST_SPACE,
    LEG_VALUES,
    PLAYERS,
    TRACK_SIZE,
    Track,
)
from serai.camelup.rules.rules import CamelUpState, Cards, Hand
from serai.camelup.rules.scoring import LegBets
from serai.core.chance import seat_of
from serai.errors import Hidden
from serai.lab.encoding import MOST, PLACES, Encoding, Field, remembered, rotated, signed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_SEATS = PLAYERS[-1]
_BY_SEAT = (tuple(map(str, range(_SEATS))),)
_BY_CAMEL = (CAMEL_NAMES,)
_DECK_SIZE = _SEATS * len(CAMELS)
_BY_CARD = (tuple(map(str, range(1, _DECK_SIZE + 1))),)
_NOBODY = -1
_NONE = b"\xff"
"""Nobody, as a byte."""


class CamelUpEncoding(Encoding[CamelUpState, AnyAction]):
    """46 actions, 15 draws, 161 numbers to see."""

    state_type = CamelUpState
    actions = tuple(action for action in ALL_ACTIONS if not isinstance(action, Die))
    draws = tuple(action for action in ALL_ACTIONS if isinstance(action, Die))
    fields = (
        Field("players", "how many play", PLAYERS[0], _SEATS, one_hot=True),
        Field("leg", "the leg, from 1; 0 while the camels are placed", 0, MOST, scale=10),
        Field("turn", "whose turn it is", 0, _SEATS - 1, one_hot=True),
        Field("marker", "who began this leg", 0, _SEATS - 1, one_hot=True),
        Field("space", "where the camel stands, 0 before it is placed", 0, TRACK_SIZE - 1, _BY_CAMEL, one_hot=True),
        Field("rank", "how many camels are behind it: 4 leads", 0, len(CAMELS) - 1, _BY_CAMEL, one_hot=True),
        Field(
            "tent", "the number on its die, 0 while the die is in the pyramid", 0, FACES[-1], _BY_CAMEL, one_hot=True
        ),
        Field(
            "leg_tile",
            "who holds this leg tile, -1 while it is there to take",
            _NOBODY,
            _SEATS - 1,
            (CAMEL_NAMES, tuple(map(str, LEG_VALUES))),
            one_hot=True,
        ),
        Field("pyramid", "pyramid tiles taken in this leg", 0, len(CAMELS), _BY_SEAT),
        Field(
            "desert",
            "the space of its desert tile, negative for a mirage, 0 while it lies in front of its owner",
            -LAST_SPACE,
            LAST_SPACE,
            _BY_SEAT,
            one_hot=True,
        ),
        Field("money", "pounds", 0, MOST, _BY_SEAT, scale=20),
        Field("cards", "race cards left in that hand", 0, len(CAMELS), _BY_SEAT),
        Field("hand", "1 if the observer still holds this card", 0, 1, _BY_CAMEL),
        Field(
            "own_winner",
            "at which place of the winner deck, from 1, the observer's card of this colour lies; 0 if it does not",
            0,
            _DECK_SIZE,
            _BY_CAMEL,
            scale=10,
        ),
        Field("own_loser", "the same of the loser deck", 0, _DECK_SIZE, _BY_CAMEL, scale=10),
        Field(
            "winner_deck",
            "who laid this card of the winner deck, -1 behind the last",
            _NOBODY,
            _SEATS - 1,
            _BY_CARD,
            one_hot=True,
        ),
        Field("loser_deck", "the same of the loser deck", _NOBODY, _SEATS - 1, _BY_CARD, one_hot=True),
    )

    def odds_names(self) -> tuple[str, ...]:
        """Chances from the race table and expected pounds: :mod:`serai.camelup.odds.features`."""
        from serai.camelup.odds.features import odds_names

        return odds_names()

    def _odds_of(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        from serai.camelup.odds.features import odds_of

        return odds_of(observations)

    def number_bytes(self, view: CamelUpState, seat: int) -> bytes:
        """Of others' cards only whose they are and how many."""
        hand = view.hands[seat]
        if None in hand:
            raise Hidden(f"this view does not show seat {seat}'s race cards: observe from a seat whose view it is")
        players = view.players
        place_of = PLACES[players][seat]
        own_winner, winner_deck = _deck(view.winner_deck, players, seat)
        own_loser, loser_deck = _deck(view.loser_deck, players, seat)
        return b"".join(
            (
                bytes((players, min(view.leg, MOST), place_of[view.turn], place_of[view.marker])),
                _standing(view.track, None if view.leg else view.tents),
                bytes(view.tents),
                *[_takers(taken, players, seat) for taken in view.leg_bets],
                _by_seat(view.pyramid_tiles, seat),
                _by_seat(view.deserts, seat),
                _by_seat(view.money, seat),
                _by_seat(tuple(map(len, view.hands)), seat),
                _held(hand),
                own_winner,
                own_loser,
                winner_deck,
                loser_deck,
            )
        )

    def mask_bytes(self, view: CamelUpState) -> bytearray:
        """What ``view.actions()`` lists, without making a list."""
        seat = seat_of(view.actor)
        cards = _held(view.hand(seat))
        return bytearray(_tiles_left(view.leg_bets) + _free(view.free_spaces(seat)) + _ROLL + cards + cards)


_ROLL = b"\1"
"""A player may always roll."""


@remembered
def _tiles_left(bets: LegBets) -> bytes:
    return bytes([len(takers) < len(LEG_VALUES) for takers in bets])


@remembered
def _free(spaces: int) -> bytes:
    """Both sides of a desert tile on each space of these bits."""
    return bytes([spaces >> space & 1 for space in range(FIRST_DESERT_SPACE, LAST_SPACE + 1)]) * 2


@remembered
def _standing(track: Track, placed: tuple[int, ...] | None) -> bytes:
    """Where each camel stands, and how many are behind it.

    While camels are ``placed`` (their tents then), those not yet placed stand on 0, by colour.
    """
    spaces, ranks = bytearray(len(CAMELS)), bytearray(len(CAMELS))
    waiting = [camel for camel in CAMELS if placed and not placed[camel]]
    for rank, camel in enumerate(waiting):
        ranks[camel] = rank
    behind = len(waiting)
    for space, stack in enumerate(track):
        for camel in stack:
            spaces[camel], ranks[camel] = space, behind
            behind += 1
    return bytes(spaces + ranks)


@remembered
def _by_seat(values: tuple[int, ...], seat: int) -> bytes:
    return rotated(tuple([min(value, MOST) for value in values]), seat, _SEATS)


@remembered
def _held(hand: Hand) -> bytes:
    return bytes([camel in hand for camel in CAMELS])


@remembered
def _takers(taken: tuple[int, ...], players: int, seat: int) -> bytes:
    """Who holds the leg tiles of one colour."""
    place_of = PLACES[players][seat]
    return signed([place_of[taker] for taker in taken]).ljust(len(LEG_VALUES), _NONE)


@remembered
def _deck(deck: Cards, players: int, seat: int) -> tuple[bytes, bytes]:
    """At which places the observer's own cards lie, by colour, and whose cards lie at all places."""
    place_of = PLACES[players][seat]
    own = bytearray(len(CAMELS))
    for place, (owner, camel) in enumerate(deck, 1):
        if owner == seat and camel is not None:
            own[camel] = place
    return bytes(own), signed([place_of[owner] for owner, _ in deck]).ljust(_DECK_SIZE, _NONE)


ENCODING = CamelUpEncoding()
