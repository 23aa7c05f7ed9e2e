"""Das Gold des Pharao on a GPU: whole games and a batch, by the rules and the steps of the CPU, compiled once more."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from serai.core.bulk import NO_LOG, Log
from serai.core.gpu import Kernels, OnGpu, blocks, cuda, enlist, require
from serai.core.lanes import Buffers, Plan
from serai.core.splitmix import seed_of
from serai.pharaoh.kernel import games, lanes
from serai.pharaoh.kernel.batch import TEMPERS_BY_NUMBER, Batch
from serai.pharaoh.kernel.layout import ACTOR, CELL_COUNT, ROW_SIZE
from serai.pharaoh.kernel.rules import random_action, set_up
from serai.pharaoh.kernel.simulator import KernelSimulator
from serai.pharaoh.kernel.steps import Desk

GAMES_AT_ONCE = 1 << 19
"""A launch plays so many games; their results take a sixth of a gigabyte."""
_NO_DESK: Any = None
_PLACES = 4 * CELL_COUNT


# -- whole games -------------------------------------------------------------------------------------------------------


@cuda.jit  # type: ignore[untyped-decorator]
def play_random_games(seed: np.uint64, first_game: int, paired: int, options: Any, wild: Any, out: Any) -> None:
    """A game per thread, by ``random`` alone."""
    line = cuda.grid(1)
    if line >= len(out):
        return
    row = cuda.local.array(ROW_SIZE, np.int64)
    words = cuda.local.array(2, np.uint64)
    log = cuda.local.array(1, np.int16)
    game = first_game + line
    words[games.CHANCE] = seed_of(seed, np.uint64(game // paired))
    words[games.BOTS] = seed_of(~seed, np.uint64(game))
    set_up(row, options)
    games.play_game(row, words, wild[game % len(wild)], None, _NO_DESK, log, out[line])


class GpuSimulator(KernelSimulator):
    """Numbered games between ``random`` bots, the same as the CPU's (a :class:`serai.core.Simulator`)."""

    def _played(self, first: int, count: int, log: Log = NO_LOG) -> npt.NDArray[np.int32]:
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
        start, wild = cuda.to_device(self._start), cuda.to_device(self._wild)
        play_random_games[blocks(count)](self._seed, first, self._group, start, wild, out)
        return out


# -- the batch ---------------------------------------------------------------------------------------------------------


@cuda.jit  # type: ignore[untyped-decorator]
def deal(buffers: Buffers, plan: Plan) -> None:
    """Set up the game of every lane."""
    lane = cuda.grid(1)
    if lane < len(buffers.games):
        lanes.deal(buffers, buffers.rows[lane], lane, plan)


@cuda.jit  # type: ignore[untyped-decorator]
def answer(buffers: Buffers, actions: Any, plan: Plan, over: Any) -> None:
    """Act in every lane."""
    lane = cuda.grid(1)
    if lane >= len(actions):
        return
    row = cuda.local.array(ROW_SIZE, np.int64)
    for place in range(ROW_SIZE):
        row[place] = buffers.rows[lane, place]
    if lanes.answer(buffers, row, lane, actions[lane], plan, None, _NO_DESK):
        enlist(over, lane)
    for place in range(ROW_SIZE):
        buffers.rows[lane, place] = row[place]


@cuda.jit  # type: ignore[untyped-decorator]
def renew(buffers: Buffers, plan: Plan, over: Any) -> None:
    """Go on where games are over."""
    row = cuda.local.array(ROW_SIZE, np.int64)
    for number in range(cuda.grid(1), over[0], cuda.gridsize(1)):
        lane = over[1 + number]
        for place in range(ROW_SIZE):
            row[place] = buffers.rows[lane, place]
        lanes.renew(buffers, row, lane, plan, None, _NO_DESK)
        for place in range(ROW_SIZE):
            buffers.rows[lane, place] = row[place]


@cuda.jit  # type: ignore[untyped-decorator]
def answer_among_opponents(buffers: Buffers, actions: Any, plan: Plan, over: Any, tempers: Any) -> None:
    """The same with opponents. A row is worked on in the thread's own memory, since much is done to it."""
    lane = cuda.grid(1)
    if lane >= len(actions):
        return
    row = cuda.local.array(ROW_SIZE, np.int64)
    for place in range(ROW_SIZE):
        row[place] = buffers.rows[lane, place]
    home = cuda.local.array(CELL_COUNT, np.int64)
    far = cuda.local.array(CELL_COUNT, np.int64)
    rival = cuda.local.array(CELL_COUNT, np.int64)
    work = cuda.local.array(CELL_COUNT, np.int64)
    costs = cuda.local.array(_PLACES, np.int64)
    came = cuda.local.array(_PLACES, np.int64)
    desk = Desk(home, far, rival, work, costs, came)
    if lanes.answer(buffers, row, lane, actions[lane], plan, tempers, desk):
        enlist(over, lane)
    for place in range(ROW_SIZE):
        buffers.rows[lane, place] = row[place]


@cuda.jit  # type: ignore[untyped-decorator]
def renew_among_opponents(buffers: Buffers, plan: Plan, over: Any, tempers: Any) -> None:
    """Go on where games are over, until the learner's turn."""
    row = cuda.local.array(ROW_SIZE, np.int64)
    home = cuda.local.array(CELL_COUNT, np.int64)
    far = cuda.local.array(CELL_COUNT, np.int64)
    rival = cuda.local.array(CELL_COUNT, np.int64)
    work = cuda.local.array(CELL_COUNT, np.int64)
    costs = cuda.local.array(_PLACES, np.int64)
    came = cuda.local.array(_PLACES, np.int64)
    desk = Desk(home, far, rival, work, costs, came)
    for number in range(cuda.grid(1), over[0], cuda.gridsize(1)):
        lane = over[1 + number]
        for place in range(ROW_SIZE):
            row[place] = buffers.rows[lane, place]
        lanes.renew(buffers, row, lane, plan, tempers, desk)
        for place in range(ROW_SIZE):
            buffers.rows[lane, place] = row[place]


@cuda.jit  # type: ignore[untyped-decorator]
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
    """Games of Das Gold des Pharao side by side on a GPU."""

    def _mind(self, opponents: set[str]) -> tuple[Any, ...]:
        steps = (answer_among_opponents, renew_among_opponents) if opponents else (answer, renew)
        self._kernels = Kernels(deal, *steps, show, observe_all, random_actions)
        return (cuda.to_device(TEMPERS_BY_NUMBER),) if opponents else ()
