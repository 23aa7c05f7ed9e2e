"""A batch on a GPU: the same games, lane for lane, in arrays that stay there. Whoever imports this needs numba-cuda.

The kernels of each game call the functions of its ``lanes``, compiled once more for the GPU. Arrays have the lanes side
by side (``order="F"``), so that neighbouring threads read neighbouring numbers. They are shared with PyTorch, CuPy and
JAX without copying: ``torch.as_tensor(batch.buffers.observations, device="cuda")``, ``cupy.asarray(…)``,
``jax.dlpack.from_dlpack(cupy.asarray(…))``.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from numba import cuda as _cuda
from numba.core.errors import NumbaPerformanceWarning

from serai.core.batch import Batch
from serai.core.errors import BadOptions, IllegalAction, phrase
from serai.core.game import State
from serai.core.lanes import LEAVE, NOBODY, RESUME, Array, Buffers, Numbers, Plan, Words

cuda: Any = _cuda
warnings.filterwarnings("ignore", ".*Grid size", NumbaPerformanceWarning)  # a small batch is meant to be small
THREADS = 128
"""In a block; so many lanes, or games, are worked on side by side."""
ENDS_AMONG = 16
"""One thread for so many lanes goes on where games are over: fewer are, as a rule, but there may be more."""
FEW_THREADS = 32
"""In a block that works on those: there are too few to fill the GPU with larger ones."""
_SINCE_REWARDS = Buffers._fields.index("rewards")


class Kernels(NamedTuple):
    """What runs on the GPU, one thread per lane; each game has its own.

    A step is three of them. Where games end, much is to be done by few: in a launch of its own their threads stand side
    by side, and the others need not wait for them.
    """

    deal: Any
    """``(buffers, plan)``: set up the game of every lane."""
    answer: Any
    """``(buffers, actions, plan, over, *mind)``: act in every lane; those whose game is over then are listed."""
    renew: Any
    """``(buffers, plan, over, *mind)``: what is over is written down, and followed by the next game."""
    show: Any
    """``(rows, actors, mask, observations, over)``: what there is to see in every lane; the list is emptied."""
    observe_all: Any
    """``(rows, seats, out)``"""
    random_actions: Any
    """``(rows, words, out)``"""


def blocks(threads: int, together: int = THREADS) -> tuple[int, int]:
    """How many blocks of how many threads there are to be."""
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


class OnGpu(Batch):
    """What a GPU's batch does otherwise. ``buffers`` are arrays of numba-cuda; ``host()`` copies them back."""

    _kernels: Kernels

    def __init__(
        self, lanes: int, players: int | Sequence[int] = 4, *, check: bool = True, threads: int = 1, **settings: Any
    ) -> None:
        """``check`` looks at every action before a step, which makes the caller wait for the GPU."""
        require()
        if threads != 1:
            raise BadOptions("core.gpu.threads")
        self._checks = check
        super().__init__(lanes, players, **settings)

    @classmethod
    def empty(cls, lanes: int, *, packed: bool = False) -> Buffers:
        """New arrays for so many lanes, on the GPU."""
        fitting = super().empty(1, packed=packed)._asdict().items()
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
        self._kernels.deal[blocks(len(self))](self.buffers, self._plan)
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

    def _step(self, actions: Any) -> None:
        kernels, seen, mind, plan = self._kernels, self.buffers, self._minds[0], self._plan
        kernels.answer[blocks(len(self))](seen, actions, plan, self._over, *mind)
        kernels.renew[blocks(-(-len(self) // ENDS_AMONG), FEW_THREADS)](seen, plan, self._over, *mind)
        kernels.show[blocks(len(self))](seen.rows, seen.actors, seen.mask, seen.observations, self._over)

    def observe(self, seats: Any, out: Array, *, last: bool = False) -> None:
        """Write what a seat of each lane sees into ``out``, an array like ``observations``; seats must be right."""
        rows = self.buffers.last_rows if last else self.buffers.rows
        self._kernels.observe_all[blocks(len(self))](rows, self._on_gpu("seats", seats), out)

    def random_actions(self, words: Words, out: Numbers) -> None:
        """Write what ``random`` would do in each lane into ``out``; both are arrays on the GPU."""
        self._kernels.random_actions[blocks(len(self))](self.buffers.rows, words, out)

    def state(self, lane: int, *, last: bool = False) -> State[Any, Any]:
        """The game in a lane as a readable state; with ``last``, the end of the game before it."""
        rows = self.buffers.last_rows if last else self.buffers.rows
        row = cuda.device_array(self.shape.row_size, self.shape.row_type)
        _read[1, 1](rows, self._lane(lane), row)
        return self._state(row.copy_to_host())

    def put(self, lane: int, state: State[Any, Any]) -> None:
        """Let the game in a lane go on from this state, in which a player acts; opponents then act at once."""
        lane = self._lane(lane)
        self._check_state(state, int(self.buffers.learners[lane]))
        scores = np.zeros(self.shape.seats, np.int16)
        scores[: len(state.scores())] = state.scores()
        _write[1, 1](self.buffers, lane, cuda.to_device(self._row(state)), cuda.to_device(scores))
        actions = cuda.to_device(np.where(np.arange(len(self)) == lane, RESUME, LEAVE))
        self._step(actions)

    def host(self) -> Buffers:
        """All arrays, copied to the host."""
        return Buffers(**{name: array.copy_to_host() for name, array in self.buffers._asdict().items()})

    def copy(self) -> Self:
        """Another batch that goes on from here."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._over = self._nothing_over()
        other.buffers = Buffers(**{name: cuda.to_device(a) for name, a in self.host()._asdict().items()})
        return other

    def save(self, file: str | Path | BinaryIO) -> None:
        """Write everything down; a batch of the host made in the same way can load it, and the other way round."""
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
    """By CuPy, which reads what other libraries offer."""
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
    buffers.acted[lane] = NOBODY


phrase(
    {
        "core.gpu.none": "no CUDA GPU is found here: leave 'device' out to work on the CPU",
        "core.gpu.threads": "a batch on a GPU has no threads of the host: leave 'threads' out",
        "core.gpu.numbers": "{name!r} must be one whole number per lane, {lanes} in all, not {kind} of shape {shape}",
    }
)
