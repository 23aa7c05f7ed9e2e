"""The value of bets: pounds expected from this leg and from the race, ignoring that purses stop at 0.

Expected pounds are linear in the chances that a camel leads the leg, is second, wins or loses the race. :class:`Prices`
holds the factors; what a player pays in any case is left out, since only changes count.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from serai.camelup.odds.race_table import TIE
from serai.camelup.rules.pieces import CAMELS, LEG_VALUES, race_prize

if TYPE_CHECKING:
    from serai.camelup.rules.rules import CamelUpState, Cards

ByCamel = tuple[float, ...]


class Chances(NamedTuple):
    """The chances of a position, by camel."""

    first: Sequence[float]
    second: Sequence[float]
    last: Sequence[float]
    winner: Sequence[float]
    loser: Sequence[float]


class Prices(NamedTuple):
    """What a player's tiles and cards pay per whole chance, by camel."""

    first: ByCamel
    second: ByCamel
    winner: ByCamel
    loser: ByCamel

    def worth(self, chances: Chances) -> float:
        """Expected pounds, up to a constant."""
        by_kind = (chances.first, chances.second, chances.winner, chances.loser)
        return sum(sum(map(mul, prices, row)) for prices, row in zip(self, by_kind, strict=True) if any(prices))


def prices_of(view: CamelUpState, seat: int) -> Prices:
    """The prices of what this seat holds: leg tiles (6.2) and the race cards it has laid (7.3)."""
    tiles = [
        [value for value, taker in zip(LEG_VALUES, takers, strict=False) if taker == seat] for takers in view.leg_bets
    ]
    return Prices(
        tuple(float(sum(values) + len(values)) for values in tiles),
        tuple(2.0 * len(values) for values in tiles),
        _card_prices(view, view.winner_deck, seat),
        _card_prices(view, view.loser_deck, seat),
    )


def leg_tile_value(value: int, first: float, second: float) -> float:
    """A leg tile: its value for the leader, +1 for the second, -1 for any other (6.2)."""
    return value * first + second - (1 - first - second)


def card_value(prize: float, chance: float) -> float:
    """A race card: its prize if it is right, else -1 (7.3)."""
    return prize * chance - (1 - chance)


def expected_prize(view: CamelUpState, before: Cards, camel: int) -> float:
    """What a right card of this colour is expected to earn behind these cards.

    A hidden card has any of its owner's unseen colours, each way equally likely. An owner has one card of each colour,
    so at most one of their cards is right; the cards of different owners are independent.
    """
    right_before = [1.0]
    for owner in sorted({owner for owner, _ in before}):
        chance = _chance_one_is_right(view, before, owner, camel)
        grown = [(1 - chance) * ways for ways in (*right_before, 0.0)]
        for right, ways in enumerate(right_before, start=1):
            grown[right] += chance * ways
        right_before = grown
    return sum(chance * race_prize(right) for right, chance in enumerate(right_before))


def first_of_the_best(values: Sequence[float]) -> int:
    """The place of the first value that no other beats by more than a tie."""
    least = max(values) - TIE
    return next(place for place, value in enumerate(values) if value >= least)


def _card_prices(view: CamelUpState, deck: Cards, seat: int) -> ByCamel:
    prices = [0.0] * len(CAMELS)
    for place, (owner, camel) in enumerate(deck):
        if owner == seat and camel is not None:
            prices[camel] = expected_prize(view, deck[:place], camel) + 1
    return tuple(prices)


def _chance_one_is_right(view: CamelUpState, before: Cards, owner: int, camel: int) -> float:
    if (owner, camel) in before:
        return 1.0
    unseen = unseen_colours(view, owner)
    return before.count((owner, None)) / len(unseen) if camel in unseen else 0.0


def unseen_colours(view: CamelUpState, owner: int) -> list[int]:
    """The colours of an owner's race cards that the view does not show, in hand or on a deck."""
    seen = {*view.hands[owner], *(colour for seat, colour in view.winner_deck + view.loser_deck if seat == owner)}
    return [camel for camel in CAMELS if camel not in seen]
