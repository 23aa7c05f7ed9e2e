"""The GPU beside the CPU: the same games, lane for lane; what other libraries share without a copy; rates of both."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

import serai

SAME_GAMES = 20_000
SAME_LANES, SAME_STEPS = 2_000, 300
LANES = 1 << 20


def main() -> None:
    if find_spec("numba_cuda") is None or not _cuda().is_available():
        print("no GPU here, or no numba-cuda: nothing to compare")
        return
    cuda = _cuda()
    print("GPU:", cuda.get_current_device().name)
    same_games("camelup", ["random"] * 4)
    same_games("camelup", ["quick", "random", "jerboa", "donkey", "quick"])
    same_games("camelup", ["quick"] * 4)
    same_games("pharaoh", ["random"] * 3)
    same_lanes("camelup", players=4, packed=True)
    same_lanes("camelup", players=(4, 2, 8), opponents="quick", reward="shaped")
    same_lanes("pharaoh", players=(4, 2), max_rounds=30)
    same_lanes("pharaoh", players=3, opponents=("random", "jackal"), reward="rank", max_rounds=30)
    sharing()
    games("camelup", "random", 1 << 22)
    games("camelup", "quick", 1 << 21)
    games("pharaoh", "random", 1 << 16)
    steps("camelup", "no opponents", packed=True)
    steps("camelup", "no opponents, 16 bits")
    steps("camelup", "three quick inside", packed=True, opponents="quick")
    steps("pharaoh", "no opponents", packed=True)
    steps("pharaoh", "three jackals inside", packed=True, opponents="jackal")


def _cuda() -> Any:
    return importlib.import_module("numba.cuda")


def same_games(name: str, bots: list[str]) -> None:
    """Number for number."""
    made = [serai.game(name).simulator(bots, seed="7", rotate=True, device=device) for device in ("cpu", "gpu")]
    cpu, gpu = (simulator._played(5, SAME_GAMES, np.empty(0, np.int16)) for simulator in made)  # type: ignore[union-attr]
    print(f"{name}, {SAME_GAMES:,} games of {', '.join(bots)}: {told(bool((cpu == gpu).all()))}", flush=True)


def same_lanes(name: str, **settings: Any) -> None:
    """All arrays after every tenth step of ``random``."""
    cuda = _cuda()
    made = (serai.game(name).batch(SAME_LANES, seed=3, device=device, **settings) for device in ("cpu", "gpu"))
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
        ended += int(cpu.buffers.finished.sum())
        if number % 10 == 9:
            for field, array in gpu.host()._asdict().items():
                mine = getattr(cpu.buffers, field)
                if not (np.allclose(mine, array, atol=1e-6) if array.dtype.kind == "f" else (mine == array).all()):
                    different.add(field)
    lanes = f"{SAME_LANES:,} lanes, {SAME_STEPS} steps, {ended:,} games ended"
    print(f"{name}, {settings}, {lanes}: {told(not different)} {sorted(different) or ''}", flush=True)


def told(same: bool) -> str:
    return "the same" if same else "DIFFERENT"


def sharing() -> None:
    """Whether other libraries see the same memory."""
    batch: Any = serai.game("camelup").batch(1024, device="gpu", packed=True)
    seen = batch.buffers.observations
    ours = seen.__cuda_array_interface__["data"][0]
    views: dict[str, Callable[[Any], int]] = {
        "torch": lambda torch: torch.as_tensor(seen, device="cuda").data_ptr(),
        "cupy": lambda cupy: cupy.asarray(seen).data.ptr,
        "jax": lambda jax: jax.dlpack.from_dlpack(
            importlib.import_module("cupy").asarray(seen).T
        ).unsafe_buffer_pointer(),
    }
    for name, view in views.items():
        try:
            if name == "jax":
                importlib.import_module("jax.dlpack")
            same = view(importlib.import_module(name)) == ours
            print(f"observations seen by {name}: {'without a copy' if same else 'COPIED'}", flush=True)
        except ImportError:
            print(f"{name} is not installed", flush=True)
        except Exception as error:
            print(f"observations seen by {name}: FAILED {error!r}", flush=True)


def games(name: str, bot: str, count: int) -> None:
    """Whole games per second, without the copy back; the CPU on one core."""
    cpu, gpu = (serai.game(name).simulator([bot] * 4, seed="7", device=device) for device in ("cpu", "gpu"))
    there: Any = gpu
    part = min(count, 1 << 20)
    rate = timed(lambda: [there.launch(first, part) for first in range(0, count, part)], count)
    some = count >> 8
    cpu._played(0, 10, np.empty(0, np.int16))  # type: ignore[union-attr]
    began = time.process_time()
    cpu._played(0, some, np.empty(0, np.int16))  # type: ignore[union-attr]
    core = some / (time.process_time() - began)
    print(
        f"{name}, four {bot}: {rate / 1e6:,.2f} M games/s, one core {core:,.0f}, ratio {rate / core:,.0f}", flush=True
    )


def steps(name: str, what: str, lanes: int = LANES, **settings: Any) -> None:
    """Steps per second with mask and observation, drawn by ``random``; the CPU on one core, in 1024 lanes."""
    cuda = _cuda()
    lanes = lanes if name == "camelup" else lanes >> 2
    gpu: Any = serai.game(name).batch(lanes, seed=1, device="gpu", check=False, **settings)
    words, actions = cuda.to_device(np.arange(lanes, dtype=np.uint64)), cuda.to_device(np.zeros(lanes, np.int64))

    def on_gpu(times: int = 20) -> None:
        for _ in range(times):
            gpu.random_actions(words, actions)
            gpu.step(actions)

    on_gpu(100)
    rate = timed(on_gpu, 20 * lanes)
    cpu: Any = serai.game(name).batch(1024, seed=1, **settings)
    mine, chosen = np.arange(1024, dtype=np.uint64), np.zeros(1024, np.int64)
    rates = []
    for _ in range(6):
        began = time.process_time()
        for _ in range(100):
            cpu.random_actions(mine, chosen)
            cpu.step(chosen)
        rates.append(102_400 / (time.process_time() - began))
    core = max(rates)
    print(
        f"{name}, {what}: {rate / 1e6:,.0f} M steps/s, one core {core / 1e6:.2f} M, ratio {rate / core:,.0f}",
        flush=True,
    )


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
