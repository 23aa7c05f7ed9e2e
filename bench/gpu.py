"""The GPU beside the CPU: the same games, lane for lane; what other libraries share without a copy; rates of both.

Compiling takes most of the time, so every part is a process of its own. Those whose rates are wanted most come first,
one after the other, while nothing else happens. Of the rest, while one compares or measures, the others wait or
compile. What goes wrong in one is told, and the others go on.
"""

from __future__ import annotations

import importlib
import io
import multiprocessing
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

import serai
from serai.core.parts import Device, compiled

SAME_GAMES = 20_000
SAME_LANES, SAME_STEPS = 2_000, 300
LANES = 1 << 20
WARM_UP = 256
"""So many games or lanes are enough to have everything compiled."""
NO_LOG = np.empty(0, np.int16)

_alone: Any = None
"""Held by whoever compares or measures."""


def main() -> None:
    if find_spec("numba_cuda") is None or not _cuda().is_available():
        print("no GPU here, or no numba-cuda: nothing to compare")
        return
    print("GPU:", _cuda().get_current_device().name)
    quietly: list[partial[str]] = [
        partial(steps, "camelup", "no opponents", packed=True),
        partial(steps, "camelup", "no opponents, two million lanes", lanes=2 * LANES, packed=True),
        partial(games, "camelup", "random", 1 << 22),
        partial(games, "camelup", "quick", 1 << 21),
    ]
    parts: list[partial[str]] = [
        partial(sharing),
        partial(games, "pharaoh", "random", 1 << 16),
        partial(steps, "camelup", "no opponents, 16 bits"),
        partial(steps, "camelup", "three quick inside", packed=True, opponents="quick"),
        partial(steps, "pharaoh", "no opponents", packed=True),
        partial(steps, "pharaoh", "three jackals inside", packed=True, opponents="jackal"),
        partial(same_games, "camelup", ["random"] * 4),
        partial(same_games, "camelup", ["quick", "random", "jerboa", "donkey", "quick"]),
        partial(same_games, "camelup", ["quick"] * 4),
        partial(same_games, "pharaoh", ["random"] * 3),
        partial(same_lanes, "camelup", players=4, packed=True),
        partial(same_lanes, "camelup", players=(4, 2, 8), opponents="quick", reward="shaped"),
        partial(same_lanes, "pharaoh", players=(4, 2), packed=True, max_rounds=30),
        partial(same_lanes, "pharaoh", players=3, opponents=("random", "jackal"), reward="rank", max_rounds=30),
        partial(kept, "camelup"),
        partial(kept, "pharaoh"),
    ]
    began = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    for some, processes in ((quietly, 1), (parts, len(parts))):
        with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(context.Lock(),)) as pool:
            for ended in as_completed([pool.submit(_told, part) for part in some]):
                print(f"[{time.perf_counter() - began:4.0f} s] {ended.result()}", flush=True)


def _begin(alone: Any) -> None:
    global _alone
    _alone = alone


def _told(part: partial[str]) -> str:
    try:
        return part()
    except Exception:
        return f"FAILED: {part.func.__name__} {part.args} {part.keywords}\n{traceback.format_exc()}"


def _cuda() -> Any:
    return importlib.import_module("numba.cuda")


# -- the same ----------------------------------------------------------------------------------------------------------


def same_games(name: str, bots: list[str]) -> str:
    """Number for number."""
    made = [
        compiled(serai.game(name)).simulator(bots, seed="7", rotate=True, device=device) for device in ("cpu", "gpu")
    ]
    cpu, gpu = cast("tuple[Any, Any]", made)
    cpu._played(0, WARM_UP, NO_LOG)
    gpu._played(0, WARM_UP, NO_LOG)
    with _alone:
        same = (cpu._played(5, SAME_GAMES, NO_LOG) == gpu._played(5, SAME_GAMES, NO_LOG)).all(axis=1)
    return f"{name}, {SAME_GAMES:,} games of {', '.join(bots)}: {_said(bool(same.all()))} {(~same).sum() or ''}"


def same_lanes(name: str, **settings: Any) -> str:
    """All arrays after every tenth step of ``random``."""
    cuda = _cuda()
    made = (
        compiled(serai.game(name)).batch(SAME_LANES, seed=3, device=device, **settings) for device in ("cpu", "gpu")
    )
    cpu, gpu = cast("tuple[Any, Any]", tuple(made))
    words, actions = np.arange(SAME_LANES, dtype=np.uint64), np.zeros(SAME_LANES, np.int64)
    there = cuda.to_device(words), cuda.to_device(actions)
    different = set()
    ended = 0
    for number in range(SAME_STEPS):
        cpu.random_actions(words, actions)
        gpu.random_actions(*there)
        cpu.step(actions)
        gpu.step(there[1])
        if number == 0:
            _alone.acquire()
        ended += int(cpu.buffers.finished.sum())
        if number % 10 == 9:
            for field, array in gpu.host()._asdict().items():
                mine = getattr(cpu.buffers, field)
                if not (np.allclose(mine, array, atol=1e-6) if array.dtype.kind == "f" else (mine == array).all()):
                    different.add(field)
    _alone.release()
    lanes = f"{SAME_LANES:,} lanes, {SAME_STEPS} steps, {ended:,} games ended"
    return f"{name}, {settings}, {lanes}: {_said(not different)} {sorted(different) or ''}"


def kept(name: str) -> str:
    """Copied, saved and loaded, put and read back, there and here: all of them go on alike."""
    cuda = _cuda()
    game = serai.game(name)

    def make(device: Device) -> Any:
        return compiled(game).batch(64, seed=5, device=device, packed=True)

    def walk(batch: Any, steps: int, *, there: bool) -> None:
        words, actions = np.arange(64, dtype=np.uint64), np.zeros(64, np.int64)
        both = (cuda.to_device(words), cuda.to_device(actions)) if there else (words, actions)
        for _ in range(steps):
            batch.random_actions(*both)
            batch.step(both[1])

    gpu, cpu = make("gpu"), make("cpu")
    walk(gpu, 30, there=True)
    copy = gpu.copy()
    file = io.BytesIO()
    gpu.save(file)
    file.seek(0)
    cpu.load(file)  # a file of one is loaded by the other
    back = io.BytesIO()
    cpu.save(back)
    back.seek(0)
    again = make("gpu")
    again.load(back)
    states = [gpu.state(lane) for lane in range(64)]
    for batch in (gpu, copy, again, cpu):
        batch.put(7, states[3])
    walk(cpu, 30, there=False)
    same = {"put and read": gpu.state(7) == states[3]}
    for what, batch in (("the first", gpu), ("its copy", copy), ("saved and loaded", again)):
        walk(batch, 30, there=True)
        arrays = batch.host()._asdict().items()
        same[what] = all(np.allclose(getattr(cpu.buffers, field), array, atol=1e-6) for field, array in arrays)
    told = ", ".join(f"{what} {_said(good)}" for what, good in same.items())
    return f"{name}, kept and gone on as on the CPU: {told}"


def _said(same: bool) -> str:
    return "the same" if same else "DIFFERENT"


def sharing() -> str:
    """Whether other libraries see the same memory."""
    batch: Any = serai.game("camelup").compiled.batch(1024, device="gpu", packed=True)
    seen = batch.buffers.observations
    ours = seen.__cuda_array_interface__["data"][0]
    views: dict[str, Callable[[Any], int]] = {
        "torch": lambda torch: torch.as_tensor(seen, device="cuda").data_ptr(),
        "cupy": lambda cupy: cupy.asarray(seen).data.ptr,
        "jax.dlpack": lambda dlpack: dlpack.from_dlpack(
            importlib.import_module("cupy").asarray(seen).T
        ).unsafe_buffer_pointer(),
    }
    told = []
    for name, view in views.items():
        try:
            same = view(importlib.import_module(name)) == ours
            told.append(f"{name} {'without a copy' if same else 'COPIED'}")
        except ImportError:
            told.append(f"{name} is not installed")
        except Exception as error:
            told.append(f"{name} FAILED {error!r}")
    return f"observations are seen by: {', '.join(told)}"


# -- rates -------------------------------------------------------------------------------------------------------------


def games(name: str, bot: str, count: int) -> str:
    """Whole games per second, without the copy back; the CPU on one core."""
    made = [compiled(serai.game(name)).simulator([bot] * 4, seed="7", device=device) for device in ("cpu", "gpu")]
    cpu, gpu = cast("tuple[Any, Any]", made)
    part = min(count, 1 << 20)
    gpu.launch(0, WARM_UP)
    cpu._played(0, WARM_UP, NO_LOG)
    with _alone:
        rate = timed(lambda: [gpu.launch(first, part) for first in range(0, count, part)], count)
    some = count >> 8
    began = time.process_time()
    cpu._played(0, some, NO_LOG)
    core = some / (time.process_time() - began)
    return f"{name}, four {bot}: {rate / 1e6:,.2f} M games/s, one core {core:,.0f}, ratio {rate / core:,.0f}"


def steps(name: str, what: str, lanes: int = LANES, **settings: Any) -> str:
    """Steps per second with mask and observation, drawn by ``random``; the CPU on one core, in 1024 lanes."""
    cuda = _cuda()
    lanes = lanes if name == "camelup" else lanes >> 2
    gpu: Any = compiled(serai.game(name)).batch(lanes, seed=1, device="gpu", check=False, **settings)
    cpu: Any = compiled(serai.game(name)).batch(1024, seed=1, **settings)
    words, actions = cuda.to_device(np.arange(lanes, dtype=np.uint64)), cuda.to_device(np.zeros(lanes, np.int64))

    def on_gpu(times: int = 20) -> None:
        for _ in range(times):
            gpu.random_actions(words, actions)
            gpu.step(actions)

    on_gpu(1)
    mine, chosen = np.arange(1024, dtype=np.uint64), np.zeros(1024, np.int64)
    cpu.random_actions(mine, chosen)
    with _alone:
        on_gpu(100)
        rate = timed(on_gpu, 20 * lanes)
    rates = []
    for _ in range(6):
        began = time.process_time()
        for _ in range(100):
            cpu.random_actions(mine, chosen)
            cpu.step(chosen)
        rates.append(102_400 / (time.process_time() - began))
    core = max(rates)
    return f"{name}, {what}: {rate / 1e6:,.0f} M steps/s, one core {core / 1e6:.2f} M, ratio {rate / core:,.0f}"


def timed(work: Callable[[], object], count: int) -> float:
    """How many a second, the best of some."""
    cuda = _cuda()
    work()
    cuda.synchronize()
    best = 0.0
    for _ in range(5):
        began = time.perf_counter()
        work()
        cuda.synchronize()
        best = max(best, count / (time.perf_counter() - began))
    return best


if __name__ == "__main__":
    main()
