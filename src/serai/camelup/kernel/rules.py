"""Camel Up compiled by numba, over flat rows: what is legal and what follows. Numbers in brackets are rules.

:mod:`serai.camelup.kernel.layout` explains every offset and action number, :mod:`serai.camelup.kernel.bridge` converts
from and to readable states, :mod:`serai.lab.rng` draws. Importing this imports numba.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.rules.pieces import LAST_SPACE, LEG_VALUES, RACE_PRIZES
from serai.lab.jit import compiled
from serai.lab.rng import Words, below, draw, picked_bit

Row = npt.NDArray[np.int16]

_ALL_DESERTS = (1 << layout.DESERT_SPACES) - 1
_RIGHT_PRIZES = len(RACE_PRIZES)
_LEG_TILES = len(LEG_VALUES)
_KINDS = 6
"""Of a player's actions: roll, leg, oasis, mirage, winner, loser."""
_BASES = (
    layout.ROLL_ACTION,
    layout.LEG_ACTION,
    layout.OASIS_ACTION,
    layout.MIRAGE_ACTION,
    layout.WINNER_ACTION,
    layout.LOSER_ACTION,
)
_BITS = np.array([left.bit_count() for left in range(1 << layout.CAMEL_COUNT)])
_CAMEL = np.array(
    [
        ([camel for camel in range(layout.CAMEL_COUNT) if left >> camel & 1] + [0] * layout.CAMEL_COUNT)[
            : layout.CAMEL_COUNT
        ]
        for left in range(1 << layout.CAMEL_COUNT)
    ]
)
"""By set of dice: the camels whose dice they are."""


# -- the game ----------------------------------------------------------------------------------------------------------


@compiled
def free_spaces(row: Row, seat: int) -> int:
    """Where this seat may put its desert tile (3.3): bit k for space 2 + k."""
    taken = 0
    for camel in range(layout.CAMEL_COUNT):
        taken |= 1 << row[layout.SPACE + camel]
    for owner in range(row[layout.PLAYERS]):
        bit = 1 << abs(row[layout.DESERT + owner]) & ~1  # nothing if none lies
        taken |= bit if owner == seat else bit | bit << 1 | bit >> 1
    return ~(taken >> layout.FIRST_DESERT_SPACE) & _ALL_DESERTS


@compiled
def legal(row: Row) -> int:
    """The legal actions of the actor as bits, chance included; 0 when the game is over."""
    seat = row[layout.ACTOR]
    bits = 0
    if seat == layout.CHANCE_ACTS:
        for camel in range(layout.CAMEL_COUNT):
            if row[layout.TENT + camel] == 0:
                bits |= 7 << (layout.DIE_ACTION + 3 * camel)
    elif seat >= 0:
        bits = _tiles_left(row)
        free = free_spaces(row, seat)
        hand = int(row[layout.HAND + seat])
        bits |= free << layout.OASIS_ACTION | free << layout.MIRAGE_ACTION | 1 << layout.ROLL_ACTION
        bits |= hand << layout.WINNER_ACTION | hand << layout.LOSER_ACTION
    return bits


@compiled
def act(row: Row, action: int) -> None:
    """Do one action, of a player or of chance. It must be legal: nothing is checked here."""
    if action >= layout.DIE_ACTION:
        _draw_die(row, (action - layout.DIE_ACTION) // 3, (action - layout.DIE_ACTION) % 3 + 1)
        return
    seat = int(row[layout.ACTOR])
    if action == layout.ROLL_ACTION:
        row[layout.PYRAMID + seat] += 1
        row[layout.ACTOR] = layout.CHANCE_ACTS
        return
    if action < layout.OASIS_ACTION:
        row[layout.LEG_TILE + _LEG_TILES * action + row[layout.LEG_TAKEN + action]] = seat
        row[layout.LEG_TAKEN + action] += 1
    elif action < layout.MIRAGE_ACTION:
        row[layout.DESERT + seat] = action - layout.OASIS_ACTION + layout.FIRST_DESERT_SPACE
    elif action < layout.ROLL_ACTION:
        row[layout.DESERT + seat] = -(action - layout.MIRAGE_ACTION + layout.FIRST_DESERT_SPACE)
    elif action < layout.LOSER_ACTION:
        _lay_card(row, seat, action - layout.WINNER_ACTION, layout.WINNER_COUNT, layout.WINNER_DECK)
    else:
        _lay_card(row, seat, action - layout.LOSER_ACTION, layout.LOSER_COUNT, layout.LOSER_DECK)
    _pass_on(row)


# -- chance ------------------------------------------------------------------------------------------------------------


@compiled
def drawn_die(row: Row, words: Words, lane: int) -> int:
    """A die left in the pyramid and its face, all equally likely (3.4), as an action."""
    left = 0
    for camel in range(layout.CAMEL_COUNT):
        left |= (row[layout.TENT + camel] == 0) << camel
    pick = below(draw(words, lane), 3 * _BITS[left])
    return int(layout.DIE_ACTION + 3 * _CAMEL[left, pick // 3] + pick % 3)


@compiled
def random_action(row: Row, words: Words, lane: int) -> int:
    """What the bot ``random`` does: a kind of action uniformly, then one of that kind."""
    seat = row[layout.ACTOR]
    free = free_spaces(row, seat)
    hand = int(row[layout.HAND + seat])
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
    for camel in range(layout.CAMEL_COUNT):
        left |= (row[layout.LEG_TAKEN + camel] < _LEG_TILES) << camel
    return left


@compiled
def _pass_on(row: Row) -> None:
    following = row[layout.TURN] + 1
    if following == row[layout.PLAYERS]:
        following = 0
    row[layout.TURN] = following
    row[layout.ACTOR] = following


@compiled
def _lay_card(row: Row, seat: int, camel: int, count: int, deck: int) -> None:
    row[deck + row[count]] = seat << 3 | camel
    row[count] += 1
    row[layout.HAND + seat] &= ~(1 << camel)


@compiled
def _draw_die(row: Row, camel: int, pips: int) -> None:
    """A camel is placed (2.3) or runs (4.1 to 4.7); then set-up (2.4), leg (6.1) or race (7.1) may be over."""
    row[layout.TENT + camel] = pips
    target = _move(row, camel, pips)
    if target > LAST_SPACE:
        _end_race(row)
        return
    left = 0
    for other in range(layout.CAMEL_COUNT):
        left += row[layout.TENT + other] == 0
    if left > 0:
        if row[layout.LEG] > 0:
            _pass_on(row)
        return
    if row[layout.LEG] == 0:
        row[layout.ACTOR] = row[layout.TURN]
    else:
        _score_leg(row)
        _pass_on(row)
        row[layout.MARKER] = row[layout.TURN]
        for seat in range(row[layout.PLAYERS]):
            row[layout.PYRAMID + seat] = 0
            row[layout.DESERT + seat] = 0
        for other in range(layout.CAMEL_COUNT):
            row[layout.LEG_TAKEN + other] = 0
        for tile in range(_LEG_TILES * layout.CAMEL_COUNT):
            row[layout.LEG_TILE + tile] = -1
    row[layout.LEG] += 1
    for other in range(layout.CAMEL_COUNT):
        row[layout.TENT + other] = 0


@compiled
def _move(row: Row, camel: int, pips: int) -> int:
    """Move a camel with its riders, pay the owner of a desert tile (4.3) and return the space where the unit ends."""
    # counted rather than searched for: a loop that ends anywhere, or a branch that nobody foresees, costs more
    start = int(row[layout.SPACE + camel])
    target = start + pips
    mirage, step = 0, 0
    for seat in range(row[layout.PLAYERS]):
        hit = abs(row[layout.DESERT + seat]) == target
        back = hit and row[layout.DESERT + seat] < 0
        row[layout.MONEY + seat] += hit
        mirage |= back
        step += hit - 2 * back
    target += step
    # the order as four-bit digits, the last camel lowest: the unit is cut out and set in again
    order = 0
    low = 0
    for place in range(layout.CAMEL_COUNT):
        other = int(row[layout.ORDER + place])
        order |= other << 4 * place
        low += place if other == camel else 0
    high = low + 1
    if row[layout.LEG] > 0:
        for place in range(1, layout.CAMEL_COUNT):
            high += place > low and row[layout.SPACE + row[layout.ORDER + place]] == start
    unit = order >> 4 * low & (1 << 4 * (high - low)) - 1
    rest = order & (1 << 4 * low) - 1 | order >> 4 * high << 4 * low
    behind = 0
    for place in range(layout.CAMEL_COUNT):  # on top of who stands there (4.2), but underneath after a mirage (4.4)
        passed = row[layout.SPACE + row[layout.ORDER + place]] + mirage <= target
        behind += passed and (place < low or place >= high)
    below_unit = rest & (1 << 4 * behind) - 1
    order = below_unit | unit << 4 * behind | rest >> 4 * behind << 4 * (behind + high - low)
    for place in range(layout.CAMEL_COUNT):
        row[layout.ORDER + place] = order >> 4 * place & 15
    for place in range(behind, behind + high - low):
        row[layout.SPACE + row[layout.ORDER + place]] = target
    return target


@compiled
def _score_leg(row: Row) -> None:
    """Each player's tiles and pyramid tiles netted, nobody falling below 0 (6.2, 6.3)."""
    leader = row[layout.ORDER + layout.CAMEL_COUNT - 1]
    second = row[layout.ORDER + layout.CAMEL_COUNT - 2]
    for seat in range(row[layout.PLAYERS]):
        total = row[layout.PYRAMID + seat]
        for camel in range(layout.CAMEL_COUNT):
            for tile in range(row[layout.LEG_TAKEN + camel]):
                if row[layout.LEG_TILE + _LEG_TILES * camel + tile] == seat:
                    if camel == leader:
                        total += LEG_VALUES[tile]
                    else:
                        total += 1 if camel == second else -1
        row[layout.MONEY + seat] = max(0, row[layout.MONEY + seat] + total)


@compiled
def _end_race(row: Row) -> None:
    """The last leg scoring, then both decks (7.1 to 7.4); everything stays as it lies (7.2)."""
    _score_leg(row)
    _score_deck(row, row[layout.WINNER_COUNT], layout.WINNER_DECK, row[layout.ORDER + layout.CAMEL_COUNT - 1])
    _score_deck(row, row[layout.LOSER_COUNT], layout.LOSER_DECK, row[layout.ORDER])
    row[layout.ACTOR] = layout.NOBODY_ACTS


@compiled
def _score_deck(row: Row, count: int, deck: int, camel_bet_on: int) -> None:
    """The cards in the order laid, each settled on its own (7.3)."""
    right_before = 0
    for place in range(count):
        card = row[deck + place]
        seat = card >> 3
        if card & 7 == camel_bet_on:
            row[layout.MONEY + seat] += RACE_PRIZES[right_before] if right_before < _RIGHT_PRIZES else 1
            right_before += 1
        else:
            row[layout.MONEY + seat] = max(0, row[layout.MONEY + seat] - 1)
