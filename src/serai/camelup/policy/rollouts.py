"""Rollouts: play on from a view after each of some actions, to the end of the leg or of the race.

Playout ``k`` has its own hidden cards and its own company, drawn from the seed and its number alone. The dice and the
moods of the players come from two streams, so the n-th die is the same whatever anybody did before it: the playouts of
two actions differ only by what follows from them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.kernel.bridge import NUMBERS, to_row
from serai.camelup.kernel.rules import act, drawn_die
from serai.camelup.memory import RaceMemory
from serai.camelup.odds.race_table import race_table
from serai.camelup.parts import PARTS
from serai.camelup.policy.beliefs import COACH_TRUST, TRUST, Beliefs, beliefs_of, imagine
from serai.camelup.policy.bets import Row, canonical, lay_tiles
from serai.camelup.policy.lookup import (
    NO_TILES,
    Chances,
    LegOutcomes,
    LookupTable,
    count_outcomes,
    look_up,
    look_up_with_tiles,
    lookup_table,
    new_outcomes,
)
from serai.camelup.policy.parts import NO_PARTS, AllParts, Parts, count_die, count_hopes, slopes_at_the_end
from serai.camelup.policy.scratch import CHANCES_SIZE, own_scratch
from serai.camelup.policy.styles import EVEN, LIKE_OTHERS, Company, Styles, company_of, style_choice
from serai.camelup.policy.value import PAY_SIZE, RaceChances, Weights, evaluate, fitted_weights, victory_shares
from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.rules import CamelUpState
from serai.core.rollouts import HABIT, Habit
from serai.lab.jit import compiled
from serai.lab.rng import Words, drawn_place, seed_of
from serai.lab.rollouts import ArrayPlayouts, check_actions

Shares = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Log = npt.NDArray[np.int8]

_NOTHING_FIRST: Final = -1
"""Instead of the number of a first action: the player to act decides at once."""
_NO_LOG: Final[Log] = np.empty(0, np.int8)
_DICE: Final = 0
"""Streams of random numbers."""
_MOODS: Final = 1
_START: Final = 2
_STREAMS: Final = 3
_MOST_PLIES: Final = 500
"""Of one playout. None needs this many, but none may go on for ever."""


def rollouts(
    view: CamelUpState,
    actions: Sequence[AnyAction | Habit | None],
    n: int,
    *,
    policy: str = "",
    seed: int = 0,
    first: int = 0,
    memory: RaceMemory | None = None,
    threads: int = 1,
    whole: bool = False,
    parts: bool = False,
) -> ArrayPlayouts:
    """Play on ``n`` times after each action; see :meth:`serai.core.Game.rollouts`.

    With ``whole``, the whole race. With ``parts``, it is counted where the money comes from.
    """
    chosen = check_actions(actions, NUMBERS)
    row = to_row(view)
    beliefs = beliefs_of(view, row, memory, COACH_TRUST if policy == EVEN else TRUST)
    company = company_of(policy or "mixed", view.players)
    numbers = np.array([_NOTHING_FIRST if action in (None, HABIT) else NUMBERS[action] for action in chosen], np.int64)
    tables = tables_for(row, numbers)
    wins = np.empty((n, len(chosen), view.players), np.float32)
    scores = np.empty_like(wins)
    counted = np.zeros((n, len(chosen), view.players, PARTS), np.float32) if parts else NO_PARTS

    def play(start: int, end: int) -> None:
        part = slice(start, end)
        word = np.uint64(seed % 2**64)
        rows = np.empty((2, layout.ROW_SIZE), np.int16)
        won, got = wins[part], scores[part]
        play_on(
            row, numbers, word, first + start, whole, beliefs, company, tables, won, got, counted[part], rows, _NO_LOG
        )

    if threads == 1:
        play(0, n)
    else:
        cuts = [n * thread // threads for thread in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, cuts[:-1], cuts[1:]))
    return ArrayPlayouts(
        chosen,
        wins.transpose(1, 0, 2),
        scores.transpose(1, 0, 2),
        counted.transpose(1, 0, 2, 3) if parts else None,
    )


class RolloutTables(NamedTuple):
    """The tables of chances, and what a position is worth."""

    lookup: LookupTable
    outcomes: LegOutcomes
    tiles: Numbers
    """By first action: the number of its outcomes, as the tiles lie after it."""
    race: RaceChances
    weights: Weights


def tables_for(row: Row, actions: Numbers) -> RolloutTables:
    """The tables for playouts of these first actions."""
    try:
        cache: _OutcomesCache = _threads.cache
    except AttributeError:
        cache = _threads.cache = _OutcomesCache()
    tiles = cache.numbers_of(row, actions)
    return RolloutTables(
        lookup_table(), cache.outcomes, tiles, race_table().race, fitted_weights(int(row[layout.PLAYERS]))
    )


class _OutcomesCache:
    """The outcomes of the tracks met last, each with its tiles: a search asks for the same ones again and again."""

    def __init__(self) -> None:
        self.outcomes = new_outcomes(_CACHED)
        self._known: OrderedDict[tuple[int, ...], int] = OrderedDict()
        self._row = np.empty(layout.ROW_SIZE, np.int16)

    def numbers_of(self, row: Row, actions: Numbers) -> Numbers:
        """For each action the number of the outcomes after it."""
        numbers = np.full(len(actions), NO_TILES, np.int64)
        for place, action in enumerate(actions.tolist()):
            self._row[:] = row
            if layout.OASIS_ACTION <= action < layout.ROLL_ACTION:
                act(self._row, action)
            numbers[place] = self._number(self._row)
        return numbers

    def _number(self, row: Row) -> int:
        tiles = tuple(sorted(tile for tile in row[layout.DESERT : layout.DESERT + layout.MAX_SEATS].tolist() if tile))
        if not tiles:
            return NO_TILES
        position, dice = canonical(row)
        key = (position, dice, *tiles)
        number = self._known.pop(key, None)
        if number is None:
            number = len(self._known) if len(self._known) < _CACHED else self._known.popitem(last=False)[1]
            scratch = own_scratch()
            lay_tiles(row, scratch.tiles)
            count_outcomes(race_table(), scratch, position, dice, self.outcomes, number)
        self._known[key] = number
        return number


_CACHED: Final = 48
"""More than one search can ask for, so that no number changes its meaning during it."""
_threads = threading.local()


# -- compiled ----------------------------------------------------------------------------------------------------------


@compiled
def play_on(
    start: Row,
    actions: Numbers,
    seed: np.uint64,
    first: int,
    whole: bool,
    beliefs: Beliefs,
    company: Company,
    tables: RolloutTables,
    wins: Shares,
    scores: Shares,
    parts: AllParts,
    rows: npt.NDArray[np.int16],
    log: Log,
) -> None:
    """Fill in, by playout, action and seat, the share of victory, the pounds and, if there is room, their parts.

    A first action may be chance's. ``first`` is the number of the first playout. With ``whole`` the race is run to its
    end, else the leg. ``rows`` gets the beginning of the last playout, as it was dealt, and its end; ``log`` its
    actions as far as they fit.
    """
    players = start[layout.PLAYERS]
    mover = start[layout.ACTOR]
    dealt, row = rows[0], rows[1]
    seats = np.zeros(layout.MAX_SEATS, np.int64)
    words = np.empty(_STREAMS, np.uint64)
    chances = np.empty(CHANCES_SIZE)
    counting = len(parts) > 0
    decider = max(mover, 0)
    before = np.empty(layout.ROW_SIZE, np.int16)
    nothing = np.empty((0, PARTS), np.float32)
    pays, won, sums = (
        np.empty((layout.MAX_SEATS, PAY_SIZE)),
        np.empty((2, layout.MAX_SEATS)),
        np.empty((2 + PAY_SIZE, layout.MAX_SEATS)),
    )
    for place in range(layout.ROW_SIZE):
        dealt[place] = start[place]
    for playout in range(len(wins)):
        chance = seed_of(seed, np.uint64(first + playout))
        words[_START] = chance
        imagine(dealt, beliefs, words, _START)
        for seat in range(players):
            as_self = seat == mover and company.own != LIKE_OTHERS
            seats[seat] = company.own if as_self else drawn_place(company.up_to, len(company.up_to), words, _START)
        for action in range(len(actions)):
            for place in range(layout.ROW_SIZE):
                row[place] = dealt[place]
            words[_DICE] = chance ^ np.uint64(0x9E3779B97F4A7C15)
            words[_MOODS] = chance ^ np.uint64(0xC2B2AE3D27D4EB4F)
            own = parts[playout, action] if counting else nothing
            if actions[action] != _NOTHING_FIRST:
                _act(row, actions[action], before, own)
            if row[layout.ACTOR] != layout.NOBODY_ACTS:
                tiles = tables.tiles[action] if row[layout.LEG] == dealt[layout.LEG] else NO_TILES
                _run(row, whole, seats, company.styles, tables, tiles, chances, words, before, own, log)
            if row[layout.ACTOR] == layout.NOBODY_ACTS:
                victory_shares(row, won)
                for seat in range(players):
                    wins[playout, action, seat] = won[0, seat]
                    scores[playout, action, seat] = row[layout.MONEY + seat]
                if counting:
                    slopes_at_the_end(row, tables.weights, decider, own)
            else:
                look_up(row, tables.lookup, chances)
                evaluate(row, tables.race, chances, tables.weights, pays, won, sums)
                for seat in range(players):
                    wins[playout, action, seat] = won[0, seat]
                    scores[playout, action, seat] = sums[0, seat]
                if counting:
                    count_hopes(row, tables.race, chances, tables.weights, sums, decider, own)


@compiled
def _act(row: Row, action: int, before: Row, parts: Parts) -> None:
    """Do one action; count what a die brings if there is room for the parts."""
    if len(parts) == 0 or action < layout.DIE_ACTION:
        act(row, action)
        return
    for place in range(layout.ROW_SIZE):
        before[place] = row[place]
    act(row, action)
    count_die(before, row, action, parts)


@compiled
def _run(
    row: Row,
    whole: bool,
    seats: Numbers,
    styles: Styles,
    tables: RolloutTables,
    tiles: int,
    chances: Chances,
    words: Words,
    before: Row,
    parts: Parts,
    log: Log,
) -> None:
    """Play until the leg, or the race, is over. Chances ignore tiles laid on the way."""
    leg = row[layout.LEG]
    stale = True
    for ply in range(_MOST_PLIES):
        if row[layout.ACTOR] == layout.CHANCE_ACTS:
            action = drawn_die(row, words, _DICE)
            stale = True
        else:
            if stale:
                look_up_with_tiles(row, tables.lookup, tables.outcomes, tiles, chances)
                stale = False
            action = style_choice(row, styles, seats[row[layout.ACTOR]], chances, words, _MOODS)
        _act(row, action, before, parts)
        if ply < len(log):
            log[ply] = action
        if stale:
            if row[layout.ACTOR] == layout.NOBODY_ACTS or (row[layout.LEG] != leg and not whole):
                return
            if row[layout.LEG] != leg:
                tiles = NO_TILES
