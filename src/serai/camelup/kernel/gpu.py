"""Camel Up on a GPU: whole games and a batch, by the rules, the bots and the steps of the CPU, compiled once more."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import numpy as np

from serai.camelup.kernel import games, lanes
from serai.camelup.kernel.batch import Batch
from serai.camelup.kernel.layout import ACTOR, CAMEL_COUNT, LIGHT_POLICIES, PLAYER_ACTIONS, POLICIES, ROW_SIZE
from serai.camelup.kernel.policies import ChoiceRoom
from serai.camelup.kernel.rules import random_action, set_up
from serai.camelup.kernel.simulator import KernelSimulator
from serai.camelup.kernel.stake import KINDS
from serai.camelup.odds.canonical import RANKS
from serai.camelup.odds.race_table import RaceTable, race_table
from serai.core.bulk import NO_LOG, Log
from serai.core.gpu import Kernels, OnGpu, blocks, cuda, enlist, on_gpu, require
from serai.core.lanes import Buffers, Plan
from serai.core.splitmix import seed_of

GAMES_AT_ONCE = 1 << 20
"""A launch plays so many games; their results take a quarter of a gigabyte."""
# Fewer registers than a kernel could use let more threads run at once; how many pay was tried out on an H200.
_NO_ROOM: Any = None
_NO_WALK: Any = None


@cache
def table_on_gpu() -> RaceTable:
    """The race table, copied once per process."""
    table: RaceTable = on_gpu(race_table())
    return table


# -- whole games -------------------------------------------------------------------------------------------------------


@cuda.jit  # type: ignore[untyped-decorator]
def play_random_games(
    seed: np.uint64, first_game: int, paired: int, policies: Any, first: int, hide_money: int, out: Any
) -> None:
    """A game per thread, by ``random`` alone."""
    line = cuda.grid(1)
    if line >= len(out):
        return
    row = cuda.local.array(ROW_SIZE, np.int16)
    words = cuda.local.array(2, np.uint64)
    start = cuda.local.array(CAMEL_COUNT, np.int16)
    log = cuda.local.array(1, np.int16)
    game = first_game + line
    words[games.DICE] = seed_of(seed, np.uint64(game // paired))
    words[games.BOTS] = seed_of(~seed, np.uint64(game))
    set_up(row, policies.shape[1], first, hide_money)
    games.play_game(row, words, policies[game % len(policies)], None, None, _NO_ROOM, start, log, out[line])


@cuda.jit(max_registers=64)  # type: ignore[untyped-decorator]
def play_games(
    seed: np.uint64, first_game: int, paired: int, policies: Any, first: int, hide_money: int, table: Any, out: Any
) -> None:
    """A game per thread, by any of the light policies."""
    line = cuda.grid(1)
    if line >= len(out):
        return
    row = cuda.local.array(ROW_SIZE, np.int16)
    words = cuda.local.array(2, np.uint64)
    start = cuda.local.array(CAMEL_COUNT, np.int16)
    log = cuda.local.array(1, np.int16)
    chances = cuda.local.array((RANKS, KINDS), np.float64)
    values = cuda.local.array(PLAYER_ACTIONS, np.float64)
    none = cuda.local.array(1, np.float64)
    room = ChoiceRoom(_NO_WALK, none, none, none, none, chances, none, values, none)
    game = first_game + line
    words[games.DICE] = seed_of(seed, np.uint64(game // paired))
    words[games.BOTS] = seed_of(~seed, np.uint64(game))
    set_up(row, policies.shape[1], first, hide_money)
    games.play_game(row, words, policies[game % len(policies)], table, None, room, start, log, out[line])


class GpuSimulator(KernelSimulator):
    """Numbered games between light bots, the same as the CPU's (a :class:`serai.core.Simulator`)."""

    def _played(self, first: int, count: int, log: Log = NO_LOG) -> games.Results:
        if len(log):  # a single game, written down: the CPU's is the same
            return super()._played(first, count, log)
        require()
        out = np.empty((count, games.RESULT_SIZE), np.int32)
        for begun in range(0, count, GAMES_AT_ONCE):
            part = out[begun : begun + GAMES_AT_ONCE]
            part[:] = self.launch(first + begun, len(part)).copy_to_host()
        return out

    def launch(self, first: int, count: int) -> Any:
        """Play so many games; what they came to stays on the GPU, ``[count, RESULT_SIZE]``."""
        out = cuda.device_array((count, games.RESULT_SIZE), np.int32, order="F")
        told = (self._seed, first, self._group, cuda.to_device(self._policies), self._first, self._hide_money)
        if self._thinking:
            play_games[blocks(count)](*told, table_on_gpu(), out)
        else:
            play_random_games[blocks(count)](*told, out)
        return out


# -- the batch ---------------------------------------------------------------------------------------------------------


@cuda.jit  # type: ignore[untyped-decorator]
def deal(buffers: Buffers, plan: Plan) -> None:
    """Set up the game of every lane."""
    lane = cuda.grid(1)
    if lane < len(buffers.games):
        lanes.deal(buffers, buffers.rows[lane], lane, plan)


@cuda.jit(max_registers=40)  # type: ignore[untyped-decorator]
def answer(buffers: Buffers, actions: Any, plan: Plan, over: Any) -> None:
    """Act in every lane."""
    lane = cuda.grid(1)
    if lane >= len(actions):
        return
    if lanes.answer(buffers, buffers.rows[lane], lane, actions[lane], plan, None, None, _NO_ROOM):
        enlist(over, lane)


@cuda.jit  # type: ignore[untyped-decorator]
def renew(buffers: Buffers, plan: Plan, over: Any) -> None:
    """Go on where games are over."""
    row = cuda.local.array(ROW_SIZE, np.int16)
    for number in range(cuda.grid(1), over[0], cuda.gridsize(1)):
        lane = over[1 + number]
        for place in range(ROW_SIZE):
            row[place] = buffers.rows[lane, place]
        lanes.renew(buffers, row, lane, plan, None, None, _NO_ROOM)
        for place in range(ROW_SIZE):
            buffers.rows[lane, place] = row[place]


@cuda.jit  # type: ignore[untyped-decorator]
def answer_among_opponents(buffers: Buffers, actions: Any, plan: Plan, over: Any, table: Any) -> None:
    """The same with opponents. A row is worked on in the thread's own memory, since much is done to it."""
    lane = cuda.grid(1)
    if lane >= len(actions):
        return
    row = cuda.local.array(ROW_SIZE, np.int16)
    for place in range(ROW_SIZE):
        row[place] = buffers.rows[lane, place]
    chances = cuda.local.array((RANKS, KINDS), np.float64)
    values = cuda.local.array(PLAYER_ACTIONS, np.float64)
    none = cuda.local.array(1, np.float64)
    room = ChoiceRoom(_NO_WALK, none, none, none, none, chances, none, values, none)
    if lanes.answer(buffers, row, lane, actions[lane], plan, table, None, room):
        enlist(over, lane)
    for place in range(ROW_SIZE):
        buffers.rows[lane, place] = row[place]


@cuda.jit  # type: ignore[untyped-decorator]
def renew_among_opponents(buffers: Buffers, plan: Plan, over: Any, table: Any) -> None:
    """Go on where games are over, until the learner's turn."""
    row = cuda.local.array(ROW_SIZE, np.int16)
    chances = cuda.local.array((RANKS, KINDS), np.float64)
    values = cuda.local.array(PLAYER_ACTIONS, np.float64)
    none = cuda.local.array(1, np.float64)
    room = ChoiceRoom(_NO_WALK, none, none, none, none, chances, none, values, none)
    for number in range(cuda.grid(1), over[0], cuda.gridsize(1)):
        lane = over[1 + number]
        for place in range(ROW_SIZE):
            row[place] = buffers.rows[lane, place]
        lanes.renew(buffers, row, lane, plan, table, None, room)
        for place in range(ROW_SIZE):
            buffers.rows[lane, place] = row[place]


@cuda.jit(max_registers=32)  # type: ignore[untyped-decorator]
def show(rows: Any, actors: Any, mask: Any, observations: Any, over: Any) -> None:
    """Who acts, what is legal, what is seen."""
    lane = cuda.grid(1)
    if lane == 0:
        over[0] = 0
    if lane < len(actors):
        lanes.show_lane(rows[lane], lane, actors, mask, observations)


@cuda.jit  # type: ignore[untyped-decorator]
def observe_all(rows: Any, seats: Any, out: Any) -> None:
    """What a seat of each lane sees."""
    lane = cuda.grid(1)
    if lane < len(seats):
        lanes.observe(rows[lane], seats[lane], out[lane])


@cuda.jit  # type: ignore[untyped-decorator]
def random_actions(rows: Any, words: Any, out: Any) -> None:
    """What the bot ``random`` would do in each lane."""
    lane = cuda.grid(1)
    if lane < len(out) and rows[lane, ACTOR] >= 0:
        out[lane] = random_action(rows[lane], words, lane)


class GpuBatch(OnGpu, Batch):
    """Games of Camel Up side by side on a GPU; opponents are light ones."""

    policies: ClassVar[dict[str, int]] = {name: POLICIES[name] for name in LIGHT_POLICIES}

    def _mind(self, opponents: set[str]) -> tuple[Any, ...]:
        steps = (answer_among_opponents, renew_among_opponents) if opponents else (answer, renew)
        self._kernels = Kernels(deal, *steps, show, observe_all, random_actions)
        return (table_on_gpu(),) if opponents else ()
