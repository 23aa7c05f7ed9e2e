"""From the readable state to the flat row of compiled code and back, so that neither needs to know the other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.rules.actions import ALL_ACTIONS, AnyAction
from serai.camelup.rules.pieces import CAMELS, TRACK_SIZE
from serai.camelup.rules.rules import CamelUpState, Hand, Options
from serai.core import CHANCE

Row = npt.NDArray[np.int16]

NUMBERS: dict[AnyAction, int] = {action: number for number, action in enumerate(ALL_ACTIONS)}
"""The number of every action."""

_ACTORS = {CHANCE: layout.CHANCE_ACTS, None: layout.NOBODY_ACTS}
_NO_CARD = -1


def actions_of(bits: int) -> tuple[AnyAction, ...]:
    """The actions of a set of bits, in the order of ``actions()``."""
    return tuple(action for number, action in enumerate(ALL_ACTIONS) if bits >> number & 1)


def to_row(state: CamelUpState, row: Row | None = None) -> Row:
    """The row of a state or of a view, written into ``row`` if one is given."""
    if row is None:
        row = np.empty(layout.ROW_SIZE, np.int16)
    players = state.players
    row[:] = 0
    row[layout.PLAYERS] = players
    row[layout.FIRST] = state.options.first
    row[layout.HIDE_MONEY] = state.options.hide_money
    row[layout.ACTOR] = state.actor if isinstance(state.actor, int) else _ACTORS[state.actor]
    row[layout.LEG] = state.leg
    row[layout.TURN] = state.turn
    row[layout.MARKER] = state.marker
    placed = [(space, camel) for space, stack in enumerate(state.track) for camel in stack]
    missing = [(0, camel) for camel in CAMELS if all(camel != other for _, other in placed)]
    for place, (space, camel) in enumerate(missing + placed):
        row[layout.ORDER + place] = camel
        row[layout.SPACE + camel] = space
    _put(row, layout.TENT, state.tents)
    row[layout.LEG_TILE : layout.PYRAMID] = -1
    for camel, takers in enumerate(state.leg_bets):
        row[layout.LEG_TAKEN + camel] = len(takers)
        _put(row, layout.LEG_TILE + 3 * camel, takers)
    _put(row, layout.PYRAMID, state.pyramid_tiles)
    _put(row, layout.DESERT, state.deserts)
    _put(row, layout.MONEY, state.money)
    for seat, hand in enumerate(state.hands):
        row[layout.HAND + seat] = _hand_bits(hand)
    row[layout.WINNER_DECK :] = _NO_CARD
    row[layout.WINNER_COUNT] = len(state.winner_deck)
    row[layout.LOSER_COUNT] = len(state.loser_deck)
    _put(row, layout.WINNER_DECK, map(_card, state.winner_deck))
    _put(row, layout.LOSER_DECK, map(_card, state.loser_deck))
    return row


def to_state(row: Row) -> CamelUpState:
    """The state, or the view, that lies in a row."""
    values = [int(value) for value in row]
    players = values[layout.PLAYERS]

    def take(base: int, count: int = players) -> tuple[int, ...]:
        return tuple(values[base : base + count])

    actor = values[layout.ACTOR]
    order = take(layout.ORDER, len(CAMELS))
    spaces = take(layout.SPACE, len(CAMELS))
    decks = [
        tuple(_seat_and_camel(card) for card in take(base, values[count]))
        for base, count in ((layout.WINNER_DECK, layout.WINNER_COUNT), (layout.LOSER_DECK, layout.LOSER_COUNT))
    ]
    laid = [owner for deck in decks for owner, _ in deck]
    return CamelUpState(
        actor=actor if actor >= 0 else CHANCE if actor == layout.CHANCE_ACTS else None,
        options=Options(values[layout.FIRST], bool(values[layout.HIDE_MONEY])),
        leg=values[layout.LEG],
        turn=values[layout.TURN],
        marker=values[layout.MARKER],
        track=tuple(tuple(camel for camel in order if spaces[camel] == space > 0) for space in range(TRACK_SIZE)),
        tents=take(layout.TENT, len(CAMELS)),
        pyramid_tiles=take(layout.PYRAMID),
        leg_bets=tuple(take(layout.LEG_TILE + 3 * camel, values[layout.LEG_TAKEN + camel]) for camel in CAMELS),
        deserts=take(layout.DESERT),
        money=take(layout.MONEY),
        hands=tuple(_hand(bits, laid.count(seat)) for seat, bits in enumerate(take(layout.HAND))),
        winner_deck=decks[0],
        loser_deck=decks[1],
    )


# -- details -----------------------------------------------------------------------------------------------------------


def _put(row: Row, base: int, values: Iterable[int]) -> None:
    for place, value in enumerate(values):
        row[base + place] = value


def _hand_bits(hand: Hand) -> int:
    bits = 0
    for camel in hand:
        if camel is None:
            return layout.HIDDEN_HAND
        bits |= 1 << camel
    return bits


def _hand(bits: int, laid: int) -> Hand:
    if bits == layout.HIDDEN_HAND:
        return (None,) * (len(CAMELS) - laid)
    return tuple(camel for camel in CAMELS if bits >> camel & 1)


def _card(card: tuple[int, int | None]) -> int:
    seat, camel = card
    return seat << 3 | (layout.HIDDEN_CAMEL if camel is None else camel)


def _seat_and_camel(card: int) -> tuple[int, int | None]:
    camel = card & 7
    return card >> 3, None if camel == layout.HIDDEN_CAMEL else camel
