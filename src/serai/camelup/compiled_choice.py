"""The bots ``quick`` and ``greedy`` compiled: what each action of the player to act is worth, and the best of them.

Both see a flat row (:mod:`serai.camelup.layout`) as its actor does: of others' race cards they use only how many lie
where. ``values`` has a place for every action of a player; an action that is not legal is worth ``-inf``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.canon import CHOOSE, DICE_SETS, NEW_DICE, NEW_RANK, POSITIONS, RANKS, SWAP_BITS, UNDERNEATH
from serai.camelup.compiled_odds import WAYS
from serai.camelup.jit import compiled
from serai.camelup.layout import (
    ACTOR,
    CAMEL_COUNT,
    DESERT,
    FIRST_DESERT_SPACE,
    HAND,
    LEG_ACTION,
    LEG_TAKEN,
    LEG_TILE,
    LOSER_ACTION,
    LOSER_COUNT,
    LOSER_DECK,
    MAX_SEATS,
    MIRAGE_ACTION,
    OASIS_ACTION,
    ORDER,
    PLAYER_ACTIONS,
    PLAYERS,
    ROLL_ACTION,
    SPACE,
    TENT,
    WINNER_ACTION,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.camelup.pieces import FACES, LAST_SPACE, LEG_VALUES, RACE_PRIZES, TRACK_SIZE
from serai.camelup.racetable import SECOND, TIE, RaceTable

Row = npt.NDArray[np.int16]
Values = npt.NDArray[np.float64]

_FACES: Final = len(FACES)
_LEG_TILES: Final = len(LEG_VALUES)
_FURTHER_PRIZE: Final = 1.0
_SWAP_MASK: Final = (1 << SWAP_BITS) - 1
_CHOOSE: Final = np.array(CHOOSE)
_SURELY_LESS: Final = 1e-6
"""A bound that lies below the best value by this much cannot be a tie, rounding included."""

_FIRST: Final = 0
"""The kinds of chances that have a price, four for every rank."""
_SECOND: Final = 1
_WINNER: Final = 2
_LOSER: Final = 3
_KINDS: Final = 4
_NEW_RANK: Final = NEW_RANK.astype(np.uint64)
"""Unsigned, which spares compiled code a check."""
_MOST_STATES: Final = 1 << 13
_LEG_STAKE: Final = 1
_RACE_STAKE: Final = 2


class ChoiceRoom(NamedTuple):
    """Room to think in, used again and again; ``slots`` is all -1 between two uses."""

    slots: npt.NDArray[np.int16]
    """By state (position * DICE_SETS + dice): its place in the arrays below."""
    states: npt.NDArray[np.int32]
    flows: npt.NDArray[np.float64]
    """By place, rank and kind: the prices that flow through a state, or its chances."""
    mass: npt.NDArray[np.float64]
    """By place: the chance to get there."""
    child: npt.NDArray[np.int32]
    swap: npt.NDArray[np.int8]
    tiles: npt.NDArray[np.int8]
    """By space: the step of the tile there."""
    prices: npt.NDArray[np.float64]
    """By rank and kind: what the actor's stake pays per chance."""
    chances: npt.NDArray[np.float64]
    """By rank and kind."""
    landings: npt.NDArray[np.float64]
    values: Values


def room_for_choice() -> ChoiceRoom:
    """Fresh room: two threads must not share it."""
    outcomes = RANKS * _FACES
    return ChoiceRoom(
        np.full((POSITIONS + 1) * DICE_SETS, -1, np.int16),
        np.empty(_MOST_STATES, np.int32),
        np.empty((_MOST_STATES, RANKS, _KINDS)),
        np.empty(_MOST_STATES),
        np.empty((_MOST_STATES, outcomes), np.int32),
        np.empty((_MOST_STATES, outcomes), np.int8),
        np.zeros(TRACK_SIZE, np.int8),
        np.empty((RANKS, _KINDS)),
        np.empty((RANKS, _KINDS)),
        np.empty(TRACK_SIZE),
        np.empty(PLAYER_ACTIONS),
    )


# -- quick -------------------------------------------------------------------------------------------------------------


@compiled
def quick_choice(row: Row, table: RaceTable, room: ChoiceRoom) -> int:
    """The best leg tile, race card or roll by the race table, as if no tiles lay; the number of the action."""
    quick_values(row, table, room)
    return first_of_the_best(room.values)


@compiled
def quick_values(row: Row, table: RaceTable, room: ChoiceRoom) -> None:
    """Fill ``room.values`` as ``quick`` sees it."""
    position, dice = canonical(row)
    _table_chances(table, position, dice, room.chances)
    room.values[:] = -np.inf
    _value_bets(row, room)


# -- greedy ------------------------------------------------------------------------------------------------------------


@compiled
def greedy_choice(row: Row, table: RaceTable, room: ChoiceRoom) -> int:
    """The action of the highest exact value; placements that cannot be the best are not worked out."""
    greedy_values(row, table, room, True)
    return first_of_the_best(room.values)


@compiled
def greedy_values(row: Row, table: RaceTable, room: ChoiceRoom, prune: bool) -> None:
    """Fill ``room.values``; with ``prune``, placements that cannot be the best stay at ``-inf``."""
    seat = row[ACTOR]
    position, dice = canonical(row)
    room.values[:] = -np.inf
    _lay_tiles(row, room.tiles)
    _count_chances(table, room, position, dice)
    _value_bets(row, room)
    staked = _price_stake(row, room.prices)
    own = abs(row[DESERT + seat])
    held = _flow(table, room, position, dice, 0, staked) + room.landings[own]
    room.tiles[own] = 0
    free = _free_spaces(row, seat)
    if prune:
        best = -np.inf
        for action in range(PLAYER_ACTIONS):
            best = max(best, room.values[action])
        free = _promising(table, room, position, dice, free, staked, best + held - _SURELY_LESS)
    for space in range(FIRST_DESERT_SPACE, LAST_SPACE + 1):
        if not free >> space & 1:
            continue
        for base, step in ((OASIS_ACTION, 1), (MIRAGE_ACTION, -1)):
            room.tiles[space] = step
            worth = _flow(table, room, position, dice, 0, staked)
            room.values[base + space - FIRST_DESERT_SPACE] = worth + room.landings[space] - held
        room.tiles[space] = 0


@compiled
def _promising(
    table: RaceTable, room: ChoiceRoom, position: int, dice: int, free: int, staked: int, needed: float
) -> int:
    """Those free spaces where a tile, either side up, might bring the player's pounds up to ``needed``.

    Until a unit first stops on the space, everything goes as without the tile. So the tile's effect is bounded by the
    chance that one does, which is at most the number of stops expected there now: it may turn the worst outcome of
    the stake into the best, and earn a pound for this stop and one in three for each die after it.
    """
    later = (_dice_count(dice) - 1) / _FACES
    if staked == 0 and _dice_count(dice) / _FACES < needed:
        return 0
    worth = _flow(table, room, position, dice, free, staked)
    most = 1.0 + later + _spread(room.prices)
    promising = 0
    for space in range(FIRST_DESERT_SPACE, LAST_SPACE + 1):
        if free >> space & 1 and worth + min(1.0, room.landings[space]) * most >= needed:
            promising |= 1 << space
    return promising


@compiled
def _flow(table: RaceTable, room: ChoiceRoom, position: int, dice: int, watched: int, staked: int) -> float:
    """What the stake is worth with ``room.tiles`` as they lie, and how often units stop on them.

    The prices flow from the root through the distinct states of the leg, each camel's price following its rank, until
    neither a tile nor a watched space can be met: there the race table knows the chances that they pay for.
    ``room.landings`` gets the stops expected on tiles and watched spaces.
    """
    flows, mass, landings = room.flows, room.mass, room.landings
    landings[:] = 0.0
    for space in range(LAST_SPACE + 1):
        watched |= (room.tiles[space] != 0) << space
    for rank in range(RANKS):
        for kind in range(_KINDS):
            flows[0, rank, kind] = room.prices[rank, kind]
    mass[0] = 1.0
    room.states[0] = position * DICE_SETS + dice
    count = 1
    here = 0
    worth = 0.0
    while here < count:
        state = room.states[here]
        room.slots[state] = -1
        where, left = state // DICE_SETS, state % DICE_SETS
        if table.reach[where, left] & watched == 0:
            if staked & _LEG_STAKE:
                worth += _leg_paid(table, where, left, flows[here])
            if staked & _RACE_STAKE:
                worth += _race_paid(table, where, left, flows[here])
            here += 1
            continue
        share = 1.0 / (_FACES * _dice_count(left))
        if staked:
            for rank in range(RANKS):
                for kind in range(_KINDS):
                    flows[here, rank, kind] *= share
        each = mass[here] * share
        for rank in range(RANKS):
            if not left >> rank & 1:
                continue
            for pips in range(1, _FACES + 1):
                landing = table.spaces[where, rank] + pips
                landings[landing] += each
                step = room.tiles[landing]
                packed = table.moves[where, rank, UNDERNEATH + pips - 1 if step < 0 else pips - 1 + step]
                swap = packed & _SWAP_MASK
                after = (packed >> SWAP_BITS) * DICE_SETS + NEW_DICE[swap, left & ~(1 << rank)]
                slot = room.slots[after]
                if slot < 0:
                    if count == _MOST_STATES:
                        raise MemoryError("a leg has more states than were ever seen")
                    slot = count
                    room.slots[after] = slot
                    room.states[slot] = after
                    count += 1
                    mass[slot] = 0.0
                    if staked:
                        for other in range(RANKS):
                            for kind in range(_KINDS):
                                flows[slot, other, kind] = 0.0
                mass[slot] += each
                if staked & _LEG_STAKE:
                    for other in range(RANKS):
                        moved = _NEW_RANK[swap, other]
                        flows[slot, moved, _FIRST] += flows[here, other, _FIRST]
                        flows[slot, moved, _SECOND] += flows[here, other, _SECOND]
                if staked & _RACE_STAKE:
                    for other in range(RANKS):
                        moved = _NEW_RANK[swap, other]
                        flows[slot, moved, _WINNER] += flows[here, other, _WINNER]
                        flows[slot, moved, _LOSER] += flows[here, other, _LOSER]
        here += 1
    return worth


@compiled
def _leg_paid(table: RaceTable, position: int, dice: int, prices: Values) -> float:
    paid = 0.0
    for rank in range(RANKS):
        paid += prices[rank, _FIRST] * table.leg[position, dice, rank]
        paid += prices[rank, _SECOND] * table.leg[position, dice, SECOND + rank]
    return float(paid / WAYS[dice])


@compiled
def _race_paid(table: RaceTable, position: int, dice: int, prices: Values) -> float:
    paid = 0.0
    column = 0
    for winner in range(RANKS):
        for loser in range(RANKS):
            if loser != winner:
                paid += (prices[winner, _WINNER] + prices[loser, _LOSER]) * table.race[position, dice, column]
                column += 1
    return paid


# -- chances -----------------------------------------------------------------------------------------------------------


@compiled
def _count_chances(table: RaceTable, room: ChoiceRoom, position: int, dice: int) -> None:
    """Fill ``room.chances``: every camel's, by rank, with ``room.tiles`` as they lie."""
    watched = 0
    for space in range(LAST_SPACE + 1):
        watched |= (room.tiles[space] != 0) << space
    room.states[0] = position * DICE_SETS + dice
    count = 1
    here = 0
    while here < count:
        state = room.states[here]
        room.slots[state] = -1
        where, left = state // DICE_SETS, state % DICE_SETS
        room.child[here, 0] = -1
        if table.reach[where, left] & watched:
            outcome = 0
            for rank in range(RANKS):
                if not left >> rank & 1:
                    continue
                for pips in range(1, _FACES + 1):
                    step = room.tiles[table.spaces[where, rank] + pips]
                    packed = table.moves[where, rank, UNDERNEATH + pips - 1 if step < 0 else pips - 1 + step]
                    swap = packed & _SWAP_MASK
                    after = (packed >> SWAP_BITS) * DICE_SETS + NEW_DICE[swap, left & ~(1 << rank)]
                    slot = room.slots[after]
                    if slot < 0:
                        if count == _MOST_STATES:
                            raise MemoryError("a leg has more states than were ever seen")
                        slot = count
                        room.slots[after] = slot
                        room.states[slot] = after
                        count += 1
                    room.child[here, outcome] = slot
                    room.swap[here, outcome] = swap
                    outcome += 1
        here += 1
    for here in range(count - 1, -1, -1):
        state = room.states[here]
        left = state % DICE_SETS
        if room.child[here, 0] < 0:
            _table_chances(table, state // DICE_SETS, left, room.flows[here])
        else:
            _average(room, here, _FACES * _dice_count(left))
    # one by one, since copying slices would add seconds to the time of compiling
    for rank in range(RANKS):
        for kind in range(_KINDS):
            room.chances[rank, kind] = room.flows[0, rank, kind]


@compiled
def _average(room: ChoiceRoom, here: int, outcomes: int) -> None:
    chances = room.flows[here]
    for rank in range(RANKS):
        for kind in range(_KINDS):
            chances[rank, kind] = 0.0
    for outcome in range(outcomes):
        child, swap = room.child[here, outcome], room.swap[here, outcome]
        for rank in range(RANKS):
            for kind in range(_KINDS):
                chances[rank, kind] += room.flows[child, _NEW_RANK[swap, rank], kind]
    for rank in range(RANKS):
        for kind in range(_KINDS):
            chances[rank, kind] /= outcomes


@compiled
def _table_chances(table: RaceTable, position: int, dice: int, chances: Values) -> None:
    """The chances of each rank if no tile is met."""
    for rank in range(RANKS):
        chances[rank, _FIRST] = table.leg[position, dice, rank] / WAYS[dice]
        chances[rank, _SECOND] = table.leg[position, dice, SECOND + rank] / WAYS[dice]
        chances[rank, _WINNER] = 0.0
        chances[rank, _LOSER] = 0.0
    column = 0
    for winner in range(RANKS):
        for loser in range(RANKS):
            if loser != winner:
                chance = table.race[position, dice, column]
                chances[winner, _WINNER] += chance
                chances[loser, _LOSER] += chance
                column += 1


# -- what lies on the table --------------------------------------------------------------------------------------------


@compiled
def canonical(row: Row) -> tuple[int, int]:
    """The position and the dice left by rank."""
    position = 0
    dice = 0
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        position += _CHOOSE[rank, row[SPACE + camel]]
        dice |= (row[TENT + camel] == 0) << rank
    return position, dice


@compiled
def _value_bets(row: Row, room: ChoiceRoom) -> None:
    """The values of leg tiles, roll and race cards from ``room.chances``."""
    values, chances = room.values, room.chances
    seat = row[ACTOR]
    hand = row[HAND + seat]
    values[ROLL_ACTION] = 1.0
    winner_prize, loser_prize = 0.0, 0.0
    if hand:
        winner_prize = _expected_prize(row, WINNER_DECK, row[WINNER_COUNT], seat)
        loser_prize = _expected_prize(row, LOSER_DECK, row[LOSER_COUNT], seat)
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        taken = row[LEG_TAKEN + camel]
        if taken < _LEG_TILES:
            first, second = chances[rank, _FIRST], chances[rank, _SECOND]
            values[LEG_ACTION + camel] = LEG_VALUES[taken] * first + second - (1.0 - first - second)
        if hand >> camel & 1:
            winner, loser = chances[rank, _WINNER], chances[rank, _LOSER]
            values[WINNER_ACTION + camel] = winner_prize * winner - (1.0 - winner)
            values[LOSER_ACTION + camel] = loser_prize * loser - (1.0 - loser)


@compiled
def _expected_prize(row: Row, deck: int, count: int, seat: int) -> float:
    """What this seat's next right card earns behind the first ``count`` cards of the deck.

    Each other owner has at most one right card among those before, with one chance in five per card; the owners are
    independent. The seat's own cards there are of other colours.
    """
    laid = 0
    for place in range(count):
        laid += 1 << 4 * (row[deck + place] >> 3)
    none, one, two, three = 1.0, 0.0, 0.0, 0.0
    for owner in range(MAX_SEATS):
        cards = laid >> 4 * owner & 15
        if cards and owner != seat:
            right = cards / CAMEL_COUNT
            wrong = 1.0 - right
            three = three * wrong + two * right
            two = two * wrong + one * right
            one = one * wrong + none * right
            none *= wrong
    more = 1.0 - none - one - two - three
    return (
        RACE_PRIZES[0] * none
        + RACE_PRIZES[1] * one
        + RACE_PRIZES[2] * two
        + RACE_PRIZES[3] * three
        + _FURTHER_PRIZE * more
    )


@compiled
def _price_stake(row: Row, prices: Values) -> int:
    """What the actor's tiles and cards pay per chance, by rank; whether anything hangs on the leg, on the race."""
    prices[:] = 0.0
    seat = row[ACTOR]
    staked = 0
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        for tile in range(row[LEG_TAKEN + camel]):
            if row[LEG_TILE + _LEG_TILES * camel + tile] == seat:
                prices[rank, _FIRST] += LEG_VALUES[tile] + 1.0
                prices[rank, _SECOND] += 2.0
                staked |= _LEG_STAKE
    for kind, deck, count in ((_WINNER, WINNER_DECK, WINNER_COUNT), (_LOSER, LOSER_DECK, LOSER_COUNT)):
        for place in range(row[count]):
            if row[deck + place] >> 3 == seat:
                staked |= _RACE_STAKE
                for rank in range(RANKS):
                    if row[ORDER + rank] == row[deck + place] & 7:
                        prices[rank, kind] = _expected_prize(row, deck, place, seat) + 1.0
    return staked


@compiled
def _spread(prices: Values) -> float:
    """At most so much lies between the worst and the best outcome of the stake."""
    return _spread_over_pairs(prices, _FIRST, _SECOND) + _spread_over_pairs(prices, _WINNER, _LOSER)


@compiled
def _spread_over_pairs(prices: Values, one: int, other: int) -> float:
    """The same for two places that no camel can hold at once."""
    low, high = np.inf, -np.inf
    for rank in range(RANKS):
        for rival in range(RANKS):
            if rival != rank:
                paid = prices[rank, one] + prices[rival, other]
                low, high = min(low, paid), max(high, paid)
    return high - low


@compiled
def _lay_tiles(row: Row, tiles: npt.NDArray[np.int8]) -> None:
    tiles[:] = 0
    for owner in range(row[PLAYERS]):
        placed = row[DESERT + owner]
        if placed:
            tiles[abs(placed)] = 1 if placed > 0 else -1


@compiled
def _free_spaces(row: Row, seat: int) -> int:
    """Where this seat may put its desert tile (rule 3.3), as bits by space."""
    taken = 3
    for camel in range(CAMEL_COUNT):
        taken |= 1 << row[SPACE + camel]
    for owner in range(row[PLAYERS]):
        placed = row[DESERT + owner]
        if placed:
            bit = 1 << abs(placed)
            taken |= bit if owner == seat else bit | bit << 1 | bit >> 1
    return ~taken & ((1 << LAST_SPACE + 1) - 1)


@compiled
def _dice_count(dice: int) -> int:
    count = 0
    for rank in range(RANKS):
        count += dice >> rank & 1
    return count


@compiled
def first_of_the_best(values: Values) -> int:
    """The first action that no other beats by more than a tie."""
    best = values[0]
    for action in range(1, PLAYER_ACTIONS):
        best = max(best, values[action])
    for action in range(PLAYER_ACTIONS):
        if values[action] >= best - TIE:
            return action
    return ROLL_ACTION
