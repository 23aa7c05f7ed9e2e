"""Playouts, compiled: from a view on, after each of some first actions, to the end of the leg or of the race.

Playout ``k`` begins with its own hidden cards and its own company, drawn from the seed and its number alone. The dice
and the moods of the players come from two streams, so the n-th die is the same whatever anybody did before it: the
playouts of two actions differ by what follows from them and by nothing else.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.beliefs import Beliefs, imagine
from serai.camelup.kernel.foresight import NO_TILES, Foresights, look_ahead
from serai.camelup.kernel.layout import (
    ACTOR,
    CHANCE_ACTS,
    LEG,
    MAX_SEATS,
    MONEY,
    NOBODY_ACTS,
    PLAYERS,
    ROW_SIZE,
)
from serai.camelup.kernel.rules import Row, act, drawn_die
from serai.camelup.kernel.sight import SIGHT_SIZE, Lines, Sight, look
from serai.camelup.kernel.styles import Styles, glance
from serai.camelup.kernel.value import PAY_SIZE, RaceChances, Weights, judge, share
from serai.core.jit import compiled
from serai.core.splitmix import Words, draw, seed_of

Shares = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

_DICE: Final = 0
"""Streams of chance."""
_MOODS: Final = 1
_START: Final = 2
_STREAMS: Final = 3
_UNIT: Final = 1.0 / 2**64
_MOST_PLIES: Final = 500
"""In one playout: nobody needs as many, but none goes on for ever."""
Log = npt.NDArray[np.int8]
NO_LOG: Final[Log] = np.empty(0, np.int8)
NOTHING_FIRST: Final = -1
"""Instead of the number of a first action: whoever is to act goes on at once."""
LIKE_OTHERS: Final = -1
"""Instead of a style of one's own."""


class Company(NamedTuple):
    """Who plays on."""

    styles: Styles
    own: int
    """The style of the seat to act, or ``LIKE_OTHERS``."""
    up_to: npt.NDArray[np.float64]
    """By style: the chance that another seat plays in this one or one before it."""


class Judge(NamedTuple):
    """What tells chances, and the value of a position."""

    lines: Lines
    ahead: Foresights
    tiles: npt.NDArray[np.int64]
    """By first action: which of these, as the tiles lie after it."""
    race: RaceChances
    weights: Weights
    """Of :mod:`serai.camelup.kernel.value`, for this number of players."""


@compiled
def play_on(
    start: Row,
    actions: Numbers,
    seed: np.uint64,
    first: int,
    whole: bool,
    beliefs: Beliefs,
    company: Company,
    by: Judge,
    wins: Shares,
    scores: Shares,
    rows: npt.NDArray[np.int16],
    log: Log,
) -> None:
    """Fill in, by playout, action and seat, the share of victory and the pounds.

    A first action may be chance's. ``first`` is the number of the first playout. With ``whole`` the race is run to its
    end, else the leg. Of the last one ``rows`` shows the beginning, as it was dealt, and the end; ``log`` its actions,
    as far as there is room.
    """
    players = start[PLAYERS]
    mover = start[ACTOR]
    dealt, row = rows[0], rows[1]
    seats = np.zeros(MAX_SEATS, np.int64)
    words = np.empty(_STREAMS, np.uint64)
    sight = np.empty(SIGHT_SIZE)
    pays, won, sums = np.empty((MAX_SEATS, PAY_SIZE)), np.empty((2, MAX_SEATS)), np.empty((2 + PAY_SIZE, MAX_SEATS))
    for place in range(ROW_SIZE):
        dealt[place] = start[place]
    for playout in range(len(wins)):
        chance = seed_of(seed, np.uint64(first + playout))
        words[_START] = chance
        imagine(dealt, beliefs, words, _START)
        for seat in range(players):
            seats[seat] = company.own if seat == mover and company.own != LIKE_OTHERS else _met(company, words)
        for action in range(len(actions)):
            for place in range(ROW_SIZE):
                row[place] = dealt[place]
            words[_DICE] = chance ^ np.uint64(0x9E3779B97F4A7C15)
            words[_MOODS] = chance ^ np.uint64(0xC2B2AE3D27D4EB4F)
            if actions[action] != NOTHING_FIRST:
                act(row, actions[action])
            if row[ACTOR] != NOBODY_ACTS:
                tiles = by.tiles[action] if row[LEG] == dealt[LEG] else NO_TILES
                _run(row, whole, seats, company.styles, by, tiles, sight, words, log)
            if row[ACTOR] == NOBODY_ACTS:
                share(row, won)
                for seat in range(players):
                    wins[playout, action, seat] = won[0, seat]
                    scores[playout, action, seat] = row[MONEY + seat]
            else:
                look(row, by.lines, sight)
                judge(row, by.race, sight, by.weights, pays, won, sums)
                for seat in range(players):
                    wins[playout, action, seat] = won[0, seat]
                    scores[playout, action, seat] = sums[0, seat]


@compiled
def _met(company: Company, words: Words) -> int:
    """The style of somebody else."""
    luck = draw(words, _START) * _UNIT
    style = 0
    while style < len(company.up_to) - 1 and company.up_to[style] <= luck:
        style += 1
    return style


@compiled
def _run(
    row: Row, whole: bool, seats: Numbers, styles: Styles, by: Judge, tiles: int, sight: Sight, words: Words, log: Log
) -> None:
    """Go on until the leg, or the race, is over. Of tiles laid on the way chances take no notice."""
    leg = row[LEG]
    stale = True
    for ply in range(_MOST_PLIES):
        if row[ACTOR] == CHANCE_ACTS:
            action = drawn_die(row, words, _DICE)
            stale = True
        else:
            if stale:
                look_ahead(row, by.lines, by.ahead, tiles, sight)
                stale = False
            action = glance(row, styles, seats[row[ACTOR]], sight, words, _MOODS)
        act(row, action)
        if ply < len(log):
            log[ply] = action
        if stale:
            if row[ACTOR] == NOBODY_ACTS or (row[LEG] != leg and not whole):
                return
            if row[LEG] != leg:
                tiles = NO_TILES
