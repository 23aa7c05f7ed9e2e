"""Scoring: what everybody is paid at the end of a leg (rules 6.2, 6.3) and of the race (rules 7.3, 7.4).

``kernel.rules`` has the same compiled; ``odds.bets`` and ``policy.bets`` value bets by these payments.
"""

from __future__ import annotations

from collections.abc import Sequence

from serai.camelup.rules.events import AnyEvent, CardScored, LegScored, TileScore
from serai.camelup.rules.pieces import LEG_VALUES, Deck, Money, Stack, race_prize

LegBets = tuple[tuple[int, ...], ...]
"""For each camel the seats that took its leg tiles, in order: the first holds the 5, then the 3, then the 2."""


def score_leg(
    money: Money, leg_bets: LegBets, pyramid_tiles: Sequence[int], ranking: Stack
) -> tuple[Money, list[AnyEvent]]:
    """Pay each player the sum of their leg tiles and pyramid tiles; no purse falls below 0."""
    purses: list[int] = []
    events: list[AnyEvent] = []
    for seat, purse in enumerate(money):
        tiles = tuple(
            TileScore(camel, value, _tile_worth(camel, value, ranking)) for camel, value in tiles_of(leg_bets, seat)
        )
        total = sum(tile.amount for tile in tiles) + pyramid_tiles[seat]
        paid = max(total, -purse)
        purses.append(purse + paid)
        events.append(LegScored(seat, tiles, pyramid_tiles[seat], total, paid, purse + paid))
    return tuple(purses), events


def tiles_of(leg_bets: LegBets, seat: int) -> list[tuple[int, int]]:
    """A seat's leg tiles as (camel, value), by camel."""
    return [
        (camel, value)
        for camel, takers in enumerate(leg_bets)
        for taker, value in zip(takers, LEG_VALUES, strict=False)
        if taker == seat
    ]


def _tile_worth(camel: int, value: int, ranking: Stack) -> int:
    if camel == ranking[0]:
        return value
    return 1 if camel == ranking[1] else -1


def score_deck(
    money: Money, deck: Deck, cards: Sequence[tuple[int, int]], camel_bet_on: int
) -> tuple[Money, list[AnyEvent]]:
    """Pay the cards of one deck one by one, in the order laid (rule 7.3)."""
    purses = list(money)
    events: list[AnyEvent] = []
    right_before = 0
    for place, (seat, camel) in enumerate(cards, start=1):
        right = camel == camel_bet_on
        amount = race_prize(right_before) if right else -1
        right_before += right
        paid = max(amount, -purses[seat])
        purses[seat] += paid
        events.append(CardScored(deck, place, seat, camel, right, amount, paid, purses[seat]))
    return tuple(purses), events
