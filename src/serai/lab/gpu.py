"""Batches and whole games on a GPU: the same games as on the CPU, number for number. Importing this needs numba-cuda.

Kernels are templates too (:mod:`serai.lab.driver`): they call the driver's functions, compiled once more for the GPU.
Arrays have the lanes side by side (``order="F"``), so that neighbouring threads read neighbouring numbers. They stay on
the GPU and are shared with PyTorch, CuPy and JAX without copying:
``torch.as_tensor(batch.buffers.observations, device="cuda")``, ``cupy.asarray(…)``,
``jax.dlpack.from_dlpack(cupy.asarray(…))``.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, Self, cast

from serai.errors import requiring

with requiring("gpu", "games on a GPU"):
    import numpy as np
    import numpy.typing as npt
    from numba import cuda as _cuda
    from numba.core.errors import NumbaPerformanceWarning

from serai.core.game import State
from serai.errors import BadOptions, IllegalAction, phrase
from serai.lab.batch import Batch
from serai.lab.driver import LEAVE, NOBODY, RESUME, Array, Buffers, Driver, Log, Numbers, Out, Plan, Words, driver_of
from serai.lab.jit import bind, template
from serai.lab.simulator import NO_LOG, Simulator

if TYPE_CHECKING:
    from serai.lab import Compiled

cuda: Any = _cuda
warnings.filterwarnings("ignore", ".*Grid size", NumbaPerformanceWarning)  # a small batch is meant to be small
THREADS = 128
"""In a block of lanes or games."""
ENDS_AMONG = 16
"""Lanes per thread that renews games that are over: usually fewer than one of them is, but there may be more."""
FEW_THREADS = 32
"""In a block that renews games: there are too few to fill the GPU with larger blocks."""
GAMES_AT_ONCE = 1 << 20
"""In one launch; their results take a third of a gigabyte at most."""
_SINCE_REWARDS = Buffers._fields.index("rewards")


def blocks(threads: int, together: int = THREADS) -> tuple[int, int]:
    """The number of blocks and the threads in each."""
    return -(-threads // together), together


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def enlist(over: Any, lane: int) -> None:
    """Write the lane down as one whose game is over; ``over[0]`` counts them."""
    over[1 + cuda.atomic.add(over, 0, 1)] = lane


def on_gpu(arrays: Any) -> Any:
    """The same tuple with its arrays on the GPU."""
    return type(arrays)(*(cuda.to_device(item) if isinstance(item, np.ndarray) else item for item in arrays))


@cache
def require() -> None:
    """``BadOptions`` where there is no GPU to work with."""
    if not cuda.is_available():
        raise BadOptions("core.gpu.none")


# -- kernels: one thread per lane or per game --------------------------------------------------------------------------

game: Driver = cast("Driver", None)
"""The game that templates are compiled for, its functions of the driver, and its constants (:func:`kernels`)."""
driver: Any = None
ROW_SIZE = 1
ROW_TYPE: Any = np.int64
REGISTERS: Mapping[str, int] = {}


def tools_on_gpu(knowledge: Any) -> Any:
    """The game's tools for choosing: what it has on the GPU, and scratch arrays in the thread's own memory."""


def kernels(module: ModuleType, tools: Any, **registers: int) -> Any:
    """The kernels of a game, given its driver, its :func:`tools_on_gpu`, and the most registers of a thread by kernel.

    Fewer registers than a kernel could use let more threads run at once; how many pay has to be tried out.
    """
    return bind(
        sys.modules[__name__],
        module,
        driver=driver_of(module),
        tools_on_gpu=tools,
        ROW_SIZE=module.ROW_SIZE,
        ROW_TYPE=module.ROW_TYPE,
        REGISTERS=registers,
    )


def _kernel(function: Any) -> Any:
    return cuda.jit(max_registers=function.__globals__["REGISTERS"].get(function.__name__))(function)


@template(_kernel)
def deal(buffers: Buffers, plan: Plan) -> None:
    """Set up the game of every lane."""
    lane = cuda.grid(1)
    if lane < len(buffers.games):
        driver.deal(buffers, buffers.rows[lane], lane, plan)


# A step is three kernels: answer, renew, show. Where games end, a few lanes have much to do: in a launch of its own
# their threads stand side by side, and the others need not wait for them.


@template(_kernel)
def answer(buffers: Buffers, actions: Any, plan: Plan, over: Any) -> None:
    """Act in every lane, without opponents; list in ``over`` the lanes whose game is over then."""
    lane = cuda.grid(1)
    if lane >= len(actions):
        return
    row = cuda.local.array(ROW_SIZE, ROW_TYPE)
    for place in range(ROW_SIZE):
        row[place] = buffers.rows[lane, place]
    if driver.answer(buffers, row, lane, actions[lane], plan, None):
        enlist(over, lane)
    for place in range(ROW_SIZE):
        buffers.rows[lane, place] = row[place]


@template(_kernel)
def answer_in_place(buffers: Buffers, actions: Any, plan: Plan, over: Any) -> None:
    """The same for games in which an action does little to a row: it is not copied to the thread's own memory."""
    lane = cuda.grid(1)
    if lane >= len(actions):
        return
    if driver.answer(buffers, buffers.rows[lane], lane, actions[lane], plan, None):
        enlist(over, lane)


@template(_kernel)
def answer_among_opponents(buffers: Buffers, actions: Any, plan: Plan, over: Any, knowledge: Any) -> None:
    """The same with opponents."""
    lane = cuda.grid(1)
    if lane >= len(actions):
        return
    row = cuda.local.array(ROW_SIZE, ROW_TYPE)
    for place in range(ROW_SIZE):
        row[place] = buffers.rows[lane, place]
    tools = tools_on_gpu(knowledge)
    if driver.answer(buffers, row, lane, actions[lane], plan, tools):
        enlist(over, lane)
    for place in range(ROW_SIZE):
        buffers.rows[lane, place] = row[place]


@template(_kernel)
def renew(buffers: Buffers, plan: Plan, over: Any) -> None:
    """Write down the games that are over, and begin the next ones."""
    row = cuda.local.array(ROW_SIZE, ROW_TYPE)
    for number in range(cuda.grid(1), over[0], cuda.gridsize(1)):
        lane = over[1 + number]
        for place in range(ROW_SIZE):
            row[place] = buffers.rows[lane, place]
        driver.renew(buffers, row, lane, plan, None)
        for place in range(ROW_SIZE):
            buffers.rows[lane, place] = row[place]


@template(_kernel)
def renew_among_opponents(buffers: Buffers, plan: Plan, over: Any, knowledge: Any) -> None:
    """The same with opponents."""
    row = cuda.local.array(ROW_SIZE, ROW_TYPE)
    tools = tools_on_gpu(knowledge)
    for number in range(cuda.grid(1), over[0], cuda.gridsize(1)):
        lane = over[1 + number]
        for place in range(ROW_SIZE):
            row[place] = buffers.rows[lane, place]
        driver.renew(buffers, row, lane, plan, tools)
        for place in range(ROW_SIZE):
            buffers.rows[lane, place] = row[place]


@template(_kernel)
def show(rows: Any, actors: Any, mask: Any, observations: Any, over: Any) -> None:
    """Write down who acts, what is legal and what is seen; empty the list ``over``."""
    lane = cuda.grid(1)
    if lane == 0:
        over[0] = 0
    if lane < len(actors):
        driver.show_lane(rows[lane], lane, actors, mask, observations)


@template(_kernel)
def observe_all(rows: Any, seats: Any, out: Any) -> None:
    """Write what a seat of each lane sees."""
    lane = cuda.grid(1)
    if lane < len(seats):
        game.observe(rows[lane], seats[lane], out[lane])


@template(_kernel)
def random_actions(rows: Any, words: Any, out: Any) -> None:
    """Write what the bot ``random`` would do in each lane."""
    lane = cuda.grid(1)
    if lane < len(out) and rows[lane, game.ACTOR] >= 0:
        out[lane] = game.random_action(rows[lane], words, lane)


@template(_kernel)
def play_random_games(
    seed: np.uint64, first: int, paired: int, start: Any, policies: Any, max_plies: int, out: Any
) -> None:
    """Play a game per thread, by ``random`` alone."""
    line = cuda.grid(1)
    if line >= len(out):
        return
    row = cuda.local.array(ROW_SIZE, ROW_TYPE)
    words = cuda.local.array(2, np.uint64)
    log = cuda.local.array(1, np.int16)
    driver.begin_game(row, words, start, seed, first + line, paired)
    driver.play_game(row, words, policies[(first + line) % len(policies)], None, max_plies, log, out[line])


@template(_kernel)
def play_games(
    seed: np.uint64, first: int, paired: int, start: Any, policies: Any, knowledge: Any, max_plies: int, out: Any
) -> None:
    """Play a game per thread, by any bots."""
    line = cuda.grid(1)
    if line >= len(out):
        return
    row = cuda.local.array(ROW_SIZE, ROW_TYPE)
    words = cuda.local.array(2, np.uint64)
    log = cuda.local.array(1, np.int16)
    tools = tools_on_gpu(knowledge)
    driver.begin_game(row, words, start, seed, first + line, paired)
    driver.play_game(row, words, policies[(first + line) % len(policies)], tools, max_plies, log, out[line])


# -- from the host -----------------------------------------------------------------------------------------------------


class Kernels(Protocol):
    """What a game supplies to be played on a GPU: a module with these."""

    KERNELS: Any
    """Made by :func:`kernels`."""
    OPPONENTS: Mapping[str, int]
    """The bots that may be opponents in a batch, and the numbers of their policies."""
    IN_PLACE: bool
    """Whether a step acts on rows where they are: see :func:`answer_in_place`."""

    def knowledge(self) -> Any:
        """What bots choose with, on the GPU."""


class GpuSimulator(Simulator):
    """What a GPU's simulator does otherwise."""

    def _played(self, first: int, count: int, log: Log = NO_LOG) -> Out:
        if len(log):  # a single game, written down: the CPU's is the same
            return super()._played(first, count, log)
        require()
        out = np.empty((count, self._driver.RESULT_SIZE), np.int32)
        for begun in range(0, count, GAMES_AT_ONCE):
            part = out[begun : begun + GAMES_AT_ONCE]
            part[:] = self.launch(first + begun, len(part)).copy_to_host()
        return out

    def launch(self, first: int, count: int) -> Any:
        """Play games and leave the results on the GPU, ``[count, RESULT_SIZE]``."""
        out = cuda.device_array((count, self._driver.RESULT_SIZE), np.int32, order="F")
        start, policies = cuda.to_device(self._start), cuda.to_device(self._policies)
        setting = (self._seed, first, self._group, start, policies)
        gpu = self._kernel.gpu
        if self._choosing:
            gpu.KERNELS.play_games[blocks(count)](*setting, gpu.knowledge(), self._max_plies, out)
        else:
            gpu.KERNELS.play_random_games[blocks(count)](*setting, self._max_plies, out)
        return out


class GpuBatch(Batch):
    """What a GPU's batch does otherwise. ``buffers`` are arrays of numba-cuda; ``host()`` copies them back."""

    def __init__(
        self,
        kernel: Compiled[Any],
        lanes: int,
        players: int | Sequence[int] = 4,
        *,
        check: bool = True,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        """``check`` looks at every action before a step, which makes the caller wait for the GPU."""
        require()
        if threads != 1:
            raise BadOptions("core.gpu.threads")
        self._checks = check
        super().__init__(kernel, lanes, players, **settings)

    @classmethod
    def empty(cls, game: Driver, lanes: int, *, packed: bool = False) -> Buffers:
        """New arrays on the GPU."""
        fitting = super().empty(game, 1, packed=packed)._asdict().items()
        return Buffers(**{name: cuda.device_array((lanes, *a.shape[1:]), a.dtype, order="F") for name, a in fitting})

    def _fits(self, given: Any, wanted: Any) -> bool:
        same = given.shape == wanted.shape and given.dtype == wanted.dtype
        return bool(same and given.flags["F_CONTIGUOUS"])

    def _placed(self, plan: Plan) -> Plan:
        placed: Plan = on_gpu(plan)
        return placed

    def reset(self) -> None:
        """Begin again with the first games."""
        self._over = self._nothing_over()
        _clear[blocks(len(self))](self.buffers.games, self.buffers.acted, self._first_game)
        for array in self.buffers[_SINCE_REWARDS:]:
            (_zero if array.ndim == 1 else _zero_lines)[blocks(len(self))](array)
        self._gpu.KERNELS.deal[blocks(len(self))](self.buffers, self._plan)
        self._step(cuda.to_device(np.full(len(self), RESUME, np.int64)))

    def step(self, actions: Any) -> None:
        """Do one action per lane: an array on the GPU (of any library) or on the host."""
        numbers = self._on_gpu("actions", actions)
        if self._checks:
            wrong = cuda.to_device(np.array([len(self)]))
            _find_illegal[blocks(len(self))](self.buffers.actors, self.buffers.mask, numbers, wrong)
            lane = int(wrong.copy_to_host()[0])
            if lane < len(self):
                action, seat = int(numbers[lane]), int(self.buffers.actors[lane])
                raise IllegalAction("core.batch.action", action=action, lane=lane, seat=seat)
        self._step(numbers)

    @property
    def _gpu(self) -> Kernels:
        kernels: Kernels = self._kernel.gpu
        return kernels

    @property
    def _policies(self) -> Mapping[str, int]:
        return self._gpu.OPPONENTS

    def _tools(self) -> Any:
        return (self._gpu.knowledge(),) if self.opponents else ()

    def _step(self, actions: Any) -> None:
        kernels, knowledge = self._gpu.KERNELS, self._tools_of[0]
        seen, plan, over = self.buffers, self._plan, self._over
        answer = kernels.answer_in_place if self._gpu.IN_PLACE else kernels.answer
        renew = kernels.renew
        if knowledge:
            answer, renew = kernels.answer_among_opponents, kernels.renew_among_opponents
        answer[blocks(len(self))](seen, actions, plan, over, *knowledge)
        renew[blocks(-(-len(self) // ENDS_AMONG), FEW_THREADS)](seen, plan, over, *knowledge)
        kernels.show[blocks(len(self))](seen.rows, seen.actors, seen.mask, seen.observations, over)

    def observe(self, seats: Any, out: Array, *, last: bool = False) -> None:
        """Write what a seat of each lane sees into ``out``, an array like ``observations``; seats must be right."""
        rows = self.buffers.last_rows if last else self.buffers.rows
        self._gpu.KERNELS.observe_all[blocks(len(self))](rows, self._on_gpu("seats", seats), out)

    def random_actions(self, words: Words, out: Numbers) -> None:
        """Write what ``random`` would do in each lane into ``out``; both are arrays on the GPU."""
        self._gpu.KERNELS.random_actions[blocks(len(self))](self.buffers.rows, words, out)

    def state(self, lane: int, *, last: bool = False) -> State[Any, Any]:
        """The game in a lane as a readable state; with ``last``, the end of the game before it."""
        rows = self.buffers.last_rows if last else self.buffers.rows
        row = cuda.device_array(self.driver.ROW_SIZE, self.driver.ROW_TYPE)
        _read[1, 1](rows, self._lane(lane), row)
        found: State[Any, Any] = self._to_state(row.copy_to_host())
        return found

    def put(self, lane: int, state: State[Any, Any]) -> None:
        """Continue the game in a lane from this state, in which a player acts; opponents then act at once."""
        lane = self._lane(lane)
        self._check_state(state, int(self.buffers.learners[lane]))
        scores = np.zeros(self.driver.MAX_SEATS, np.int16)
        scores[: len(state.scores())] = state.scores()
        _write[1, 1](self.buffers, lane, cuda.to_device(self._to_row(state)), cuda.to_device(scores))
        actions = cuda.to_device(np.where(np.arange(len(self)) == lane, RESUME, LEAVE))
        self._step(actions)

    def host(self) -> Buffers:
        """All arrays, copied to the host."""
        return Buffers(**{name: array.copy_to_host() for name, array in self.buffers._asdict().items()})

    def copy(self) -> Self:
        """A copy that continues from here."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._over = self._nothing_over()
        other.buffers = Buffers(**{name: cuda.to_device(a) for name, a in self.host()._asdict().items()})
        return other

    def save(self, file: str | Path | BinaryIO) -> None:
        """Save everything; a CPU batch with the same settings can load it, and the other way round."""
        np.savez(file, settings=np.array(json.dumps(self._settings)), **self.host()._asdict())

    def _nothing_over(self) -> Any:
        """An empty list of lanes, its length in front; two batches never share it."""
        return cuda.to_device(np.zeros(1 + len(self), np.int32))

    def _fill(self, name: str, values: npt.NDArray[Any]) -> None:
        getattr(self.buffers, name).copy_to_device(np.asfortranarray(values))

    def _on_gpu(self, name: str, given: Any) -> Any:
        """One whole number per lane, on the GPU."""
        if hasattr(given, "__cuda_array_interface__"):
            array = cuda.as_cuda_array(given)
        elif hasattr(given, "__dlpack__") and not isinstance(given, np.ndarray):
            array = cuda.as_cuda_array(_through_dlpack(given))
        else:
            array = cuda.to_device(np.ascontiguousarray(given))
        if array.shape != (len(self),) or array.dtype.kind not in "iu":
            raise BadOptions("core.gpu.numbers", name=name, lanes=len(self), kind=array.dtype.name, shape=array.shape)
        return array


def _through_dlpack(given: Any) -> Any:
    """Through CuPy, which reads arrays of other libraries."""
    return import_module("cupy").from_dlpack(given)


@cuda.jit  # type: ignore[untyped-decorator]
def _clear(games: Any, acted: Any, first: int) -> None:
    lane = cuda.grid(1)
    if lane < len(games):
        games[lane] = first + lane
        acted[lane] = NOBODY


@cuda.jit  # type: ignore[untyped-decorator]
def _zero(array: Any) -> None:
    lane = cuda.grid(1)
    if lane < len(array):
        array[lane] = 0


@cuda.jit  # type: ignore[untyped-decorator]
def _zero_lines(array: Any) -> None:
    lane = cuda.grid(1)
    if lane < len(array):
        for place in range(array.shape[1]):
            array[lane, place] = 0


@cuda.jit  # type: ignore[untyped-decorator]
def _find_illegal(actors: Any, mask: Any, actions: Any, wrong: Any) -> None:
    lane = cuda.grid(1)
    if lane < len(actors) and actors[lane] != NOBODY:
        action = actions[lane]
        if not (0 <= action < mask.shape[1]) or mask[lane, action] == 0:
            cuda.atomic.min(wrong, 0, lane)


@cuda.jit  # type: ignore[untyped-decorator]
def _read(rows: Any, lane: int, out: Any) -> None:
    for place in range(len(out)):
        out[place] = rows[lane, place]


@cuda.jit  # type: ignore[untyped-decorator]
def _write(buffers: Buffers, lane: int, row: Any, scores: Any) -> None:
    for place in range(len(row)):
        buffers.rows[lane, place] = row[place]
    for seat in range(len(scores)):
        buffers.scores[lane, seat] = scores[seat]
        buffers.rewards[lane, seat] = 0
        buffers.gathered[lane, seat] = 0
    buffers.finished[lane] = 0
    buffers.truncated[lane] = 0
    buffers.plies[lane] = 0
    buffers.steps[lane] = 0
    buffers.acted[lane] = NOBODY


phrase(
    {
        "core.gpu.none": "no CUDA GPU is found here: leave 'device' out to work on the CPU",
        "core.gpu.threads": "a batch on a GPU has no threads of the host: leave 'threads' out",
        "core.gpu.numbers": "{name!r} must be one whole number per lane, {lanes} in all, not {kind} of shape {shape}",
    }
)
