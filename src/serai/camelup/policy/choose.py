"""Compiled players called from Python: a view in, an action out. Importing this imports numba."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from serai.camelup.bots import STYLED
from serai.camelup.kernel.bridge import to_row
from serai.camelup.kernel.layout import DESERT_SPACES, FIRST_DESERT_SPACE, OASIS_ACTION, ROLL_ACTION
from serai.camelup.odds.leg import STOPS, count_leg
from serai.camelup.odds.race_table import RANKS, race_table
from serai.camelup.odds.report import Start, position_of
from serai.camelup.policy.bets import Row
from serai.camelup.policy.decide import (
    FENNEC,
    STYLE_WEIGHTS,
    donkey_choice,
    greedy_choice,
    greedy_values,
    quick_choice,
    styled_choice,
)
from serai.camelup.policy.lookup import (
    EXPECTED_STOPS,
    FIRST_CHANCE,
    LOSER_CHANCE,
    MOST_STOPS,
    SECOND_CHANCE,
    WINNER_CHANCE,
    as_looked_up,
    lookup_table,
)
from serai.camelup.policy.scratch import CHANCES_SIZE, own_scratch
from serai.camelup.policy.styles import style_choice
from serai.camelup.rules.actions import ALL_ACTIONS, AnyAction
from serai.camelup.rules.rules import CamelUpState
from serai.camelup.text.position import parse_position, situation
from serai.lab.plain import plain

_NO_RANDOM_NUMBERS: Final = np.zeros(1, np.uint64)
_PLAYERS: Final[dict[str, Callable[[Row], int]]] = {
    "donkey": lambda row: donkey_choice(row, race_table(), own_scratch()),
    "quick": lambda row: quick_choice(row, race_table(), own_scratch()),
    "greedy": lambda row: greedy_choice(row, race_table(), own_scratch()),
}
"""Each is compiled by itself: one that decides by any policy would take much longer."""


def _style_of(bot: str) -> int:
    return FENNEC + STYLED.index(bot)


def _styled(style: int) -> Callable[[Row], int]:
    return lambda row: int(styled_choice(row, style, lookup_table(), own_scratch(), _NO_RANDOM_NUMBERS, 0))


@cache
def compiled_player(bot: str) -> Callable[[CamelUpState], AnyAction]:
    """What this bot, which needs no random numbers, does in a view. Asking compiles it or loads it from the cache."""
    decide = _styled(_style_of(bot)) if bot in STYLED else _PLAYERS[bot]

    def choose(view: CamelUpState) -> AnyAction:
        return ALL_ACTIONS[decide(to_row(view))]

    choose(situation(parse_position("1bgoyw")))
    return choose


def styled_uncompiled(view: CamelUpState, bot: str) -> AnyAction:
    """What a bot of a style does, without compiling: chances are counted, not looked up, which takes some hundredths of
    a second.
    """
    start = Start.of(position_of(view))
    counts = count_leg(race_table(), start.position, start.dice, [()], all_stops=True)
    (found,) = start.chances(counts)
    chances = np.zeros(CHANCES_SIZE)
    for kind, by_camel in (
        (FIRST_CHANCE, found.first),
        (SECOND_CHANCE, found.second),
        (WINNER_CHANCE, found.winner),
        (LOSER_CHANCE, found.loser),
    ):
        chances[kind : kind + RANKS] = by_camel
    stops = counts[0, STOPS + FIRST_DESERT_SPACE : STOPS + FIRST_DESERT_SPACE + DESERT_SPACES] / start.sequences
    chances[EXPECTED_STOPS:MOST_STOPS] = stops
    chances[MOST_STOPS] = stops.max()
    row: Any = to_row(view).astype(np.int64)
    style = _style_of(bot)
    return ALL_ACTIONS[_style_choice(row, STYLE_WEIGHTS, style, as_looked_up(chances), _NO_RANDOM_NUMBERS, 0)]


_style_choice: Final = plain(style_choice)


def promising(view: CamelUpState, most: int, within: float) -> dict[AnyAction, float]:
    """At most ``most`` actions with their exact values, best first, ``within`` that many pounds of it; and the roll.

    A desert tile that lies is moved only for more than a roll brings, so that nobody moves it for ever.
    """
    scratch = own_scratch()
    greedy_values(to_row(view), race_table(), scratch, False)
    values = scratch.values
    if view.deserts[view.turn]:
        placements = values[OASIS_ACTION:ROLL_ACTION]
        placements[placements <= values[ROLL_ACTION]] = -np.inf
    order = np.argsort(-values, kind="stable")[:most].tolist()
    found = [number for number in order if values[number] > values[order[0]] - within]
    return {ALL_ACTIONS[number]: float(values[number]) for number in dict.fromkeys((*found, ROLL_ACTION))}
