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
_MOST_ACTIONS: Final = 400
"""In one playout: nobody needs as many, but none goes on for ever."""


class Company(NamedTuple):
    """Who plays on."""

    styles: Styles
    own: int
    """The style of the seat to act."""
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
) -> None:
    """Fill in, by playout, action and seat, the share of victory and the pounds.

    ``first`` is the number of the first playout. With ``whole`` the race is run to its end, else the leg.
    """
    players = start[PLAYERS]
    mover = start[ACTOR]
    dealt = np.empty(ROW_SIZE, np.int16)
    row = np.empty(ROW_SIZE, np.int16)
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
            seats[seat] = company.own if seat == mover else _met(company, words)
        for action in range(len(actions)):
            for place in range(ROW_SIZE):
                row[place] = dealt[place]
            words[_DICE] = chance ^ np.uint64(0x9E3779B97F4A7C15)
            words[_MOODS] = chance ^ np.uint64(0xC2B2AE3D27D4EB4F)
            act(row, actions[action])
            _run(row, whole, seats, company.styles, by, by.tiles[action], sight, words)
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
    row: Row, whole: bool, seats: Numbers, styles: Styles, by: Judge, tiles: int, sight: Sight, words: Words
) -> None:
    """Go on until the leg, or the race, is over. Of tiles laid on the way chances take no notice."""
    leg = row[LEG]
    stale = True
    for _ in range(_MOST_ACTIONS):
        if row[ACTOR] == CHANCE_ACTS:
            act(row, drawn_die(row, words, _DICE))
            stale = True
            if row[ACTOR] == NOBODY_ACTS or (row[LEG] != leg and not whole):
                return
            if row[LEG] != leg:
                tiles = NO_TILES
        if stale:
            look_ahead(row, by.lines, by.ahead, tiles, sight)
            stale = False
        act(row, glance(row, styles, seats[row[ACTOR]], sight, words, _MOODS))
