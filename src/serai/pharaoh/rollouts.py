"""Playing on from a view by compiled players: what each of some actions leads to. Whoever imports this needs numba."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import local
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core import SeraiError
from serai.core.playouts import HABIT, Habit, Playouts, check_actions
from serai.pharaoh.actions import AnyAction
from serai.pharaoh.kernel import rollouts as kernel
from serai.pharaoh.kernel.bridge import NUMBERS, to_row
from serai.pharaoh.kernel.tempers import SEASONED, TEMPER_SIZE, TEMPERS
from serai.pharaoh.rules import PharaohState

ROUNDS: Final = 5
"""After so many rounds the value tells who wins, unless a policy is asked to play to the end."""
VALUE: Final = Path(__file__).parent / "value.json"
EVEN: Final = "even"
"""The policy of who judges a game from outside: every seat may be anybody whom one meets."""
MET: Final = {SEASONED: 0.4, "jackal": 0.45, "gecko": 0.15}
"""How often that is who."""
AT_LAST: Final = "jackal"
"""Who they all are once the mask is found: from there a game hangs on who plays it how far more than on chance, so
that a mixture foretells no game of anybody, and takes leaders for less than they are."""
_TABLES: Final = 64
"""So many tables of such players take turns."""
_TO_THE_END: Final = 1 << 40
_FIRST: Final = {None: kernel.NOTHING_FIRST, HABIT: kernel.UNWAITING_FIRST}
"""What is no action, but may come first."""

_kept = local()


def roll_out(
    view: PharaohState,
    actions: Sequence[AnyAction | Habit | None],
    n: int,
    *,
    policy: str,
    seed: int,
    first: int,
    threads: int,
    standoff: bool = False,
) -> Playouts:
    """Play on ``n`` times after each action; see :meth:`serai.core.Game.rollouts`.

    In a ``standoff`` everybody but whoever does one of the actions waits until somebody finds or takes something.
    """
    actions = check_actions(actions, NUMBERS)
    players = view.players
    tempers, rounds = _table(policy, players)
    wins = np.empty((len(actions), n, players), np.float32)
    scores = np.empty_like(wins)
    row = to_row(view)
    numbers = np.array([_FIRST.get(action) or NUMBERS[action] for action in actions], np.int64)

    def play(part: tuple[int, int]) -> None:
        kernel.roll_out(
            row,
            numbers,
            first,
            part,
            rounds * players,
            tempers,
            standoff,
            _weights()[players],
            np.uint64(seed & (1 << 64) - 1),
            _room(),
            wins,
            scores,
        )

    if threads <= 1:
        play((0, n))
    else:
        bounds = [n * part // threads for part in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, pairwise(bounds)))
    return Playouts(tuple(actions), wins, scores)


@cache
def _weights() -> dict[int, npt.NDArray[np.float64]]:
    """By number of players: the weights of the value's features, from the file that training wrote."""
    told = json.loads(VALUE.read_text(encoding="utf-8"))
    return {int(players): np.array(weights) for players, weights in told["weights"].items()}


@cache
def _table(policy: str, players: int) -> tuple[kernel.Tempers, int]:
    """The tempers of those who play on, and how many rounds they do."""
    if policy == EVEN:
        met = random.Random(0).choices(list(MET), list(MET.values()), k=_TABLES * players)
        return _tempers([(name, AT_LAST) for name in met], players), ROUNDS
    if policy and policy not in TEMPERS:
        raise SeraiError(f"nobody plays on as {policy!r}: the policies are {', '.join((*TEMPERS, EVEN))}")
    one = policy or SEASONED
    return _tempers([(one, one)] * players, players), _TO_THE_END if policy else ROUNDS


def _tempers(names: Sequence[tuple[str, str]], players: int) -> kernel.Tempers:
    """Of these players, table by table: before the mask is found, and then."""
    return np.array([[TEMPERS[name] for name in both] for both in names]).reshape(-1, players, 2, TEMPER_SIZE)


def _room() -> kernel.Room:
    if not hasattr(_kept, "room"):
        _kept.room = kernel.room()
    room: kernel.Room = _kept.room
    return room
