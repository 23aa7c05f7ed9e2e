"""Camel Up compiled by numba, over flat rows: what is legal and what follows. Numbers in brackets are rules.

:mod:`serai.camelup.kernel.layout` explains every offset and action number. Whoever imports this module waits for
numba, so nobody does before compiled speed is asked for. :mod:`serai.camelup.kernel.bridge` converts from and to
readable states.

Chance is :mod:`serai.core.splitmix`, a generator per game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    CHANCE_ACTS,
    DECK_SIZE,
    DESERT,
    DESERT_SPACES,
    DIE_ACTION,
    FIRST,
    FIRST_DESERT_SPACE,
    HAND,
    HIDE_MONEY,
    LEG,
    LEG_ACTION,
    LEG_TAKEN,
    LEG_TILE,
    LOSER_ACTION,
    LOSER_COUNT,
    LOSER_DECK,
    MARKER,
    MIRAGE_ACTION,
    MONEY,
    NOBODY_ACTS,
    OASIS_ACTION,
    ORDER,
    PLAYERS,
    PYRAMID,
    ROLL_ACTION,
    ROW_SIZE,
    SPACE,
    TENT,
    TURN,
    WINNER_ACTION,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.camelup.pieces import LAST_SPACE, LEG_VALUES, RACE_PRIZES, START_MONEY
from serai.core.jit import compiled
from serai.core.splitmix import Words, below, draw, picked_bit

Row = npt.NDArray[np.int16]

_FULL_HAND = (1 << CAMEL_COUNT) - 1
_ALL_DESERTS = (1 << DESERT_SPACES) - 1
_RIGHT_PRIZES = len(RACE_PRIZES)
_LEG_TILES = len(LEG_VALUES)
_KINDS = 6
"""Of a player's actions: roll, leg, oasis, mirage, winner, loser."""
_BASES = (ROLL_ACTION, LEG_ACTION, OASIS_ACTION, MIRAGE_ACTION, WINNER_ACTION, LOSER_ACTION)
_BITS = np.array([left.bit_count() for left in range(1 << CAMEL_COUNT)])
_CAMEL = np.array(
    [
        ([camel for camel in range(CAMEL_COUNT) if left >> camel & 1] + [0] * CAMEL_COUNT)[:CAMEL_COUNT]
        for left in range(1 << CAMEL_COUNT)
    ]
)
"""By set of dice: the camels whose dice they are."""


# -- the game ----------------------------------------------------------------------------------------------------------


@compiled
def set_up(row: Row, players: int, first: int, hide_money: int) -> None:
    """The row before the five set-up dice (2.1, 2.2)."""
    for place in range(ROW_SIZE):
        row[place] = 0
    row[PLAYERS] = players
    row[FIRST] = first
    row[HIDE_MONEY] = hide_money
    row[ACTOR] = CHANCE_ACTS
    row[TURN] = first
    row[MARKER] = first
    for camel in range(CAMEL_COUNT):
        row[ORDER + camel] = camel
    for tile in range(_LEG_TILES * CAMEL_COUNT):
        row[LEG_TILE + tile] = -1
    for seat in range(players):
        row[MONEY + seat] = START_MONEY
        row[HAND + seat] = _FULL_HAND
    for place in range(DECK_SIZE):
        row[WINNER_DECK + place] = -1
        row[LOSER_DECK + place] = -1


@compiled
def free_spaces(row: Row, seat: int) -> int:
    """Where this seat may put its desert tile (3.3): bit k for space 2 + k."""
    taken = 0
    for camel in range(CAMEL_COUNT):
        taken |= 1 << row[SPACE + camel]
    for owner in range(row[PLAYERS]):
        bit = 1 << abs(row[DESERT + owner]) & ~1  # nothing if none lies
        taken |= bit if owner == seat else bit | bit << 1 | bit >> 1
    return ~(taken >> FIRST_DESERT_SPACE) & _ALL_DESERTS


@compiled
def legal(row: Row) -> int:
    """The legal actions of the actor as bits, chance included; 0 when the game is over."""
    seat = row[ACTOR]
    bits = 0
    if seat == CHANCE_ACTS:
        for camel in range(CAMEL_COUNT):
            if row[TENT + camel] == 0:
                bits |= 7 << (DIE_ACTION + 3 * camel)
    elif seat >= 0:
        bits = _tiles_left(row)
        free = free_spaces(row, seat)
        hand = int(row[HAND + seat])
        bits |= free << OASIS_ACTION | free << MIRAGE_ACTION | 1 << ROLL_ACTION
        bits |= hand << WINNER_ACTION | hand << LOSER_ACTION
    return bits


@compiled
def act(row: Row, action: int) -> None:
    """Do one action, of a player or of chance. It must be legal: nothing is checked here."""
    if action >= DIE_ACTION:
        _draw_die(row, (action - DIE_ACTION) // 3, (action - DIE_ACTION) % 3 + 1)
        return
    seat = int(row[ACTOR])
    if action == ROLL_ACTION:
        row[PYRAMID + seat] += 1
        row[ACTOR] = CHANCE_ACTS
        return
    if action < OASIS_ACTION:
        row[LEG_TILE + _LEG_TILES * action + row[LEG_TAKEN + action]] = seat
        row[LEG_TAKEN + action] += 1
    elif action < MIRAGE_ACTION:
        row[DESERT + seat] = action - OASIS_ACTION + FIRST_DESERT_SPACE
    elif action < ROLL_ACTION:
        row[DESERT + seat] = -(action - MIRAGE_ACTION + FIRST_DESERT_SPACE)
    elif action < LOSER_ACTION:
        _lay_card(row, seat, action - WINNER_ACTION, WINNER_COUNT, WINNER_DECK)
    else:
        _lay_card(row, seat, action - LOSER_ACTION, LOSER_COUNT, LOSER_DECK)
    _pass_on(row)


# -- chance ------------------------------------------------------------------------------------------------------------


@compiled
def drawn_die(row: Row, words: Words, lane: int) -> int:
    """A die left in the pyramid and its face, all equally likely (3.4), as an action."""
    left = 0
    for camel in range(CAMEL_COUNT):
        left |= (row[TENT + camel] == 0) << camel
    pick = below(draw(words, lane), 3 * _BITS[left])
    return int(DIE_ACTION + 3 * _CAMEL[left, pick // 3] + pick % 3)


@compiled
def random_action(row: Row, words: Words, lane: int) -> int:
    """What the bot ``random`` would do: a kind of action uniformly, then one of that kind."""
    seat = row[ACTOR]
    free = free_spaces(row, seat)
    hand = int(row[HAND + seat])
    tiles = _tiles_left(row)
    while True:  # a kind without actions is drawn again, which leaves the others equally likely
        bits = draw(words, lane)
        kind = below(bits, _KINDS)
        base = _BASES[kind]
        choices = hand if kind > 3 else free if kind > 1 else tiles if kind == 1 else 1
        if choices != 0:
            return base + picked_bit(choices, bits >> np.uint64(32))


# -- details -----------------------------------------------------------------------------------------------------------


@compiled
def _tiles_left(row: Row) -> int:
    """The camels of which there is a leg tile to take, as bits."""
    left = 0
    for camel in range(CAMEL_COUNT):
        left |= (row[LEG_TAKEN + camel] < _LEG_TILES) << camel
    return left


@compiled
def _pass_on(row: Row) -> None:
    following = row[TURN] + 1
    if following == row[PLAYERS]:
        following = 0
    row[TURN] = following
    row[ACTOR] = following


@compiled
def _lay_card(row: Row, seat: int, camel: int, count: int, deck: int) -> None:
    row[deck + row[count]] = seat << 3 | camel
    row[count] += 1
    row[HAND + seat] &= ~(1 << camel)


@compiled
def _draw_die(row: Row, camel: int, pips: int) -> None:
    """A camel is placed (2.3) or runs (4.1 to 4.7); then set-up (2.4), leg (6.1) or race (7.1) may be over."""
    row[TENT + camel] = pips
    target = _move(row, camel, pips)
    if target > LAST_SPACE:
        _end_race(row)
        return
    left = 0
    for other in range(CAMEL_COUNT):
        left += row[TENT + other] == 0
    if left > 0:
        if row[LEG] > 0:
            _pass_on(row)
        return
    if row[LEG] == 0:
        row[ACTOR] = row[TURN]
    else:
        _score_leg(row)
        _pass_on(row)
        row[MARKER] = row[TURN]
        for seat in range(row[PLAYERS]):
            row[PYRAMID + seat] = 0
            row[DESERT + seat] = 0
        for other in range(CAMEL_COUNT):
            row[LEG_TAKEN + other] = 0
        for tile in range(_LEG_TILES * CAMEL_COUNT):
            row[LEG_TILE + tile] = -1
    row[LEG] += 1
    for other in range(CAMEL_COUNT):
        row[TENT + other] = 0


@compiled
def _move(row: Row, camel: int, pips: int) -> int:
    """Move a camel with its riders, pay the owner of a desert tile (4.3) and tell the space where the unit ends."""
    # counted rather than searched for: a loop that ends anywhere, or a branch that nobody foresees, costs more
    start = int(row[SPACE + camel])
    target = start + pips
    mirage, step = 0, 0
    for seat in range(row[PLAYERS]):
        hit = abs(row[DESERT + seat]) == target
        back = hit and row[DESERT + seat] < 0
        row[MONEY + seat] += hit
        mirage |= back
        step += hit - 2 * back
    target += step
    # the order as four-bit digits, the last camel lowest: the unit is cut out and set in again
    order = 0
    low = 0
    for place in range(CAMEL_COUNT):
        other = int(row[ORDER + place])
        order |= other << 4 * place
        low += place if other == camel else 0
    high = low + 1
    if row[LEG] > 0:
        for place in range(1, CAMEL_COUNT):
            high += place > low and row[SPACE + row[ORDER + place]] == start
    unit = order >> 4 * low & (1 << 4 * (high - low)) - 1
    rest = order & (1 << 4 * low) - 1 | order >> 4 * high << 4 * low
    behind = 0
    for place in range(CAMEL_COUNT):  # on top of who stands there (4.2), but underneath after a mirage (4.4)
        passed = row[SPACE + row[ORDER + place]] + mirage <= target
        behind += passed and (place < low or place >= high)
    below_unit = rest & (1 << 4 * behind) - 1
    order = below_unit | unit << 4 * behind | rest >> 4 * behind << 4 * (behind + high - low)
    for place in range(CAMEL_COUNT):
        row[ORDER + place] = order >> 4 * place & 15
    for place in range(behind, behind + high - low):
        row[SPACE + row[ORDER + place]] = target
    return target


@compiled
def _score_leg(row: Row) -> None:
    """Each player's tiles and pyramid tiles netted, nobody falling below 0 (6.2, 6.3)."""
    leader = row[ORDER + CAMEL_COUNT - 1]
    second = row[ORDER + CAMEL_COUNT - 2]
    for seat in range(row[PLAYERS]):
        total = row[PYRAMID + seat]
        for camel in range(CAMEL_COUNT):
            for tile in range(row[LEG_TAKEN + camel]):
                if row[LEG_TILE + _LEG_TILES * camel + tile] == seat:
                    if camel == leader:
                        total += LEG_VALUES[tile]
                    else:
                        total += 1 if camel == second else -1
        row[MONEY + seat] = max(0, row[MONEY + seat] + total)


@compiled
def _end_race(row: Row) -> None:
    """The last leg scoring, then both decks (7.1 to 7.4); everything stays as it lies (7.2)."""
    _score_leg(row)
    _score_deck(row, row[WINNER_COUNT], WINNER_DECK, row[ORDER + CAMEL_COUNT - 1])
    _score_deck(row, row[LOSER_COUNT], LOSER_DECK, row[ORDER])
    row[ACTOR] = NOBODY_ACTS


@compiled
def _score_deck(row: Row, count: int, deck: int, camel_bet_on: int) -> None:
    """The cards in the order laid, each settled on its own (7.3)."""
    right_before = 0
    for place in range(count):
        card = row[deck + place]
        seat = card >> 3
        if card & 7 == camel_bet_on:
            row[MONEY + seat] += RACE_PRIZES[right_before] if right_before < _RIGHT_PRIZES else 1
            right_before += 1
        else:
            row[MONEY + seat] = max(0, row[MONEY + seat] - 1)
