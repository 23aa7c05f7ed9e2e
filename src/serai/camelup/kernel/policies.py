"""The bots ``quick`` and ``greedy`` compiled: what each action of the player to act is worth, and the best of them.

Both see a flat row (:mod:`serai.camelup.kernel.layout`) as its actor does: of others' race cards they use only how
many lie where. ``values`` has a place for every action of a player; an action that is not legal is worth ``-inf``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    ACTOR,
    DESERT,
    FIRST_DESERT_SPACE,
    MIRAGE_ACTION,
    OASIS_ACTION,
    PLAYER_ACTIONS,
    ROLL_ACTION,
)
from serai.camelup.kernel.leg import MOST_STATES, WAYS, Walk, moved, place_of, room_for_walk, walk_leg
from serai.camelup.kernel.rules import free_spaces
from serai.camelup.kernel.sight import SIGHT_SIZE, Sight
from serai.camelup.kernel.stake import (
    FIRST_PLACE,
    KINDS,
    LEG_STAKE,
    LOSER_PLACE,
    LOSER_STAKE,
    SECOND_PLACE,
    WINNER_PLACE,
    WINNER_STAKE,
    Row,
    Values,
    best_bet,
    canonical,
    lay_tiles,
    price_stake,
    spread,
    value_bets,
)
from serai.camelup.odds.canonical import DICE_SETS, NEW_RANK, RANKS
from serai.camelup.odds.race_table import SECOND, TIE, RaceTable
from serai.camelup.pieces import FACES, LAST_SPACE, TRACK_SIZE
from serai.core.jit import compiled, inlined

_FACES: Final = len(FACES)
_NEW_RANK: Final = NEW_RANK.astype(np.uint64)
"""Unsigned, which spares compiled code a check."""
Flows = npt.NDArray[np.float64]
_SURELY_LESS: Final = 1e-6
"""A bound that lies below the best value by this much cannot be a tie, rounding included."""


class ChoiceRoom(NamedTuple):
    """Room to think in, used again and again."""

    walk: Walk
    flows: npt.NDArray[np.float64]
    """By place, rank and kind: the prices that flow through a state, or its chances."""
    mass: npt.NDArray[np.float64]
    """By place: the chance to get there."""
    tiles: npt.NDArray[np.int8]
    """By space: the step of the tile there."""
    prices: npt.NDArray[np.float64]
    """By rank and kind: what the actor's stake pays per chance."""
    chances: npt.NDArray[np.float64]
    """By rank and kind."""
    landings: npt.NDArray[np.float64]
    values: Values
    sight: Sight


def room_for_choice() -> ChoiceRoom:
    """Fresh room: two threads must not share it."""
    return ChoiceRoom(
        room_for_walk(),
        np.empty((MOST_STATES, RANKS, KINDS)),
        np.empty(MOST_STATES),
        np.zeros(TRACK_SIZE, np.int8),
        np.empty((RANKS, KINDS)),
        np.empty((RANKS, KINDS)),
        np.empty(TRACK_SIZE),
        np.empty(PLAYER_ACTIONS),
        np.empty(SIGHT_SIZE),
    )


# -- quick -------------------------------------------------------------------------------------------------------------


@compiled
def quick_choice(row: Row, table: RaceTable, room: ChoiceRoom) -> int:
    """The best leg tile, race card or roll by the race table, as if no tiles lay; the number of the action."""
    position, dice = canonical(row)
    _table_chances(table, position, dice, room.chances)
    return best_bet(row, room.chances)


@compiled
def quick_values(row: Row, table: RaceTable, room: ChoiceRoom) -> None:
    """Fill ``room.values`` as ``quick`` sees it."""
    position, dice = canonical(row)
    _table_chances(table, position, dice, room.chances)
    room.values[:] = -np.inf
    value_bets(row, room.chances, room.values)


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
    lay_tiles(row, room.tiles)
    count_chances(table, room, position, dice)
    value_bets(row, room.chances, room.values)
    staked = price_stake(row, room.prices)
    own = abs(row[DESERT + seat])
    held = _flow(table, room, position, dice, 0, staked) + room.landings[own]
    room.tiles[own] = 0
    free = free_spaces(row, seat) << FIRST_DESERT_SPACE
    if prune:
        best = -np.inf
        for action in range(PLAYER_ACTIONS):
            best = max(best, room.values[action])
        rest = _flow(table, room, position, dice, 0, staked) if own else held
        free = _promising(table, room, position, dice, free, best + held - rest - _SURELY_LESS)
    for space in range(FIRST_DESERT_SPACE, LAST_SPACE + 1):
        if not free >> space & 1:
            continue
        for base, step in ((OASIS_ACTION, 1), (MIRAGE_ACTION, -1)):
            room.tiles[space] = step
            worth = _flow(table, room, position, dice, 0, staked)
            room.values[base + space - FIRST_DESERT_SPACE] = worth + room.landings[space] - held
        room.tiles[space] = 0


@compiled
def _promising(table: RaceTable, room: ChoiceRoom, position: int, dice: int, free: int, needed: float) -> int:
    """Those free spaces where a tile, either side up, might bring ``needed`` pounds more than none.

    Until a unit first stops on the space, everything goes as without the tile. So the tile's effect is bounded by the
    chance that one does, which is at most the number of stops expected there now: it may turn the worst outcome of
    the stake into the best, and earn a pound for this stop and one in three for each die after it.
    """
    later = (_dice_count(dice) - 1) / _FACES
    most_shift = spread(room.prices)
    if most_shift == 0.0 and _dice_count(dice) / _FACES < needed:
        return 0
    _flow(table, room, position, dice, free, 0)
    most = 1.0 + later + most_shift
    promising = 0
    for space in range(FIRST_DESERT_SPACE, LAST_SPACE + 1):
        if free >> space & 1 and min(1.0, room.landings[space]) * most >= needed:
            promising |= 1 << space
    return promising


@compiled
def _flow(table: RaceTable, room: ChoiceRoom, position: int, dice: int, watched: int, staked: int) -> float:
    """What the stake is worth with ``room.tiles`` as they lie, and how often units stop on them.

    The prices flow from the root through the distinct states of the leg, each camel's price following its rank, until
    neither a tile nor a watched space can be met: there the race table knows the chances that they pay for.
    ``room.landings`` gets the stops expected on tiles and watched spaces.
    """
    # taken from the room once: compiled code would count references whenever the loop reads them there
    slots, states = room.walk.slots, room.walk.states
    flows, mass, landings, tiles = room.flows, room.mass, room.landings, room.tiles
    landings[:] = 0.0
    for space in range(LAST_SPACE + 1):
        watched |= (tiles[space] != 0) << space
    _pour_in(flows, room.prices)
    mass[0] = 1.0
    states[0] = position * DICE_SETS + dice
    count = 1
    here = 0
    worth = 0.0
    while here < count:
        state = states[here]
        slots[state] = -1
        where, left = state // DICE_SETS, state % DICE_SETS
        if table.reach[where, left] & watched == 0:
            if staked & LEG_STAKE:
                worth += _leg_paid(table, where, left, flows[here])
            if staked & (WINNER_STAKE | LOSER_STAKE):
                worth += _race_paid(table, where, left, flows[here])
            here += 1
            continue
        share = 1.0 / (_FACES * _dice_count(left))
        _scale(flows, here, share)
        each = mass[here] * share
        for rank in range(RANKS):
            if not left >> rank & 1:
                continue
            for pips in range(1, _FACES + 1):
                landing = table.spaces[where, rank] + pips
                landings[landing] += each
                swap, after = moved(table.moves, where, left, rank, pips, tiles[landing])
                slot = place_of(slots, states, after, count)
                if slot == count:
                    count += 1
                    mass[slot] = 0.0
                    _clear(flows, slot)
                mass[slot] += each
                _hand_on(flows, here, slot, swap, staked)
        here += 1
    return worth


@inlined
def _pour_in(flows: Flows, prices: Values) -> None:
    for rank in range(RANKS):
        for kind in range(KINDS):
            flows[0, rank, kind] = prices[rank, kind]


@inlined
def _scale(flows: Flows, here: int, share: float) -> None:
    for rank in range(RANKS):
        for kind in range(KINDS):
            flows[here, rank, kind] *= share


@inlined
def _clear(flows: Flows, here: int) -> None:
    for rank in range(RANKS):
        for kind in range(KINDS):
            flows[here, rank, kind] = 0.0


@inlined
def _hand_on(flows: Flows, here: int, following: int, swap: int, staked: int) -> None:
    """Add a state's prices to those of a following one, each camel's at its new rank; only what there is a stake in."""
    if staked & LEG_STAKE:
        for rank in range(RANKS):
            moved_to = _NEW_RANK[swap, rank]
            flows[following, moved_to, FIRST_PLACE] += flows[here, rank, FIRST_PLACE]
            flows[following, moved_to, SECOND_PLACE] += flows[here, rank, SECOND_PLACE]
    if staked & WINNER_STAKE:
        for rank in range(RANKS):
            flows[following, _NEW_RANK[swap, rank], WINNER_PLACE] += flows[here, rank, WINNER_PLACE]
    if staked & LOSER_STAKE:
        for rank in range(RANKS):
            flows[following, _NEW_RANK[swap, rank], LOSER_PLACE] += flows[here, rank, LOSER_PLACE]


@compiled
def _leg_paid(table: RaceTable, position: int, dice: int, prices: Values) -> float:
    paid = 0.0
    for rank in range(RANKS):
        paid += prices[rank, FIRST_PLACE] * table.leg[position, dice, rank]
        paid += prices[rank, SECOND_PLACE] * table.leg[position, dice, SECOND + rank]
    return float(paid / WAYS[dice])


@compiled
def _race_paid(table: RaceTable, position: int, dice: int, prices: Values) -> float:
    paid = 0.0
    column = 0
    for winner in range(RANKS):
        for loser in range(RANKS):
            if loser != winner:
                paid += (prices[winner, WINNER_PLACE] + prices[loser, LOSER_PLACE]) * table.race[position, dice, column]
                column += 1
    return paid


# -- chances -----------------------------------------------------------------------------------------------------------


@compiled
def count_chances(table: RaceTable, room: ChoiceRoom, position: int, dice: int) -> int:
    """Fill ``room.chances``: every camel's, by rank, with ``room.tiles`` as they lie.

    ``room.flows`` has those of every state that was met on the way; tells how many there are.
    """
    count = walk_leg(table, room.walk, position, dice, room.tiles, False)
    for here in range(count - 1, -1, -1):
        state = room.walk.states[here]
        left = state % DICE_SETS
        if room.walk.child[here, 0] < 0:
            _table_chances(table, state // DICE_SETS, left, room.flows[here])
        else:
            _average(room, here, _FACES * _dice_count(left))
    # one by one, since copying slices would add seconds to the time of compiling
    for rank in range(RANKS):
        for kind in range(KINDS):
            room.chances[rank, kind] = room.flows[0, rank, kind]
    return count


@compiled
def _average(room: ChoiceRoom, here: int, outcomes: int) -> None:
    chances = room.flows[here]
    for rank in range(RANKS):
        for kind in range(KINDS):
            chances[rank, kind] = 0.0
    for outcome in range(outcomes):
        child, swap = room.walk.child[here, outcome], room.walk.swap[here, outcome]
        for rank in range(RANKS):
            for kind in range(KINDS):
                chances[rank, kind] += room.flows[child, _NEW_RANK[swap, rank], kind]
    for rank in range(RANKS):
        for kind in range(KINDS):
            chances[rank, kind] /= outcomes


@compiled
def _table_chances(table: RaceTable, position: int, dice: int, chances: Values) -> None:
    """The chances of each rank if no tile is met."""
    for rank in range(RANKS):
        chances[rank, FIRST_PLACE] = table.leg[position, dice, rank] / WAYS[dice]
        chances[rank, SECOND_PLACE] = table.leg[position, dice, SECOND + rank] / WAYS[dice]
        chances[rank, WINNER_PLACE] = 0.0
        chances[rank, LOSER_PLACE] = 0.0
    column = 0
    for winner in range(RANKS):
        for loser in range(RANKS):
            if loser != winner:
                chance = table.race[position, dice, column]
                chances[winner, WINNER_PLACE] += chance
                chances[loser, LOSER_PLACE] += chance
                column += 1


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
