"""Playouts of a Camel Up view: from readable values to compiled code and back. Importing this module brings in numba."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.actions import AnyAction
from serai.camelup.kernel.beliefs import Beliefs, Hopes, believe, no_hopes, room_for_beliefs
from serai.camelup.kernel.bridge import NUMBERS, to_row
from serai.camelup.kernel.layout import ORDER, ROW_SIZE, SPACE, TENT
from serai.camelup.kernel.play_on import Company, Judge, play_on
from serai.camelup.kernel.sight import SEEN_LOSER, SEEN_WINNER, SIGHT_SIZE, look, sight_lines
from serai.camelup.memory import Moment, RaceMemory
from serai.camelup.odds.race_table import race_table
from serai.camelup.pieces import CAMELS
from serai.camelup.rules import CamelUpState
from serai.core import BadOptions, phrase
from serai.core.playouts import Playouts

TRUST: Final = 10.0
"""A card weighs e to the power of so many times the chance its camel had when it was laid."""
HINDSIGHT: Final = 5.0
"""The same for the chance its camel has now, where nobody remembers."""

_STYLES: Final = {
    "quick": (0.0, 1.0, 0.0),
    "nomad": (1.0, 1.0, 0.0),
    "cautious": (0.0, 0.5, 0.0),
    "moody": (1.0, 1.0, 0.8),
}
"""Ways to play on, by name: what stops, cards and moods count for (:mod:`serai.camelup.kernel.styles`)."""
_COMPANIES: Final[dict[str, tuple[float, ...]]] = {
    "mixed": (0.35, 0.35, 0.1, 0.2),
    **{name: tuple(float(name == other) for other in _STYLES) for name in _STYLES},
}
"""Who the others may be, by the name of a policy: how often each of the styles."""
_OWN: Final = list(_STYLES).index("nomad")


def rollouts(
    view: CamelUpState,
    actions: Sequence[AnyAction] | None = None,
    n: int = 256,
    *,
    policy: str = "",
    seed: int = 0,
    first: int = 0,
    memory: RaceMemory | None = None,
    threads: int = 1,
    whole: bool = False,
) -> Playouts:
    """As :meth:`serai.core.Game.rollouts`; to the end of the leg, or with ``whole`` of the race."""
    chosen = tuple(view.actions() if actions is None else actions)
    row = to_row(view)
    beliefs = beliefs_of(view, row, memory)
    company = company_of(policy or "mixed")
    judge = Judge(sight_lines(), race_table().race, value_weights(view.players))
    numbers = np.array([NUMBERS[action] for action in chosen], np.int64)
    wins = np.empty((n, len(chosen), view.players), np.float32)
    scores = np.empty_like(wins)

    def play(start: int, end: int) -> None:
        part = slice(start, end)
        word = np.uint64(seed % 2**64)
        play_on(row, numbers, word, first + start, whole, beliefs, company, judge, wins[part], scores[part])

    if threads == 1:
        play(0, n)
    else:
        cuts = [n * thread // threads for thread in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, cuts[:-1], cuts[1:]))
    return Playouts(chosen, wins.transpose(1, 0, 2), scores.transpose(1, 0, 2))


def company_of(policy: str) -> Company:
    """Who plays on under the name of a policy."""
    if policy not in _COMPANIES:
        raise BadOptions("camelup.rollouts.policy", policy=policy, known=tuple(_COMPANIES))
    return Company(np.array(list(_STYLES.values())), _OWN, np.cumsum(_COMPANIES[policy]))


def beliefs_of(view: CamelUpState, row: npt.NDArray[np.int16], memory: RaceMemory | None) -> Beliefs:
    """What lies under the hidden cards of a view, as likely as the moments say in which they were laid."""
    beliefs = room_for_beliefs()
    believe(row, hopes_of(view, memory), beliefs)
    return beliefs


def hopes_of(view: CamelUpState, memory: RaceMemory | None) -> Hopes:
    """By deck, place and camel: what its colour weighs."""
    hopes = no_hopes()
    now = Moment(view.track, frozenset(camel for camel in CAMELS if view.tents[camel]))
    for number, (deck, cards, kind) in enumerate(
        (("winner", view.winner_deck, SEEN_WINNER), ("loser", view.loser_deck, SEEN_LOSER))
    ):
        for place, (_, camel) in enumerate(cards):
            if camel is None:
                then = memory.moment(deck, place) if memory is not None else None  # type: ignore[arg-type]
                trust = HINDSIGHT if then is None else TRUST
                hopes[number, place] = trust * _seen(then or now)[kind : kind + len(CAMELS)]
    return hopes


@cache
def value_weights(players: int) -> npt.NDArray[np.float64]:
    """The fitted weights of :mod:`serai.camelup.kernel.value`."""
    fitted = json.loads(files("serai.camelup").joinpath("value.json").read_text())
    return np.array(fitted["weights"][str(players)])


def _seen(moment: Moment) -> npt.NDArray[np.float64]:
    row = np.zeros(ROW_SIZE, np.int16)
    place = 0
    for space, stack in enumerate(moment.track):
        for camel in stack:
            row[ORDER + place] = camel
            row[SPACE + camel] = space
            row[TENT + camel] = camel in moment.dice_out
            place += 1
    sight = np.empty(SIGHT_SIZE)
    look(row, sight_lines(), sight)
    return sight


phrase(
    {
        "camelup.rollouts.policy": "nobody plays on as {policy!r}; policies: {known}",
    }
)
