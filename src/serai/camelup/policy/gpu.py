"""Camel Up on a GPU (:mod:`serai.lab.gpu`), for light bots."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from serai.camelup.kernel.layout import LIGHT_POLICIES, PLAYER_ACTIONS, POLICIES
from serai.camelup.odds.race_table import RANKS, RaceTable, race_table
from serai.camelup.policy import driver
from serai.camelup.policy.bets import KINDS
from serai.camelup.policy.driver import Tools
from serai.camelup.policy.scratch import Scratch
from serai.lab.gpu import cuda, kernels, on_gpu

_NO_WALK: Any = None


@cuda.jit(device=True, inline="always")  # type: ignore[untyped-decorator]
def _tools(table: Any) -> Tools:
    chances = cuda.local.array((RANKS, KINDS), np.float64)
    values = cuda.local.array(PLAYER_ACTIONS, np.float64)
    none = cuda.local.array(1, np.float64)
    return Tools(table, None, Scratch(_NO_WALK, none, none, none, none, chances, none, values, none))


KERNELS = kernels(driver, _tools, play_games=64, answer_in_place=40, show=32)
OPPONENTS = {name: POLICIES[name] for name in LIGHT_POLICIES}
IN_PLACE = True


@cache
def knowledge() -> RaceTable:
    """The race table, copied once per process."""
    table: RaceTable = on_gpu(race_table())
    return table
