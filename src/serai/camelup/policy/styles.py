"""Styles of the players in rollouts, and who ``cobra`` and the coach take the others to be (:func:`company_of`).

A style is a line of weights. Bets are valued as by ``quick``, a desert tile by the stops expected on its space; what
the tile does to bets is ignored. One decision takes a fraction of a microsecond.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.kernel.rules import free_spaces
from serai.camelup.policy.bets import Row
from serai.camelup.policy.lookup import (
    EXPECTED_STOPS,
    FIRST_CHANCE,
    LOSER_CHANCE,
    MOST_STOPS,
    SECOND_CHANCE,
    WINNER_CHANCE,
    Chances,
)
from serai.camelup.rules.pieces import FACES, LEG_VALUES, RACE_PRIZES
from serai.errors import BadOptions, phrase
from serai.lab.jit import compiled
from serai.lab.rng import Words, draw

Styles = npt.NDArray[np.float64]

TILES: Final = 0
"""Pounds that a stop on one's own desert tile counts for; 0 never lays it."""
WINNERS: Final = 1
"""The weight of a pound expected of a card on the winner; 0 lays none. The next one likewise for the loser."""
LOSERS: Final = 2
LEGS: Final = 3
"""The weight of a pound expected of a leg tile."""
ROLL: Final = 4
"""Pounds that a roll counts for."""
WHIM: Final = 5
"""Pounds by which moods shift the value of an action at most."""
CARD_EAGER: Final = 6
"""Pounds added to the value of a race card."""
LEG_EAGER: Final = 7
"""Pounds added to the value of a leg tile for each of its colour that is taken."""
TILE_EAGER: Final = 8
"""Pounds added to the value of a desert tile."""
SURE: Final = 9
"""The least chance of a camel whose race card it lays, while no card of its own lies on that deck."""
SURE_AGAIN: Final = 10
"""The same once one lies there, so that only a race that turned changes its mind."""

STYLES: Final = {
    "quick": (0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "nomad": (1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0),
    "keen": (1.38, 1.09, 0.66, 0.85, 0.56, 0.0, -0.37, -0.19, -0.54, 0.0, 0.0),
    "duel": (0.69, 0.92, 0.57, 1.66, 1.07, 0.0, -0.66, -0.03, -0.72, 0.0, 0.0),
    "moody": (1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0),
    "fennec": (1.07, 1.0, 0.91, 1.33, 0.7, 0.0, 0.0, -0.33, 0.28, 0.4, 0.6),
    "goat": (1.6, 0.0, 0.0, 1.0, 2.5, 0.0, 0.0, 0.0, 1.8, 0.0, 0.0),
    "sheep": (0.0, 0.0, 0.0, 1.0, 2.9, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0),
    "vulture": (0.0, 0.0, 1.2, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.6, 0.9),
    "hyena": (0.0, 0.8, 0.8, 0.8, 0.6, 0.0, 0.0, 0.8, 0.0, 0.55, 0.9),
    "hoopoe": (0.8, 1.2, 1.2, 1.1, 0.6, 0.0, 0.3, -0.2, 0.2, 0.4, 0.6),
    "caracal": (0.0, 1.0, 1.0, 1.6, 0.6, 0.0, -0.3, -0.35, 0.0, 0.4, 0.6),
}
"""By name: the bot ``quick``; the same, fond of its desert tile; the one that wins most among these, and the one that
does so between two; a moody one. From ``fennec`` on, bots (:mod:`serai.camelup.bots.fennec`), in the order of
:data:`serai.camelup.kernel.layout.POLICIES`: they lay only cards that they believe in."""

EVEN: Final = "even"
"""The rollout policy of the coach: every seat may have any style, the one to act as well."""
EXPECTED_PLAYERS: Final[dict[str, dict[str, float]]] = {
    "mixed": {"quick": 0.15, "nomad": 0.5, "keen": 0.2, "moody": 0.15},
    **{name: {name: 1.0} for name in STYLES},
}
"""By rollout policy: how often another player has each style. ``cobra`` plays on by ``mixed``."""
_EXPECTED_IN_DUELS: Final = {"nomad": 0.5, "duel": 0.5}
"""The same at a table of two, where ``mixed`` would be less like the players one meets."""
LIKE_OTHERS: Final = -1
"""Instead of a style of one's own."""


class Company(NamedTuple):
    """Who plays on."""

    styles: Styles
    own: int
    """The style of the seat to act, or ``LIKE_OTHERS``."""
    up_to: npt.NDArray[np.float64]
    """By style: the chance that another seat has this one or one before it."""


def company_of(policy: str, players: int) -> Company:
    """The players of a rollout policy."""
    if policy not in (*EXPECTED_PLAYERS, EVEN):
        raise BadOptions("camelup.rollouts.policy", policy=policy, known=(*EXPECTED_PLAYERS, EVEN))
    mixed = policy in ("mixed", EVEN)
    expected = _EXPECTED_IN_DUELS if mixed and players == 2 else EXPECTED_PLAYERS["mixed" if mixed else policy]
    often = [expected.get(style, 0.0) for style in STYLES]
    own = LIKE_OTHERS if policy == EVEN else list(STYLES).index("duel" if players == 2 else "keen")
    return Company(np.array(list(STYLES.values())), own, np.cumsum(often))


phrase({"camelup.rollouts.policy": "no rollout policy is called {policy!r}; policies: {known}"})

# -- compiled ----------------------------------------------------------------------------------------------------------

_FACES: Final = len(FACES)
_DECK_MOST: Final = 8
_RIGHT: Final = 0.2
"""The chance that a card laid before is right, too."""


def _prizes() -> npt.NDArray[np.float64]:
    """By the number of cards before: what a right card earns."""
    prizes = np.array([*RACE_PRIZES, *[1] * _DECK_MOST], float)
    right_before = np.zeros(_DECK_MOST + 1)
    right_before[0] = 1.0
    table = np.empty(_DECK_MOST + 1)
    for cards in range(_DECK_MOST + 1):
        table[cards] = right_before @ prizes[: _DECK_MOST + 1]
        right_before[1:] = right_before[1:] * (1 - _RIGHT) + right_before[:-1] * _RIGHT
        right_before[0] *= 1 - _RIGHT
    return table


_PRIZES: Final = _prizes()
_UNIT: Final = 1.0 / 2**63


@compiled
def style_choice(row: Row, styles: Styles, style: int, chances: Chances, words: Words, lane: int) -> int:
    """The number of the action that a player of this style takes, given the chances of the row."""
    seat = row[layout.ACTOR]
    whim = styles[style, WHIM]
    best = styles[style, ROLL]
    if whim > 0.0:
        best += whim * _mood(words, lane)
    choice = layout.ROLL_ACTION
    for camel in range(layout.CAMEL_COUNT):
        taken = row[layout.LEG_TAKEN + camel]
        if taken < len(LEG_VALUES):
            value = (
                (LEG_VALUES[taken] + 1.0) * chances[FIRST_CHANCE + camel] + 2.0 * chances[SECOND_CHANCE + camel] - 1.0
            )
            value = value * styles[style, LEGS] + styles[style, LEG_EAGER] * taken
            if whim > 0.0:
                value += whim * _mood(words, lane)
            if value > best:
                best = value
                choice = layout.LEG_ACTION + camel
    hand = row[layout.HAND + seat]
    if hand != 0:
        prize = prize_after(row, layout.WINNER_DECK, row[layout.WINNER_COUNT], seat)
        weight = styles[style, WINNERS]
        sure = styles[style, SURE_AGAIN if has_laid(row, layout.WINNER_DECK, row[layout.WINNER_COUNT], seat) else SURE]
        for camel in range(layout.CAMEL_COUNT):
            if hand >> camel & 1 and chances[WINNER_CHANCE + camel] >= sure:
                value = weight * (prize * chances[WINNER_CHANCE + camel] - 1.0) + styles[style, CARD_EAGER]
                if whim > 0.0:
                    value += whim * _mood(words, lane)
                if value > best:
                    best = value
                    choice = layout.WINNER_ACTION + camel
        prize = prize_after(row, layout.LOSER_DECK, row[layout.LOSER_COUNT], seat)
        weight = styles[style, LOSERS]
        sure = styles[style, SURE_AGAIN if has_laid(row, layout.LOSER_DECK, row[layout.LOSER_COUNT], seat) else SURE]
        for camel in range(layout.CAMEL_COUNT):
            if hand >> camel & 1 and chances[LOSER_CHANCE + camel] >= sure:
                value = weight * (prize * chances[LOSER_CHANCE + camel] - 1.0) + styles[style, CARD_EAGER]
                if value > best:
                    best = value
                    choice = layout.LOSER_ACTION + camel
    stop = styles[style, TILES]
    best -= styles[style, TILE_EAGER]
    if stop * chances[MOST_STOPS] > best:
        choice = _tile(row, seat, stop, best, chances, choice)
    return choice


@compiled
def has_laid(row: Row, deck: int, count: int, seat: int) -> bool:
    """Whether a card of this seat lies on a deck."""
    laid = False
    for place in range(count):
        laid |= row[deck + place] >> 3 == seat
    return laid


@compiled
def prize_after(row: Row, deck: int, count: int, seat: int) -> float:
    """How much more the next card of this seat on a deck earns if it is right than if it is not.

    Of the cards before it only others' can be right, too: one's own there are of other colours.
    """
    others = 0
    for place in range(count):
        others += row[deck + place] >> 3 != seat
    return float(_PRIZES[min(others, _DECK_MOST)] + 1.0)


@compiled
def _tile(row: Row, seat: int, stop: float, best: float, chances: Chances, choice: int) -> int:
    """The desert tile where most stops are expected, if that beats ``best``."""
    lies = abs(row[layout.DESERT + seat])
    held = chances[EXPECTED_STOPS + lies - layout.FIRST_DESERT_SPACE] if lies else 0.0
    free = free_spaces(row, seat)
    for place in range(layout.DESERT_SPACES):
        if free >> place & 1:
            value = stop * (chances[EXPECTED_STOPS + place] - held)
            if value > best:
                best = value
                choice = layout.OASIS_ACTION + place
    if layout.OASIS_ACTION <= choice < layout.ROLL_ACTION and not _helps(
        row, seat, choice - layout.OASIS_ACTION + layout.FIRST_DESERT_SPACE
    ):
        choice += layout.DESERT_SPACES
    return choice


@compiled
def _helps(row: Row, seat: int, space: int) -> bool:
    """Whether a step forward from here serves the seat more than the others, by the leg tiles they hold."""
    liking = 0
    for camel in range(layout.CAMEL_COUNT):
        if row[layout.TENT + camel] == 0 and 1 <= space - row[layout.SPACE + camel] <= _FACES:
            for tile in range(row[layout.LEG_TAKEN + camel]):
                liking += (
                    row[layout.PLAYERS] - 1 if row[layout.LEG_TILE + len(LEG_VALUES) * camel + tile] == seat else -1
                )
    return liking > 0


@compiled
def _mood(words: Words, lane: int) -> float:
    """A number between -1 and 1."""
    return np.int64(draw(words, lane)) * _UNIT
