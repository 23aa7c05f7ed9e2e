"""Camel Up in numbers: the actions and, field by field, what a seat sees. ``kernel.observe`` writes the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from serai.camelup.rules.actions import ALL_ACTIONS, AnyAction, Die
from serai.camelup.rules.pieces import CAMEL_NAMES, CAMELS, FACES, LAST_SPACE, LEG_VALUES, PLAYERS, TRACK_SIZE
from serai.camelup.rules.rules import CamelUpState, Cards
from serai.camelup.rules.scoring import LegBets
from serai.errors import Hidden
from serai.lab.encoding import MOST, PLACES, Encoding, Field, rotated

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_SEATS = PLAYERS[-1]
_BY_SEAT = (tuple(map(str, range(_SEATS))),)
_BY_CAMEL = (CAMEL_NAMES,)
_DECK_SIZE = _SEATS * len(CAMELS)
_BY_CARD = (tuple(map(str, range(1, _DECK_SIZE + 1))),)
_NOBODY = -1


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

    def _numbers(self, view: CamelUpState, seat: int) -> list[int]:
        """Of others' cards only whose they are and how many."""
        hand = view.hands[seat]
        if None in hand:
            raise Hidden(f"this view does not show seat {seat}'s race cards: observe from a seat whose view it is")
        players = view.players
        place_of = PLACES[players][seat]
        spaces, ranks = _standing(view)
        return [
            players,
            min(view.leg, MOST),
            place_of[view.turn],
            place_of[view.marker],
            *spaces,
            *ranks,
            *view.tents,
            *_takers(view.leg_bets, place_of),
            *rotated(view.pyramid_tiles, seat, _SEATS),
            *rotated(view.deserts, seat, _SEATS),
            *rotated([min(money, MOST) for money in view.money], seat, _SEATS),
            *rotated([len(cards) for cards in view.hands], seat, _SEATS),
            *[int(camel in hand) for camel in CAMELS],
            *_own_places(view.winner_deck, seat),
            *_own_places(view.loser_deck, seat),
            *_owners(view.winner_deck, place_of),
            *_owners(view.loser_deck, place_of),
        ]


def _standing(view: CamelUpState) -> tuple[list[int], list[int]]:
    """Where each camel stands, and how many are behind it; those not yet placed stand on 0, by colour."""
    spaces, ranks = [0] * len(CAMELS), [0] * len(CAMELS)
    behind = 0 if view.leg else sum(not tent for tent in view.tents)
    for space, stack in enumerate(view.track):
        for camel in stack:
            spaces[camel], ranks[camel] = space, behind
            behind += 1
    if not view.leg:
        for rank, camel in enumerate(camel for camel in CAMELS if not view.tents[camel]):
            ranks[camel] = rank
    return spaces, ranks


def _own_places(deck: Cards, seat: int) -> list[int]:
    places = [0] * len(CAMELS)
    for place, (owner, camel) in enumerate(deck, 1):
        if owner == seat and camel is not None:
            places[camel] = place
    return places


def _takers(bets: LegBets, place_of: Sequence[int]) -> list[int]:
    takers = [_NOBODY] * (len(CAMELS) * len(LEG_VALUES))
    for camel, taken in enumerate(bets):
        for tile, taker in enumerate(taken):
            takers[camel * len(LEG_VALUES) + tile] = place_of[taker]
    return takers


def _owners(deck: Cards, place_of: Sequence[int]) -> list[int]:
    return [place_of[owner] for owner, _ in deck] + [_NOBODY] * (_DECK_SIZE - len(deck))


ENCODING = CamelUpEncoding()
