"""The compiled players of Camel Up (jerboa, donkey, quick, greedy, fennec and other styles): from a row to an action.

A player sees a row as its actor does: of others' cards only how many lie where.

``quick`` and ``greedy`` value actions: ``scratch.values`` has a place for every action of a player, and ``-inf`` for
one that is not legal.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.bots import DONKEY_SURE, JERBOA_FAR, JERBOA_FINISH, JERBOA_TILES, STYLED
from serai.camelup.kernel import layout
from serai.camelup.kernel.rules import free_spaces, random_action
from serai.camelup.odds.race_table import DICE_SETS, RANKS, SECOND, TIE, WAYS, RaceTable, race_table
from serai.camelup.policy.bets import (
    FIRST_PLACE,
    KINDS,
    LEG_BETS,
    LOSER_BETS,
    LOSER_PLACE,
    SECOND_PLACE,
    WINNER_BETS,
    WINNER_PLACE,
    Row,
    Values,
    best_bet,
    canonical,
    lay_tiles,
    price_bets,
    spread,
    value_bets,
)
from serai.camelup.policy.leg import UNSIGNED_RANK, count_chances, moved, place_of, table_chances
from serai.camelup.policy.lookup import NO_LOOKUP, LookupTable, look_up, lookup_table
from serai.camelup.policy.scratch import Scratch
from serai.camelup.policy.styles import STYLES, has_laid, style_choice
from serai.camelup.rules.pieces import FACES, LAST_SPACE, LEG_VALUES
from serai.lab.jit import compiled, inlined
from serai.lab.rng import Words
from serai.lab.rng import count as count_bits

_FACES: Final = len(FACES)
_LEG_TILES: Final = len(LEG_VALUES)
FENNEC: Final = list(STYLES).index("fennec")
STYLE_WEIGHTS: Final = np.array(list(STYLES.values()))
_SURELY_LESS: Final = 1e-6
"""A bound that lies below the best value by this much cannot be a tie, rounding included."""

Flows = npt.NDArray[np.float64]


class Tables(NamedTuple):
    """The tables that players go by."""

    race: RaceTable
    lookup: LookupTable | None


def tables_for(bots: Collection[str]) -> Tables:
    """The tables that these bots need; without a look-up table there is much less to compile."""
    if set(bots) <= set(layout.LIGHT_POLICIES):
        return Tables(race_table(), None)
    return Tables(race_table(), lookup_table() if set(bots) & set(STYLED) else NO_LOOKUP)


@compiled
def decide(
    row: Row, policy: int, table: RaceTable, lookup: LookupTable | None, scratch: Scratch, words: Words, lane: int
) -> int:
    """The action of the player to act, who has this policy; ``words`` are the random numbers of a lane.

    Without a look-up table only ``LIGHT_POLICIES`` are compiled in, which need little scratch.
    """
    if lookup is not None:
        if policy == layout.GREEDY_POLICY:
            return greedy_choice(row, table, scratch)
        if policy >= layout.FENNEC_POLICY:
            return styled_choice(row, FENNEC + policy - layout.FENNEC_POLICY, lookup, scratch, words, lane)
    if policy == layout.QUICK_POLICY:
        return quick_choice(row, table, scratch)
    if policy == layout.JERBOA_POLICY:
        return jerboa_choice(row)
    if policy == layout.DONKEY_POLICY:
        return donkey_choice(row, table, scratch)
    return random_action(row, words, lane)


@compiled
def styled_choice(row: Row, style: int, lookup: LookupTable, scratch: Scratch, words: Words, lane: int) -> int:
    """What a player of a style does by looked-up chances."""
    look_up(row, lookup, scratch.looked_up)
    return int(style_choice(row, STYLE_WEIGHTS, style, scratch.looked_up, words, lane))


@compiled
def jerboa_choice(row: Row) -> int:
    """Backs who leads: with a leg tile, far on the track with a card."""
    leader = int(row[layout.ORDER + layout.CAMEL_COUNT - 1])
    if row[layout.LEG_TAKEN + leader] < JERBOA_TILES:
        return layout.LEG_ACTION + leader
    seat = row[layout.ACTOR]
    far = JERBOA_FINISH if has_laid(row, layout.WINNER_DECK, row[layout.WINNER_COUNT], seat) else JERBOA_FAR
    if row[layout.SPACE + leader] >= far and row[layout.HAND + seat] >> leader & 1:
        return layout.WINNER_ACTION + leader
    return layout.ROLL_ACTION


@compiled
def donkey_choice(row: Row, table: RaceTable, scratch: Scratch) -> int:
    """Sticks to the camel it has backed in this leg; race cards only where they are nearly sure."""
    quick_values(row, table, scratch)
    seat = row[layout.ACTOR]
    backed = 0
    for camel in range(layout.CAMEL_COUNT):
        for tile in range(row[layout.LEG_TAKEN + camel]):
            if row[layout.LEG_TILE + _LEG_TILES * camel + tile] == seat:
                backed |= 1 << camel
    for camel in range(layout.CAMEL_COUNT):
        if backed and not backed >> camel & 1:
            scratch.values[layout.LEG_ACTION + camel] = -np.inf
    for action in range(layout.WINNER_ACTION, layout.PLAYER_ACTIONS):
        if scratch.values[action] < DONKEY_SURE:
            scratch.values[action] = -np.inf
    return first_of_the_best(scratch.values)


# -- quick -------------------------------------------------------------------------------------------------------------


@compiled
def quick_choice(row: Row, table: RaceTable, scratch: Scratch) -> int:
    """The best leg tile, race card or roll by the race table, as if no tiles lay; the number of the action."""
    position, dice = canonical(row)
    table_chances(table, position, dice, scratch.chances)
    return best_bet(row, scratch.chances)


@compiled
def quick_values(row: Row, table: RaceTable, scratch: Scratch) -> None:
    """Fill ``scratch.values`` as ``quick`` sees it."""
    position, dice = canonical(row)
    table_chances(table, position, dice, scratch.chances)
    scratch.values[:] = -np.inf
    value_bets(row, scratch.chances, scratch.values)


# -- greedy ------------------------------------------------------------------------------------------------------------


@compiled
def greedy_choice(row: Row, table: RaceTable, scratch: Scratch) -> int:
    """The action of the highest exact value; placements that cannot be the best are not worked out."""
    greedy_values(row, table, scratch, True)
    return first_of_the_best(scratch.values)


@compiled
def greedy_values(row: Row, table: RaceTable, scratch: Scratch, prune: bool) -> None:
    """Fill ``scratch.values``; with ``prune``, placements that cannot be the best stay at ``-inf``."""
    seat = row[layout.ACTOR]
    position, dice = canonical(row)
    scratch.values[:] = -np.inf
    lay_tiles(row, scratch.tiles)
    count_chances(table, scratch, position, dice)
    value_bets(row, scratch.chances, scratch.values)
    bets = price_bets(row, scratch.prices)
    own = abs(row[layout.DESERT + seat])
    held = _flow(table, scratch, position, dice, 0, bets) + scratch.landings[own]
    scratch.tiles[own] = 0
    free = free_spaces(row, seat) << layout.FIRST_DESERT_SPACE
    if prune:
        best = -np.inf
        for action in range(layout.PLAYER_ACTIONS):
            best = max(best, scratch.values[action])
        rest = _flow(table, scratch, position, dice, 0, bets) if own else held
        free = _promising(table, scratch, position, dice, free, best + held - rest - _SURELY_LESS)
    for space in range(layout.FIRST_DESERT_SPACE, LAST_SPACE + 1):
        if not free >> space & 1:
            continue
        for base, step in ((layout.OASIS_ACTION, 1), (layout.MIRAGE_ACTION, -1)):
            scratch.tiles[space] = step
            worth = _flow(table, scratch, position, dice, 0, bets)
            scratch.values[base + space - layout.FIRST_DESERT_SPACE] = worth + scratch.landings[space] - held
        scratch.tiles[space] = 0


@compiled
def _promising(table: RaceTable, scratch: Scratch, position: int, dice: int, free: int, needed: float) -> int:
    """Those free spaces where a tile, either side up, might bring ``needed`` pounds more than none.

    Until a unit first stops on the space, everything goes as without the tile. So the tile's effect is bounded by the
    chance that one does, which is at most the number of stops expected there now: it may turn the worst outcome of
    the bets into the best, and earn a pound for this stop and one in three for each die after it.
    """
    later = (count_bits(dice) - 1) / _FACES
    most_shift = spread(scratch.prices)
    if most_shift == 0.0 and count_bits(dice) / _FACES < needed:
        return 0
    _flow(table, scratch, position, dice, free, 0)
    most = 1.0 + later + most_shift
    promising = 0
    for space in range(layout.FIRST_DESERT_SPACE, LAST_SPACE + 1):
        if free >> space & 1 and min(1.0, scratch.landings[space]) * most >= needed:
            promising |= 1 << space
    return promising


@compiled
def _flow(table: RaceTable, scratch: Scratch, position: int, dice: int, watched: int, bets: int) -> float:
    """What the bets are worth with ``scratch.tiles`` as they lie, and how often units stop on them.

    The prices flow from the root through the distinct states of the leg, each camel's price following its rank, until
    neither a tile nor a watched space can be met: there the race table knows the chances that they pay for.
    ``scratch.landings`` gets the stops expected on tiles and watched spaces.
    """
    # taken from the scratch once: compiled code would count references whenever the loop reads them there
    slots, states = scratch.walk.slots, scratch.walk.states
    flows, mass, landings, tiles = scratch.flows, scratch.mass, scratch.landings, scratch.tiles
    landings[:] = 0.0
    for space in range(LAST_SPACE + 1):
        watched |= (tiles[space] != 0) << space
    _put(flows, scratch.prices)
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
            if bets & LEG_BETS:
                worth += _leg_paid(table, where, left, flows[here])
            if bets & (WINNER_BETS | LOSER_BETS):
                worth += _race_paid(table, where, left, flows[here])
            here += 1
            continue
        share = 1.0 / (_FACES * count_bits(left))
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
                _pass_on(flows, here, slot, swap, bets)
        here += 1
    return worth


@inlined
def _put(flows: Flows, prices: Values) -> None:
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
def _pass_on(flows: Flows, here: int, following: int, swap: int, bets: int) -> None:
    """Add a state's prices to those of a following one, each camel's at its new rank; only of bets held."""
    if bets & LEG_BETS:
        for rank in range(RANKS):
            moved_to = UNSIGNED_RANK[swap, rank]
            flows[following, moved_to, FIRST_PLACE] += flows[here, rank, FIRST_PLACE]
            flows[following, moved_to, SECOND_PLACE] += flows[here, rank, SECOND_PLACE]
    if bets & WINNER_BETS:
        for rank in range(RANKS):
            flows[following, UNSIGNED_RANK[swap, rank], WINNER_PLACE] += flows[here, rank, WINNER_PLACE]
    if bets & LOSER_BETS:
        for rank in range(RANKS):
            flows[following, UNSIGNED_RANK[swap, rank], LOSER_PLACE] += flows[here, rank, LOSER_PLACE]


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


@compiled
def first_of_the_best(values: Values) -> int:
    """The first action that no other beats by more than a tie."""
    best = values[0]
    for action in range(1, layout.PLAYER_ACTIONS):
        best = max(best, values[action])
    for action in range(layout.PLAYER_ACTIONS):
        if values[action] >= best - TIE:
            return action
    return layout.ROLL_ACTION
