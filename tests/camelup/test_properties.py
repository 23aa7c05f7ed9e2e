"""What holds in every game of Camel Up, whatever the players do."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import serai
from serai.camelup.rules.events import CardScored, LegScored, PoundPaid
from serai.camelup.rules.pieces import RACE_PRIZES, START_MONEY
from tests.camelup.positions import GAME
from tests.support import amount, random_play

games = st.tuples(st.integers(2, 8), st.integers(0, 2**32), st.booleans())


@settings(max_examples=amount(60, 2000), deadline=None)
@given(games)
def test_pieces_are_never_lost_or_made(setting: tuple[int, int, bool]) -> None:
    players, seed, hide_money = setting
    rng = random.Random(seed)
    for _, _, state, _ in random_play(GAME, players, rng, first=rng.randrange(players), hide_money=hide_money):
        check_camels(state)
        check_dice(state)
        check_desert_tiles(state)
        check_bets(state)
        assert min(state.money) >= 0


def check_camels(state: Any) -> None:
    camels = sorted(camel for stack in state.track for camel in stack)
    assert camels == list(range(5)) if state.leg else len(set(camels)) == len(camels)
    assert not state.track[0]
    assert any(state.track[17:]) == state.over


def check_dice(state: Any) -> None:
    out = sum(1 for pips in state.tents if pips)
    assert all(0 <= pips <= 3 for pips in state.tents)
    if state.leg and not state.over:
        pending = state.actor is serai.CHANCE
        assert out + pending == sum(state.pyramid_tiles) <= 5
    if state.actor is serai.CHANCE:
        assert len(state.actions()) == 3 * (5 - out)


def check_desert_tiles(state: Any) -> None:
    spaces = sorted(abs(tile) for tile in state.deserts if tile)
    assert all(2 <= space <= 16 and not state.track[space] for space in spaces)
    assert all(high - low > 1 for low, high in itertools.pairwise(spaces))


def check_bets(state: Any) -> None:
    held = sum(map(len, state.leg_bets))
    left = sum(3 - len(takers) for takers in state.leg_bets)
    assert held + left == 15
    assert all(len(takers) <= 3 for takers in state.leg_bets)
    for seat, hand in enumerate(state.hands):
        laid = [camel for owner, camel in (*state.winner_deck, *state.loser_deck) if owner == seat]
        assert sorted([*hand, *laid]) == list(range(5))


@settings(max_examples=amount(60, 2000), deadline=None)
@given(games)
def test_money_comes_from_the_banks_rules_alone(setting: tuple[int, int, bool]) -> None:
    """A ledger kept from the events alone equals the balances, and each entry follows its rule."""
    players, seed, _ = setting
    ledger = [START_MONEY] * players
    for _, _, state, events in random_play(GAME, players, random.Random(seed)):
        right: Counter[str] = Counter()
        for event in events:
            match event:
                case PoundPaid():
                    assert event.amount == 1
                    ledger[event.seat] += 1
                case LegScored():
                    assert event.total == sum(tile.amount for tile in event.tiles) + event.pyramid_tiles
                    assert event.paid == max(event.total, -ledger[event.seat])
                    ledger[event.seat] += event.paid
                case CardScored():
                    prize = ([*RACE_PRIZES] + [1] * 99)[right[event.deck]] if event.right else -1
                    right[event.deck] += event.right
                    assert event.amount == prize
                    assert event.paid == max(prize, -ledger[event.seat])
                    ledger[event.seat] += event.paid
                case _:
                    continue
            assert event.money == ledger[event.seat]
        assert tuple(ledger) == state.money
