"""What compiled games share: driver, whole games, batches, GPU, encodings, rollouts, random numbers, numba itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import import_module
from threading import local
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from serai.core import parts

if TYPE_CHECKING:
    from serai.core.game import State
    from serai.lab.batch import Batch
    from serai.lab.driver import Buffers
    from serai.lab.simulator import Simulator

S = TypeVar("S", bound="State[Any, Any]")
T = TypeVar("T")


class Compiled(parts.Compiled[S]):
    """The compiled code of a game that :mod:`serai.lab.driver` drives; its modules are imported on first use."""

    package: ClassVar[str]
    """The package of the game, which holds the modules below."""

    @cached_property
    def driver(self) -> Any:
        """A :class:`serai.lab.driver.Driver`."""
        return import_module(f"{self.package}.policy.driver")

    @cached_property
    def bridge(self) -> Any:
        """``to_row(state)``, the row of a state, and ``to_state(row)``."""
        return import_module(f"{self.package}.kernel.bridge")

    @cached_property
    def gpu(self) -> Any:
        """A :class:`serai.lab.gpu.Kernels`."""
        return import_module(f"{self.package}.policy.gpu")

    def buffers(self, lanes: int, *, packed: bool = False, device: parts.Device = "cpu") -> Buffers:
        """New arrays for a batch of that many lanes."""
        on_gpu = parts.on_gpu(device)
        self.need("batches")
        return _batch_type(on_gpu).empty(self.driver, lanes, packed=packed)

    def _simulator(
        self, bots: tuple[str, ...], seed: str, options: dict[str, Any], *, on_gpu: bool, **how: Any
    ) -> Simulator:
        if on_gpu:
            from serai.lab.gpu import GpuSimulator

            return GpuSimulator(self, bots, seed, options, **how)
        from serai.lab.simulator import Simulator

        return Simulator(self, bots, seed, options, **how)

    def _batch(self, lanes: int, players: int | Sequence[int], settings: dict[str, Any], on_gpu: bool) -> Batch:
        return _batch_type(on_gpu)(self, lanes, players, **settings)


def _batch_type(on_gpu: bool) -> type[Batch]:
    if on_gpu:
        from serai.lab.gpu import GpuBatch

        return GpuBatch
    from serai.lab.batch import Batch

    return Batch


def per_thread(make: Callable[[], T]) -> Callable[[], T]:
    """A function that returns what ``make`` made for the calling thread: one for each, made on its first call."""
    threads = local()

    def own() -> T:
        try:
            made: T = threads.made
        except AttributeError:
            made = threads.made = make()
        return made

    return own
